"""`tool-classifier doctor`: the checks of the API's health, and what only this machine can tell."""

from rich.console import Console
from rich.markup import escape

from tool_classifier.errors import ServiceIndexError
from tool_classifier.local.session import Session
from tool_classifier.services.client import probe
from tool_classifier.text.urls import without_credentials
from tool_classifier.web.health import (
    Check,
    examine,
    look_at_catalogue,
    look_at_embedder,
    look_at_index,
)


async def check_session(session: Session) -> list[Check]:
    """Looks at every part of a session."""
    resources = session.resources

    async def freshness() -> str:
        plan = await session.indexer.run(session.catalogue, dry_run=True)
        differing = len(plan.added) + len(plan.changed) + len(plan.removed)
        if differing:
            raise ServiceIndexError(
                f"{differing} services differ from {session.catalogue.source}",
                hint="Run: tool-classifier index (or set CATALOGUE_FILE to the catalogue that is meant).",
            )
        return f"up to date with {session.catalogue.source}"

    async def services() -> str:
        timeout = session.settings.service_call_timeout
        status = await probe(resources.http, session.services_url, timeout_seconds=timeout)
        return f"{without_credentials(session.services_url)} answers (HTTP {status})"

    return await examine(
        {
            "catalogue": look_at_catalogue(session.catalogue),
            "embedding model": look_at_embedder(resources.embedder),
            "index": look_at_index(resources.index, resources.embedder),
            "index content": freshness,
            "services": services,
        }
    )


def show(console: Console, checks: list[Check]) -> None:
    """One line a check, and the cure below the ones that failed."""
    for check in checks:
        console.print(f"{'[green]ok  [/]' if check.ok else '[red]FAIL[/]'} {check.name}: {escape(check.detail)}")
        if check.hint:
            console.print(f"     {escape(check.hint)}")
