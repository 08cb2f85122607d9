"""A clean environment for every test, and the bundled catalogue indexed once for those that ask real questions."""

import asyncio
from pathlib import Path

import pytest

from tool_classifier.local.session import open_session
from tool_classifier.settings import GROUPS, ServiceCallSettings


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch, tmp_path_factory):
    """No setting of this machine, a working folder of its own, no real credentials."""
    for group in GROUPS:
        for name in group.model_fields:
            monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.delenv("RUUTER_DISCOVERY_URL", raising=False)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
    monkeypatch.chdir(tmp_path_factory.mktemp("work"))


@pytest.fixture(scope="session")
def bundled_index(tmp_path_factory) -> Path:
    """Folder of an embedded index that holds the bundled catalogue. Read-only by agreement."""
    folder = tmp_path_factory.mktemp("bundled") / "index"

    async def publish() -> None:
        async with open_session(ServiceCallSettings(index_dir=folder)) as session:
            await session.ensure_index(lambda _done, _total: None)

    asyncio.run(publish())
    return folder
