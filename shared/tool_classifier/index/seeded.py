"""An index that starts from a packed file."""

import asyncio
from collections.abc import Collection, Sequence
from pathlib import Path

from tool_classifier.embedding import Vectors
from tool_classifier.index import Manifest, Point, SearchResult, ServiceIndex
from tool_classifier.index.packed import unpack
from tool_classifier.models import Service
from tool_classifier.text.analyzer import SparseVector


class SeededIndex:
    """ServiceIndex around another one: before its first use, unpacks the seed when nothing has been published.

    Every method also raises IndexUnavailableError when the seed is needed and cannot be used; the next call tries
    again.
    """

    def __init__(self, *, index: ServiceIndex, seed: Path) -> None:
        self._index = index
        self._seed = seed
        self._seeding = asyncio.Lock()
        self._is_ready = False

    async def manifest(self) -> Manifest | None:
        """See ServiceIndex; never None, since there is a seed."""
        return await (await self._ready()).manifest()

    async def search(
        self, dense: Vectors, sparse: SparseVector | None, *, dense_limit: int, hybrid_limit: int
    ) -> SearchResult:
        """See ServiceIndex."""
        index = await self._ready()
        return await index.search(dense, sparse, dense_limit=dense_limit, hybrid_limit=hybrid_limit)

    async def services(self, service_ids: Collection[str]) -> tuple[Service, ...]:
        """See ServiceIndex."""
        return await (await self._ready()).services(service_ids)

    async def all_services(self) -> tuple[Service, ...]:
        """See ServiceIndex."""
        return await (await self._ready()).all_services()

    async def publish(self, manifest: Manifest, points: Sequence[Point], *, replaced: Collection[str]) -> None:
        """See ServiceIndex. The seed's services that are not `replaced` stay."""
        await (await self._ready()).publish(manifest, points, replaced=replaced)

    async def close(self) -> None:
        """See ServiceIndex."""
        await self._index.close()

    async def _ready(self) -> ServiceIndex:
        if not self._is_ready:
            async with self._seeding:
                if not self._is_ready and await self._index.manifest() is None:
                    await unpack(self._seed, self._index)
                self._is_ready = True
        return self._index
