"""Services -> points of the index, and back. Pure functions; what both stores must agree on lives here."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from hashlib import blake2b
from typing import Any
from uuid import UUID, uuid5

from tool_classifier.embedding import Vectors
from tool_classifier.errors import IndexMismatchError
from tool_classifier.index import Hit, Manifest, Point, PointType
from tool_classifier.models import Entity, EntityType, HttpMethod, Service
from tool_classifier.text.analyzer import analyse_document
from tool_classifier.text.normalise import normalise

DENSE = "dense"
SPARSE = "sparse"
HIT_FIELDS = ("service_id", "name", "point_type", "example_text")
"""The part of a payload that a search returns."""

# Reciprocal rank fusion, summed over both sides: 1 / ((rank + 1) / weight + k - 1), with ranks from 0. Unequal weights,
# because with equal ones the best of either side always tie. https://qdrant.tech/documentation/hybrid-queries/
RRF_K = 2
RRF_WEIGHTS = (1.7, 1.0)
"""Of the dense and the sparse side."""

_NAMESPACE = UUID("5f6c9c0e-2f0b-5d0e-9d1c-6a4f0f3c7b11")
_MANIFEST_FIELDS = tuple(field.name for field in fields(Manifest))
_LAYOUT = "1"  # part of every content hash: raise it when points are made differently, and all are made anew


# ---------------------------------------------------------------------------------------------- service -> points


def point_id(service_id: str, text: str) -> str:
    """The id of an example's point: the same text of the same service is the same point in every run."""
    return _uuid("example", service_id, text)


def summary_id(service_id: str) -> str:
    """The id of a service's summary point."""
    return _uuid("summary", service_id)


def manifest_id() -> str:
    """The id of the point that holds the manifest in a store without files."""
    return _uuid("manifest")


def summary_text(service: Service) -> str:
    """All that is known about a service as one text. Examples come last: embedders cut long texts, and examples are
    indexed one by one anyway."""
    names = (entity.name for entity in service.entities)
    return normalise("\n".join((service.name, service.description, service.context, *names, *service.examples)))


def texts_of(service: Service) -> tuple[str, ...]:
    """The texts to embed, one a point: each distinct example once, then the summary."""
    return (*dict.fromkeys(filter(None, map(normalise, service.examples))), summary_text(service))


def content_hash(service: Service, *, embedder_id: str, means_id: str, analyzer_id: str) -> str:
    """Changes exactly when the points of a service would."""
    return _digest([_LAYOUT, embedder_id, means_id, analyzer_id, _definition(service)])


def build_points(
    service: Service, vectors: Vectors, *, embedder_id: str, content_hash: str, index_version: str
) -> tuple[Point, ...]:
    """One point per text of `texts_of`, in that order.

    `vectors` has shape (len(texts_of(service)), dimension). `index_version` is the version that is being published.
    """
    common = {
        **_definition(service),
        "content_hash": content_hash,
        "embedder_id": embedder_id,
        "dimension": int(vectors.shape[1]),
        "index_version": index_version,
    }
    *examples, summary = texts_of(service)
    kinds = [(point_id(service.id, text), PointType.EXAMPLE, text) for text in examples]
    kinds.append((summary_id(service.id), PointType.SUMMARY, summary))
    return tuple(
        Point(
            id=identifier,
            service_id=service.id,
            type=kind,
            text=text,
            dense=tuple(row.tolist()),
            sparse=analyse_document(text),
            payload=common | {"point_type": kind.value, "example_text": text if kind is PointType.EXAMPLE else ""},
        )
        for (identifier, kind, text), row in zip(kinds, vectors, strict=True)
    )


# ---------------------------------------------------------------------------------------------- payload -> values


