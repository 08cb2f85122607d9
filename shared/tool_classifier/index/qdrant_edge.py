"""The service index as files on this machine, searched in-process (qdrant-edge). The default store.

    <directory>/current                   names the published version; swapped atomically
    <directory>/lock                      held by the process that is publishing
    <directory>/versions/<version>.<n>/   shard/ and manifest.json; never changed once published

A reader opens the version that `current` names and notices on its next call when that has moved. The version before
stays for readers that are about to open it. Vectors are compared one by one (no graph is built), so a search is exact;
both searches of 10 000 points with 384 dimensions take 3 ms.
"""

from __future__ import annotations  # qdrant_edge's type aliases exist in its stubs only

import asyncio
import fcntl
import heapq
import json
import os
import shutil
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import uuid4

import qdrant_edge as edge

from tool_classifier.embedding import Vectors
from tool_classifier.errors import (
    IndexLockedError,
    IndexMissingError,
    IndexUnavailableError,
    ToolClassifierError,
)
from tool_classifier.index import Hit, Manifest, Point, PointType, SearchResult
from tool_classifier.index.points import (
    DENSE,
    HIT_FIELDS,
    RRF_K,
    RRF_WEIGHTS,
    SPARSE,
    check_dimension,
    hits_from,
    manifest_from_payload,
    manifest_payload,
    service_from_payload,
    summary_id,
    summary_text,
)
from tool_classifier.models import Service
from tool_classifier.text.analyzer import SparseVector

_PROBES = 4
_NEARLY_ONE = 0.99
_BATCH = 1000  # points read or written at once; bounds memory
_Stored = tuple[str, Any, dict[str, Any]]  # point id, vectors, payload


@dataclass(frozen=True, slots=True, kw_only=True)
class _Version:
    """A version that has been opened."""

    folder: str
    manifest: Manifest
    shard: edge.EdgeShard


