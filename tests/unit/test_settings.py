import traceback

import pytest

from tool_classifier.errors import SettingsError
from tool_classifier.settings import ServiceCallSettings, load

REFERENCE_CONSTANTS = {
    "RUUTER_SERVICE_BASE_URL": None,
    "RUUTER_COMMON_SERVICE_BASE_URL": None,
    "RAG_SEARCH_RUUTER_PUBLIC": None,
    "SERVICE_CALL_TIMEOUT": 10,
    "SERVICE_DISCOVERY_TIMEOUT": 10,
    "SERVICE_COUNT_THRESHOLD": 10,
    "MAX_SERVICES_FOR_LLM_CONTEXT": 50,
    "QDRANT_URL": None,
    "QDRANT_COLLECTION": "intent_collections",
    "SEMANTIC_SEARCH_TOP_K": 10,
    "SEMANTIC_SEARCH_THRESHOLD": 0.2,
    "QDRANT_TIMEOUT": 10,
    "DENSE_MIN_THRESHOLD": 0.38,
    "DENSE_HIGH_CONFIDENCE_THRESHOLD": 0.40,
    "DENSE_SCORE_GAP_THRESHOLD": 0.05,
    "DENSE_SEARCH_TOP_K": 3,
    "HYBRID_SEARCH_TOP_K": 5,
    "INTENT_CONFIDENCE_THRESHOLD": 0.7,
    "HISTORY_TURNS": 3,
    "EXAMPLES_PER_SERVICE": 3,
}


@pytest.mark.parametrize(("name", "default"), REFERENCE_CONSTANTS.items())
def test_every_constant_of_the_reference_is_a_setting_with_its_value(name, default):
    assert getattr(load(ServiceCallSettings), name.lower()) == default


def test_variables_are_read_by_name(monkeypatch):
    monkeypatch.setenv("SERVICE_CALL_TIMEOUT", "2.5")
    monkeypatch.setenv("RUUTER_DISCOVERY_URL", "http://ruuter")
    monkeypatch.setenv("QDRANT_URL", "")
    settings = load(ServiceCallSettings)
    assert (settings.service_call_timeout, settings.rag_search_ruuter_public, settings.qdrant_url) == (
        2.5,
        "http://ruuter",
        None,
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SERVICE_CALL_TIMEOUT", "soon"),
        ("SERVICE_CALL_TIMEOUT", "0"),
        ("DENSE_SEARCH_TOP_K", "0"),
        ("DENSE_MIN_THRESHOLD", "nan"),
        ("DEFAULT_LANGUAGE", "fi"),
        ("RUUTER_SERVICE_BASE_URL", "not a url"),
        ("RUUTER_SERVICE_BASE_URL", "http://ruuter/#"),
        ("QDRANT_URL", "ftp://qdrant"),
        ("EMBEDDING_URL", "http://"),
    ],
)
def test_an_unusable_value_is_refused_by_the_variables_name(monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match=name) as caught:
        load(ServiceCallSettings)
    assert "docs/settings.md" in caught.value.hint


def test_settings_cannot_be_changed_and_secrets_do_not_print(monkeypatch):
    monkeypatch.setenv("EMBEDDING_API_KEY", "sk-very-secret")
    settings = load(ServiceCallSettings)
    assert "sk-very-secret" not in repr(settings)
    with pytest.raises(ValueError, match="frozen"):
        settings.service_call_timeout = 1  # type: ignore[misc]


def test_a_home_folder_is_understood(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("INDEX_DIR", "~/index")
    assert load(ServiceCallSettings).index_dir == tmp_path / "index"


def test_a_password_in_a_bad_address_is_in_no_part_of_the_error(monkeypatch):
    monkeypatch.setenv("RUUTER_SERVICE_BASE_URL", "https://svc:s3cret@ruuter/base?x=1")
    with pytest.raises(SettingsError) as caught:
        load(ServiceCallSettings)
    assert "s3cret" not in "".join(traceback.format_exception(caught.value))
