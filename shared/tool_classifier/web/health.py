"""Is everything in place, and if not, what mends it: the checks behind `GET /health?deep=1` and `doctor`."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from tool_classifier.embedding import Embedder
from tool_classifier.errors import IndexMissingError, ToolClassifierError
from tool_classifier.index import ServiceIndex
from tool_classifier.index.catalogue import Catalogue

Look = Callable[[], Awaitable[str]]
"""Looks at one thing; returns what was found, raises ToolClassifierError when it is not right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing looked at: what was found, and the cure when it is not right."""

    name: str
    ok: bool
    detail: str
    hint: str = ""


async def examine(looks: Mapping[str, Look]) -> list[Check]:
    """Looks at every part; one that fails does not keep the others from being looked at."""
    return [await _check(name, look) for name, look in looks.items()]


def look_at_catalogue(catalogue: Catalogue) -> Look:
    """Can the catalogue be read."""

    async def look() -> str:
        services = await catalogue.services()
        return f"{sum(service.active for service in services)} active services in {catalogue.source}"

    return look


def look_at_embedder(embedder: Embedder) -> Look:
    """Does the model embed."""

    async def look() -> str:
        vectors = await embedder.embed(["tere"])
        return f"{embedder.id}, dimension {vectors.shape[1]}"

    return look


def look_at_index(index: ServiceIndex, embedder: Embedder) -> Look:
    """Is something published, with this embedder."""

    async def look() -> str:
        manifest = await index.manifest()
        if manifest is None:
            raise IndexMissingError("nothing has been published yet", hint="Run: tool-classifier index")
        manifest.check_embedder(embedder.id, embedder.dimension)
        if not manifest.points:
            raise IndexMissingError("the published index holds no service", hint="Run: tool-classifier index")
        return f"version {manifest.version}, {len(manifest.content)} services, {manifest.points} points"

    return look


def looks_at_search(index: ServiceIndex, embedder: Embedder) -> dict[str, Look]:
    """What every function needs: an index, and the model that it was built with."""
    return {"index": look_at_index(index, embedder), "model": look_at_embedder(embedder)}


async def _check(name: str, look: Look) -> Check:
    try:
        return Check(name=name, ok=True, detail=await look())
    except ToolClassifierError as error:
        return Check(name=name, ok=False, detail=error.message, hint=error.hint)
