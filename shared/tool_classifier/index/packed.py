"""A published index as one small file, to be shipped where the index's own folder cannot be.

A Lambda layer is read-only, and the embedded store writes to what it opens and reserves 100 MB of address space for
the smallest index. So a layer carries this file, and `unpack` publishes it into a writable folder.

Gzip of JSON lines: a header with format, version and manifest, then one point a line. Vectors are base64 of 32-bit
floats (little-endian), which is what the stores keep, so searches after a round trip give the same scores.
"""

import asyncio
import base64
import gzip
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from tool_classifier.errors import IndexUnavailableError
from tool_classifier.index import Manifest, Point, PointType, ServiceIndex
from tool_classifier.index.points import manifest_from_payload, manifest_payload
from tool_classifier.text.analyzer import SparseVector

_FORMAT = "tool-classifier packed index"
_VERSION = 1
_FLOATS = np.dtype("<f4")
_IDS = np.dtype("<u4")


class Exportable(Protocol):
    """An index that can hand out all that it holds."""

    async def export(self) -> tuple[Manifest, tuple[Point, ...]]:
        """The published manifest and every point. Raises IndexMissingError when nothing has been published."""
        ...


async def pack(index: Exportable, path: Path) -> Manifest:
    """Writes the published index to a file; the same content always makes the same bytes. Returns its manifest.

    Raises IndexMissingError when nothing has been published, IndexUnavailableError when it cannot be written.
    """
    manifest, points = await index.export()
    await asyncio.to_thread(_write, path, manifest, points)
    return manifest


async def unpack(path: Path, index: ServiceIndex) -> Manifest:
    """Publishes a packed index, in place of everything that is published. Returns its manifest.

    Raises IndexUnavailableError when the file is missing, damaged or of another version; the index then stays as it
    was.
    """
    manifest, points = await asyncio.to_thread(_read, path)
    published = await index.manifest()
    await index.publish(manifest, points, replaced=published.content if published else ())
    return manifest


def _write(path: Path, manifest: Manifest, points: Iterable[Point]) -> None:
    fresh = path.with_name(path.name + ".new")
    header = {"format": _FORMAT, "version": _VERSION, "manifest": manifest_payload(manifest)}
    with _translated(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with fresh.open("wb") as raw, gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as file:
            for line in (header, *map(_line, points)):
                file.write(json.dumps(line, ensure_ascii=False, sort_keys=True).encode() + b"\n")
        fresh.replace(path)


def _read(path: Path) -> tuple[Manifest, tuple[Point, ...]]:
    with _translated(path), gzip.open(path, "rt", encoding="utf-8") as file:
        lines: Iterator[dict[str, Any]] = map(json.loads, file)
        header = next(lines, {})
        if (header.get("format"), header.get("version")) != (_FORMAT, _VERSION):
            raise _unusable(path, f"it is not a {_FORMAT} of version {_VERSION}")
        manifest = manifest_from_payload(header["manifest"])
        points = tuple(_point(line, manifest.dimension) for line in lines)
    if len(points) != manifest.points:
        raise _unusable(path, f"it holds {len(points)} points instead of {manifest.points}")
    return manifest, points


def _line(point: Point) -> dict[str, Any]:
    sparse = point.sparse
    return {
        "id": point.id,
        "text": point.text,
        "dense": _encoded(point.dense, _FLOATS),
        "sparse": sparse and [_encoded(sparse.indices, _IDS), _encoded(sparse.values, _FLOATS)],
        "payload": point.payload,
    }


def _point(line: Mapping[str, Any], dimension: int) -> Point:
    """Raises KeyError, TypeError or ValueError for anything that `_line` did not make."""
    payload = line["payload"]
    dense = _decoded(line["dense"], _FLOATS)
    if len(dense) != dimension:
        raise ValueError(f"a vector of {len(dense)} dimensions, the index has {dimension}")
    sparse = None
    if line["sparse"] is not None:
        indices, values = line["sparse"]
        sparse = SparseVector(indices=_decoded(indices, _IDS), values=_decoded(values, _FLOATS))
    return Point(
        id=line["id"],
        service_id=payload["service_id"],
        type=PointType(payload["point_type"]),
        text=line["text"],
        dense=dense,
        sparse=sparse,
        payload=payload,
    )


def _encoded(numbers: tuple[float, ...], kind: "np.dtype[Any]") -> str:
    return base64.b64encode(np.array(numbers, dtype=kind).tobytes()).decode("ascii")


def _decoded(text: str, kind: "np.dtype[Any]") -> tuple[Any, ...]:
    return tuple(np.frombuffer(base64.b64decode(text, validate=True), dtype=kind).tolist())


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, EOFError, zlib.error, KeyError, TypeError, ValueError, AttributeError) as error:
        raise _unusable(path, error) from error


def _unusable(path: Path, cause: object) -> IndexUnavailableError:
    return IndexUnavailableError(
        f"the packed index {path} cannot be used: {cause}",
        hint="Build it again with `make build`, or unset INDEX_SEED and run `tool-classifier index`.",
    )