class EdgeServiceIndex:
    """ServiceIndex in a folder. Any number of processes read it; one at a time publishes."""

    def __init__(self, *, directory: Path) -> None:
        self._directory = directory
        self._versions = directory / "versions"
        self._pointer = directory / "current"
        self._opening = threading.Lock()
        self._opened: _Version | None = None

    async def manifest(self) -> Manifest | None:
        """The published manifest, or None when nothing has been published."""
        version = await asyncio.to_thread(self._current)
        return version.manifest if version else None

    async def search(
        self, dense: Vectors, sparse: SparseVector | None, *, dense_limit: int, hybrid_limit: int
    ) -> SearchResult:
        """See ServiceIndex. Raises IndexMismatchError when the query's dimension is not the index's."""
        return await asyncio.to_thread(self._search, dense, sparse, dense_limit, hybrid_limit)

    async def services(self, service_ids: Collection[str]) -> tuple[Service, ...]:
        """The definitions of these services, in the order given; unknown ids are left out."""
        return await asyncio.to_thread(self._services, service_ids)

    async def all_services(self) -> tuple[Service, ...]:
        """Every indexed service, ordered by id."""
        return await asyncio.to_thread(self._all_services)

    async def publish(self, manifest: Manifest, points: Sequence[Point], *, replaced: Collection[str]) -> None:
        """Builds a new version beside the published one, reads it back, then swaps the pointer."""
        await asyncio.to_thread(self._publish, manifest, points, replaced)

    async def export(self) -> tuple[Manifest, tuple[Point, ...]]:
        """The published manifest and every point, in the order of ids. Raises IndexMissingError."""
        return await asyncio.to_thread(self._export)

    async def close(self) -> None:
        """Releases the files."""
        version, self._opened = self._opened, None
        if version is not None:
            version.shard.close()

    # ------------------------------------------------------------------------------------------------- reading

    def _current(self) -> _Version | None:
        """The published version, opened."""
        with self._opening:
            folder = self._published_folder()
            while folder is not None and (self._opened is None or self._opened.folder != folder):
                try:
                    self._opened = self._open(folder)
                except IndexUnavailableError:
                    # Two publishes since the pointer was read remove what it named: follow it once more.
                    named, folder = folder, self._published_folder()
                    if folder == named:
                        raise
            return self._opened if folder is not None else None

    def _published_folder(self) -> str | None:
        try:
            return self._pointer.read_text("utf-8")
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError) as error:
            raise self._unusable(error) from error

    def _open(self, folder: str) -> _Version:
        path = self._versions / folder
        with self._translated():
            manifest = manifest_from_payload(json.loads((path / "manifest.json").read_text("utf-8")))
            shard = edge.EdgeShard.load(str(path / "shard"))
            found = shard.info().points_count
        if found != manifest.points:  # a shard whose files were cut off may load with fewer points, or none
            raise self._unusable(f"version {folder} holds {found} points instead of {manifest.points}")
        with self._translated():
            intact = not found or _finds_its_own(shard)
        if not intact:  # files that are gone come back as zeros
            raise self._unusable(f"version {folder} does not find its own points: its vectors are damaged")
        return _Version(folder=folder, manifest=manifest, shard=shard)

    def _search(self, dense: Vectors, sparse: SparseVector | None, dense_limit: int, hybrid_limit: int) -> SearchResult:
        version = self._required()
        check_dimension(version.manifest, dense.shape[0])
        nearest = edge.Query.Nearest(dense.tolist(), using=DENSE)
        sides = [edge.Prefetch(limit=hybrid_limit, query=nearest)]
        if sparse is not None:
            vector = edge.SparseVector(indices=list(sparse.indices), values=list(sparse.values))
            sides.append(edge.Prefetch(limit=hybrid_limit, query=edge.Query.Nearest(vector, using=SPARSE)))
        fields = list(HIT_FIELDS)
        fusion: Any = edge.Fusion.Rrf(
            k=RRF_K, weights=list(RRF_WEIGHTS[: len(sides)])
        )  # to the type stub it is no query
        both = edge.QueryBatchRequest(
            [
                edge.QueryRequest(limit=dense_limit, query=nearest, with_payload=fields),
                edge.QueryRequest(limit=hybrid_limit, query=fusion, prefetches=sides, with_payload=fields),
            ]
        )
        with self._translated():
            found = version.shard.query_batch(both)
        return SearchResult(dense=_hits(found[0]), hybrid=_hits(found[1]))

    def _required(self) -> _Version:
        version = self._current()
        if version is None:
            raise IndexMissingError(
                f"the index in {self._directory} is empty", hint="Run `tool-classifier index` to build it."
            )
        return version

    def _services(self, service_ids: Collection[str]) -> tuple[Service, ...]:
        version = self._current()
        if version is None:
            return ()
        ids: list[edge.PointId] = [summary_id(service_id) for service_id in service_ids]
        with self._translated():
            records = version.shard.retrieve(ids, with_payload=True, with_vector=False)
            found = {str(record.id): service_from_payload(record.payload or {}) for record in records}
        return tuple(found[str(identifier)] for identifier in ids if str(identifier) in found)

    def _all_services(self) -> tuple[Service, ...]:
        version = self._current()
        if version is None:
            return ()
        summaries = edge.FieldCondition(key="point_type", match=edge.MatchValue(PointType.SUMMARY.value))
        with self._translated():
            records = list(_scroll(version.shard, having=edge.Filter(must=[summaries])))
            services = [service_from_payload(record.payload or {}) for record in records]
        return tuple(sorted(services, key=lambda service: service.id))

    def _export(self) -> tuple[Manifest, tuple[Point, ...]]:
        version = self._required()
        with self._translated():
            return version.manifest, tuple(_point(record) for record in _scroll(version.shard, with_vector=True))

    # ---------------------------------------------------------------------------------------------- publishing

    def _publish(self, manifest: Manifest, points: Sequence[Point], replaced: Collection[str]) -> None:
        with self._translated(), self._exclusive():
            previous = self._current()
            folder = f"{manifest.version}.{uuid4().hex[:8]}"  # a version may be published twice, its files may not
            path = self._versions / folder
            path.mkdir(parents=True)
            try:
                self._build(path / "shard", manifest, _merged(previous, points, replaced))
                (path / "manifest.json").write_text(json.dumps(manifest_payload(manifest)), "utf-8")
                self._open(folder)
                self._swap(folder)
            except BaseException:
                shutil.rmtree(path, ignore_errors=True)
                raise
            self._remove_all_but(folder, previous.folder if previous else None)

    def _build(self, path: Path, manifest: Manifest, points: Iterator[_Stored]) -> None:
        content: dict[str, str] = {}
        written = 0
        shard = edge.EdgeShard.create(str(path), _config(manifest.dimension))
        while batch := list(islice(points, _BATCH)):
            shard.update(edge.UpdateOperation.upsert_points([edge.Point(*stored) for stored in batch]))
            written += len(batch)
            content |= {payload["service_id"]: payload["content_hash"] for _, _, payload in batch}
        shard.flush()
        shard.close()
        if content != dict(manifest.content) or written != manifest.points:
            raise IndexLockedError(
                f"the index in {self._directory} is no longer the one that this run started from: "
                f"another run has published to it",
                hint="Run `tool-classifier index` again; it does only what is left to do.",
            )

    def _swap(self, folder: str) -> None:
        fresh = self._pointer.with_name("current.new")
        with fresh.open("w", encoding="utf-8") as file:
            file.write(folder)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self._pointer)

    def _remove_all_but(self, *kept: str | None) -> None:
        for path in self._versions.iterdir():
            if path.name not in kept:
                shutil.rmtree(path, ignore_errors=True)  # what a reader holds open goes with the next publish

    @contextmanager
    def _exclusive(self) -> Iterator[None]:
        self._directory.mkdir(parents=True, exist_ok=True)
        with (self._directory / "lock").open("a") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise IndexLockedError(
                    f"another process is publishing to the index in {self._directory}",
                    hint="Wait until it has finished, then run `tool-classifier index` again.",
                ) from error
            yield

    # -------------------------------------------------------------------------------------------------- errors

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (ToolClassifierError, KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # qdrant_edge raises Exception itself, and on damaged files a Rust panic
            raise self._unusable(error) from error

    def _unusable(self, cause: object) -> IndexUnavailableError:
        return IndexUnavailableError(
            f"the index in {self._directory} cannot be used: {cause}",
            hint=f"Make sure that the folder is writable and not full (reading needs that too). If it is damaged, "
            f"remove {self._directory} and run `tool-classifier index` to build it again.",
        )


def _config(dimension: int) -> edge.EdgeConfig:
    return edge.EdgeConfig(
        vectors={DENSE: edge.EdgeVectorParams(size=dimension, distance=edge.Distance.Cosine)},
        sparse_vectors={SPARSE: edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf)},
        wal_enabled=False,  # with a write-ahead log, only one process could open the shard
    )


