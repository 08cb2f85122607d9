"""`tool-classifier doctor`: is everything in place, and if not, what mends it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from rich.console import Console
from rich.markup import escape

from tool_classifier.errors import IndexMissingError, ToolClassifierError
from tool_classifier.local.session import Session
from tool_classifier.services.client import probe


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing looked at: what was found, and the cure when it is not right."""

    name: str
    ok: bool
    detail: str
    hint: str = ""


async def examine(session: Session) -> list[Check]:
    """Looks at every part; one that fails does not keep the others from being looked at."""
    return [
        await _check("catalogue", _catalogue, session),
        await _check("embedding model", _embedder, session),
        await _check("index", _index, session),
        await _check("services", _services, session),
    ]


def show(console: Console, checks: list[Check]) -> None:
    """One line a check, and the cure below the ones that failed."""
    for check in checks:
        console.print(f"{'[green]ok  [/]' if check.ok else '[red]FAIL[/]'} {check.name}: {escape(check.detail)}")
        if check.hint:
            console.print(f"     {escape(check.hint)}")


async def _check(name: str, look: Callable[[Session], Awaitable[str]], session: Session) -> Check:
    try:
        return Check(name=name, ok=True, detail=await look(session))
    except ToolClassifierError as error:
        return Check(name=name, ok=False, detail=error.message, hint=error.hint)


async def _catalogue(session: Session) -> str:
    services = await session.catalogue.services()
    return f"{sum(service.active for service in services)} active services in {session.catalogue.source}"


async def _embedder(session: Session) -> str:
    vectors = await session.resources.embedder.embed(["tere"])
    return f"{session.resources.embedder.id}, dimension {vectors.shape[1]}"


async def _index(session: Session) -> str:
    manifest = await session.resources.index.manifest()
    if manifest is None:
        raise IndexMissingError("nothing has been published yet", hint="Run: tool-classifier index")
    embedder = session.resources.embedder
    manifest.check_embedder(embedder.id, embedder.dimension)
    plan = await session.indexer.run(session.catalogue, dry_run=True)
    differing = len(plan.added) + len(plan.changed) + len(plan.removed)
    if differing:
        return (
            f"version {manifest.version} serves, but {differing} services differ from {session.catalogue.source}: "
            "tool-classifier index brings it up to date"
        )
    return f"version {manifest.version}, {manifest.points} points, up to date with {manifest.source}"


async def _services(session: Session) -> str:
    timeout = session.settings.service_call_timeout
    status = await probe(session.resources.http, session.services_url, timeout_seconds=timeout)
    return f"{session.services_url} answers (HTTP {status})"
