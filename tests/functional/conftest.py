"""The bundled catalogue, indexed once with the bundled model; tests copy the folder or only read it."""

import asyncio
from pathlib import Path

import pytest

from tool_classifier.local.session import open_session
from tool_classifier.settings import ServiceCallSettings


@pytest.fixture(scope="session")
def bundled_index(tmp_path_factory) -> Path:
    """Folder of an embedded index that holds the bundled catalogue. Read-only by agreement."""
    folder = tmp_path_factory.mktemp("bundled") / "index"

    async def publish() -> None:
        async with open_session(ServiceCallSettings(index_dir=folder)) as session:
            await session.ensure_index(lambda _done, _total: None)

    asyncio.run(publish())
    return folder
