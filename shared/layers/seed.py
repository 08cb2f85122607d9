"""Indexes a catalogue with the layers just built and packs the index, so that a function can start from it.

    PYTHONPATH=<layers> python3.13 -m layers.seed CATALOGUE FOLDER    writes FOLDER/index.bin

FOLDER/work keeps the index: the next run embeds only what has changed. EMBEDDING_URL and the like count.
"""

import asyncio
import sys
from pathlib import Path

from tool_classifier.errors import ToolClassifierError
from tool_classifier.index.packed import pack
from tool_classifier.index.qdrant_edge import EdgeServiceIndex
from tool_classifier.settings import IndexServicesSettings, load
from tool_classifier.wiring.indexing import build_catalogue, build_indexer
from tool_classifier.wiring.resources import open_resources


async def make(catalogue: Path, folder: Path) -> None:
    """Brings the index up to date and packs it. Raises ToolClassifierError."""
    work = folder / "work"
    places = {"index_dir": work, "index_seed": None, "qdrant_url": None, "catalogue_file": catalogue}
    settings = load(IndexServicesSettings).model_copy(update=places)
    async with open_resources(settings) as resources:
        await build_indexer(resources).run(build_catalogue(settings, resources.http))
    index = EdgeServiceIndex(directory=work)
    try:
        manifest = await pack(index, folder / "index.bin")
    finally:
        await index.close()
    sys.stdout.write(f"{folder / 'index.bin'}: {len(manifest.content)} services, {manifest.points} points\n")


if __name__ == "__main__":
    try:
        asyncio.run(make(*map(Path, sys.argv[1:])))
    except ToolClassifierError as error:
        raise SystemExit(f"{error.code}: {error.message}\n{error.hint}") from error