def _merged(version: _Version | None, points: Sequence[Point], replaced: Collection[str]) -> Iterator[_Stored]:
    """The points that stay and the new ones, by id: equal content makes equal files, whatever was published before."""
    gone = {*replaced, *(point.service_id for point in points)}
    stay: Iterator[_Stored] = (
        (str(record.id), record.vector or {}, record.payload)
        for record in (_scroll(version.shard, with_vector=True) if version else ())
        if record.payload and record.payload["service_id"] not in gone
    )
    new = ((point.id, _vectors(point), dict(point.payload)) for point in sorted(points, key=lambda point: point.id))
    return heapq.merge(stay, new, key=lambda stored: stored[0])


def _vectors(point: Point) -> dict[str, edge.NamedVector]:
    vectors: dict[str, edge.NamedVector] = {DENSE: list(point.dense)}
    if point.sparse is not None:
        vectors[SPARSE] = edge.SparseVector(indices=list(point.sparse.indices), values=list(point.sparse.values))
    return vectors


def _point(record: edge.Record) -> Point:
    payload: dict[str, Any] = record.payload or {}
    vectors: Any = record.vector  # by name; the stub also knows shards with one unnamed vector
    sparse = vectors.get(SPARSE)
    return Point(
        id=str(record.id),
        service_id=payload["service_id"],
        type=PointType(payload["point_type"]),
        text=payload["example_text"] or summary_text(service_from_payload(payload)),
        dense=tuple(vectors[DENSE]),
        sparse=sparse and SparseVector(indices=tuple(sparse.indices), values=tuple(sparse.values)),
        payload=payload,
    )


def _scroll(
    shard: edge.EdgeShard, *, having: edge.Filter | None = None, with_vector: bool = False
) -> Iterator[edge.Record]:
    offset: edge.PointId | None = None
    while True:
        request = edge.ScrollRequest(
            offset=offset, limit=_BATCH, filter=having, with_payload=True, with_vector=with_vector
        )
        records, offset = shard.scroll(request)
        yield from records
        if offset is None:
            return


def _finds_its_own(shard: edge.EdgeShard) -> bool:
    """Whether a search for a stored vector finds one like it; a few are tried, for one may be all zeros by right."""
    records, _ = shard.scroll(edge.ScrollRequest(limit=_PROBES, with_payload=False, with_vector=True))
    vectors = [record.vector.get(DENSE) for record in records if isinstance(record.vector, dict)]
    return any(
        best.score > _NEARLY_ONE
        for vector in vectors
        if vector is not None
        for best in shard.query(edge.QueryRequest(limit=1, query=edge.Query.Nearest(vector, using=DENSE)))
    )


def _hits(found: Sequence[edge.ScoredPoint]) -> tuple[Hit, ...]:
    return hits_from((str(point.id), point.score, point.payload or {}) for point in found)
