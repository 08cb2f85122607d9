"""Which concrete classes the settings choose."""

import asyncio
import sys

import pytest

from tool_classifier.embedding.e5 import E5Embedder
from tool_classifier.embedding.openai import OpenAiEmbedder
from tool_classifier.errors import IndexMismatchError, SettingsError
from tool_classifier.index.catalogue.file import FileCatalogue
from tool_classifier.index.catalogue.ruuter import RuuterCatalogue
from tool_classifier.index.qdrant_edge import EdgeServiceIndex
from tool_classifier.index.qdrant_server import ServerServiceIndex
from tool_classifier.settings import ServiceCallSettings, load
from tool_classifier.wiring.answering import today, warm_up
from tool_classifier.wiring.indexing import build_catalogue
from tool_classifier.wiring.resources import open_resources


def with_resources(use):
    async def run():
        async with open_resources(load(ServiceCallSettings)) as resources:
            return use(resources)

    return asyncio.run(run())


def test_without_settings_everything_is_embedded():
    chosen = with_resources(lambda r: (type(r.embedder), type(r.index), r.profile.thresholds.profile))
    assert chosen == (E5Embedder, EdgeServiceIndex, "multilingual-e5-small")


def test_urls_choose_the_remote_embedder_and_the_server(monkeypatch):
    monkeypatch.setenv("EMBEDDING_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("EMBEDDING_API_KEY", "secret")
    monkeypatch.setenv("QDRANT_URL", "https://127.0.0.1:1")
    monkeypatch.setenv("QDRANT_API_KEY", "secret")
    chosen = with_resources(lambda r: (type(r.embedder), type(r.index), r.embedder.id, r.profile.thresholds))
    assert chosen[:3] == (OpenAiEmbedder, ServerServiceIndex, "text-embedding-3-large@3072")
    assert (chosen[3].profile, chosen[3].minimum, chosen[3].high, chosen[3].gap) == ("reference", 0.38, 0.4, 0.05)


def test_a_threshold_that_is_set_overrides_the_embedders_profile(monkeypatch):
    monkeypatch.setenv("DENSE_MIN_THRESHOLD", "0.2")
    thresholds = with_resources(lambda r: r.profile.thresholds)
    assert (thresholds.profile, thresholds.minimum, thresholds.high) == ("multilingual-e5-small+settings", 0.2, 0.5)


@pytest.mark.parametrize(
    ("variable", "module", "cure"),
    [
        ("QDRANT_URL", "tool_classifier.index.qdrant_server", "tool-classifier[server]"),
        (None, "tool_classifier.embedding.e5", "EMBEDDING_URL"),
        (None, "tool_classifier.index.qdrant_edge", "QDRANT_URL"),
    ],
)
def test_a_package_that_is_not_installed_is_named_with_the_cure(monkeypatch, variable, module, cure):
    if variable:
        monkeypatch.setenv(variable, "http://127.0.0.1:1")
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(SettingsError) as caught:
        with_resources(lambda _: None)
    assert "not installed" in caught.value.message
    assert cure in caught.value.hint


@pytest.mark.parametrize(
    ("variables", "kind"),
    [
        ({"CATALOGUE_FILE": "x.yaml"}, FileCatalogue),
        ({"RAG_SEARCH_RUUTER_PUBLIC": "http://ruuter"}, RuuterCatalogue),
        ({"RAG_SEARCH_RUUTER_PUBLIC": "http://ruuter", "CATALOGUE_FILE": "x.yaml"}, FileCatalogue),
    ],
)
def test_a_catalogue_file_goes_before_discovery(monkeypatch, variables, kind):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert type(with_resources(lambda r: build_catalogue(load(ServiceCallSettings), r.http))) is kind


def test_no_catalogue_at_all_is_an_error_with_the_cure():
    with pytest.raises(SettingsError) as caught:
        with_resources(lambda r: build_catalogue(load(ServiceCallSettings), r.http))
    assert "RAG_SEARCH_RUUTER_PUBLIC" in caught.value.hint


def test_warming_up_refuses_an_index_of_another_embedder(monkeypatch, bundled_index):
    monkeypatch.setenv("INDEX_DIR", str(bundled_index))
    monkeypatch.setenv("EMBEDDING_URL", "http://127.0.0.1:1/v1")

    async def run():
        async with open_resources(load(ServiceCallSettings)) as resources:
            await warm_up(resources)

    with pytest.raises(IndexMismatchError, match="text-embedding-3-large"):
        asyncio.run(run())


def test_today_is_a_date_in_estonia():
    assert today().year >= 2025
