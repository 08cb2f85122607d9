"""The service index: points in a vector store, and the catalogue that they are made from.

One protocol, two stores: `qdrant_edge` (embedded, on disk) and `qdrant_server` (qdrant-client).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from tool_classifier.embedding import Vectors
from tool_classifier.errors import IndexMismatchError
from tool_classifier.models import Service
from tool_classifier.text.analyzer import SparseVector


class PointType(StrEnum):
    """An editor's example question, or the one summary of a service."""

    EXAMPLE = "example"
    SUMMARY = "summary"


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One entry of the index. `sparse` is None for a text without tokens: it is stored dense-only."""

    id: str
    service_id: str
    type: PointType
    text: str
    dense: tuple[float, ...]
    sparse: SparseVector | None
    payload: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A point found by a search, with that search's score (cosine -1..1, or an RRF sum)."""

    service_id: str
    name: str
    type: PointType
    text: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """Both searches of one round trip, best first."""

    dense: tuple[Hit, ...]
    hybrid: tuple[Hit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What a published index is made of; stored with it and replaced as the last step of a publish.

    `content` maps service id -> content hash; `means` are the background means that were subtracted from every
    vector (shape (languages, dimension); empty when vectors are raw); `source` says which catalogue it was built from.
    """

    version: str
    embedder_id: str
    dimension: int
    analyzer_id: str
    source: str
    content: Mapping[str, str]
    largest_service: int
    """Most points that any one service has: bounds how many points hide the next service."""
    points: int
    means_id: str = ""
    means: tuple[tuple[float, ...], ...] = field(default=(), repr=False)

    def check_embedder(self, embedder_id: str, dimension: int) -> None:
        """Raises IndexMismatchError when this index was built with another embedder than the one given."""
        if (embedder_id, dimension) != (self.embedder_id, self.dimension):
            raise IndexMismatchError(
                f"the index was built with {self.embedder_id} (dimension {self.dimension}), "
                f"but {embedder_id} (dimension {dimension}) is configured",
                hint="Run `tool-classifier index` to embed the catalogue anew, or configure the embedder it was built "
                "with.",
            )


class ServiceIndex(Protocol):
    """A published set of points. Reads go on while a publish runs, and see the earlier state until it is done (a store
    that cannot give that says so); after a failed publish the earlier state still serves.

    Every method raises IndexUnavailableError when the store cannot be reached.
    """

    async def manifest(self) -> Manifest | None:
        """The published manifest, or None when nothing has been published."""
        ...

    async def search(
        self, dense: Vectors, sparse: SparseVector | None, *, dense_limit: int, hybrid_limit: int
    ) -> SearchResult:
        """Dense search, and hybrid search (dense + sparse fused by RRF at the root), in one round trip.

        `dense` has shape (dimension,). With `sparse` None the hybrid search ranks by the dense side alone.
        Raises IndexMissingError when nothing has been published.
        """
        ...

    async def services(self, service_ids: Collection[str]) -> tuple[Service, ...]:
        """The definitions of these services, in the order given; unknown ids are left out."""
        ...

    async def all_services(self) -> tuple[Service, ...]:
        """Every indexed service, ordered by id."""
        ...

    async def publish(self, manifest: Manifest, points: Sequence[Point], *, replaced: Collection[str]) -> None:
        """Makes `manifest` the published state.

        `points` are all points of the new and changed services. `replaced` names the services whose earlier points
        go: changed, removed, or (when embedder or means changed) all. Other services' points stay as they are.
        Raises IndexLockedError when another process is publishing.
        """
        ...

    async def close(self) -> None:
        """Releases files or connections. The object is not used afterwards."""
        ...