def service_from_payload(payload: Mapping[str, Any]) -> Service:
    """The definition that a point was made from. Raises KeyError, TypeError or ValueError for a foreign payload."""
    return Service(
        id=payload["service_id"],
        name=payload["name"],
        description=payload["description"],
        method=HttpMethod(payload["method"]),
        entities=tuple(
            Entity(name=entity["name"], type=EntityType(entity["type"]), description=entity["description"])
            for entity in payload["entities"]
        ),
        examples=tuple(payload["examples"]),
        is_common=payload["is_common"],
        active=payload["active"],
        context=payload["context"],
    )


def hits_from(found: Iterable[tuple[str, float, Mapping[str, Any]]]) -> tuple[Hit, ...]:
    """Hits of (point id, score, payload), best first; equal scores in the order of ids, so that no store decides."""
    return tuple(
        Hit(
            service_id=payload["service_id"],
            name=payload["name"],
            type=PointType(payload["point_type"]),
            text=payload["example_text"],
            score=score,
        )
        for _, score, payload in sorted(found, key=lambda point: (-point[1], point[0]))
    )


def manifest_payload(manifest: Manifest) -> dict[str, Any]:
    """A manifest as JSON values."""
    values = {name: getattr(manifest, name) for name in _MANIFEST_FIELDS}
    return values | {"content": dict(sorted(manifest.content.items())), "means": [list(row) for row in manifest.means]}


def manifest_from_payload(payload: Mapping[str, Any]) -> Manifest:
    """The inverse of `manifest_payload`. Raises KeyError, TypeError or ValueError for anything else."""
    values = {name: payload[name] for name in _MANIFEST_FIELDS}
    for name in ("version", "embedder_id", "analyzer_id", "source", "means_id"):
        _check(name, isinstance(values[name], str))
    for name, least in (("dimension", 1), ("largest_service", 0), ("points", 0)):
        _check(name, type(values[name]) is int and values[name] >= least)  # a bool is an int too
    content = values["content"]
    _check(
        "content",
        isinstance(content, Mapping) and all(isinstance(item, str) for pair in content.items() for item in pair),
    )
    try:
        means = tuple(tuple(float(value) for value in row) for row in values["means"])
    except OverflowError as error:
        raise ValueError("the manifest's means cannot be used") from error
    _check("means", all(len(row) == values["dimension"] and all(map(math.isfinite, row)) for row in means))
    _check("means", bool(means) or not values["means_id"])
    return Manifest(**values | {"means": means})


def _check(name: str, usable: bool) -> None:  # noqa: FBT001  one name, one verdict
    if not usable:
        raise ValueError(f"the manifest's {name} cannot be used")


def space_of(manifest: Manifest) -> tuple[str, int, str, str]:
    """What must be equal for vectors to be comparable: embedder, dimension, background means and analyzer."""
    return manifest.embedder_id, manifest.dimension, manifest.means_id, manifest.analyzer_id


def check_dimension(manifest: Manifest, dimension: int) -> None:
    """Raises IndexMismatchError when a query's vector cannot be compared with the index's."""
    if dimension != manifest.dimension:
        raise IndexMismatchError(
            f"the query's vector has {dimension} dimensions, the index was built with {manifest.embedder_id} "
            f"({manifest.dimension} dimensions)",
            hint="Run `tool-classifier index` to build the index with the configured embedder.",
        )


def _definition(service: Service) -> dict[str, Any]:
    definition = {
        "service_id": service.id,
        "name": service.name,
        "description": service.description,
        "method": service.method.value,
        "examples": service.examples,
        "entities": [
            {"name": entity.name, "type": entity.type.value, "description": entity.description}
            for entity in service.entities
        ],
        "context": service.context,
        "is_common": service.is_common,
        "active": service.active,
    }
    # A registry may cut a text in the middle of a surrogate pair; no store takes the half that is left.
    storable: dict[str, Any] = json.loads(json.dumps(definition, ensure_ascii=False).encode("utf-8", "replace"))
    return storable


def _uuid(*parts: str) -> str:
    return str(uuid5(_NAMESPACE, _digest(parts)))


def _digest(value: Sequence[Any]) -> str:
    return blake2b(json.dumps(value, sort_keys=True).encode(), digest_size=16).hexdigest()
