"""A clean environment for every test: no setting of this machine, its own working folder, no real credentials."""

import pytest

from tool_classifier.settings import GROUPS


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch, tmp_path_factory):
    for group in GROUPS:
        for name in group.model_fields:
            monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.delenv("RUUTER_DISCOVERY_URL", raising=False)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
    monkeypatch.chdir(tmp_path_factory.mktemp("work"))
