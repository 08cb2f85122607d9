"""The command line. JSON goes to stdout; everything for people, except the answer itself, to stderr.

Exit codes: 0 done, 1 a check failed or an unexpected error, 2 wrong usage, 3 settings, 4 catalogue, 5 index,
6 embedding.
"""

import asyncio
import io
import json
import sys
from collections.abc import Callable, Coroutine, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import TypeAdapter
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tool_classifier.errors import (
    CatalogueError,
    EmbeddingError,
    ServiceIndexError,
    SettingsError,
    ToolClassifierError,
)
from tool_classifier.index.indexer import IndexReport
from tool_classifier.local import doctor as checks
from tool_classifier.local.explain import show_classification, show_index_report, show_trace, summary
from tool_classifier.local.server import HOST, listen, serve_until_stopped
from tool_classifier.local.session import Session, open_session
from tool_classifier.models import Trace
from tool_classifier.settings import ServiceCallSettings, load
from tool_classifier.text.query import read_query
from tool_classifier.text.urls import without_credentials
from tool_classifier.web.health import Check
from tool_classifier.web.schemas import AskReport, ClassificationBody

_EXIT_CODES: Sequence[tuple[type[ToolClassifierError], int]] = (
    (SettingsError, 3),
    (CatalogueError, 4),
    (ServiceIndexError, 5),
    (EmbeddingError, 6),
    (ToolClassifierError, 1),
)

app = typer.Typer(
    name="tool-classifier",
    help="Routes a question to the registered service that answers it.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
people = Console(stderr=True, highlight=False)

TextArgument = Annotated[str, typer.Argument(help="The question, in Estonian, English or Russian.", show_default=False)]
ExplainOption = Annotated[bool, typer.Option("--explain", help="Show on stderr why, with the time of each stage.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object to stdout.")]


@app.command()
def ask(
    text: TextArgument,
    *,
    as_json: JsonOption = False,
    explain: ExplainOption = False,
) -> None:
    """Answer a question: classify it, call the service that is meant, print what it says."""

    async def command(session: Session) -> None:
        await _ensure_index(session)
        await session.warm_up()
        trace = Trace()
        query = read_query(text, default_language=session.settings.default_language, chat_id="cli", author_id="cli")
        answer = await session.chain.answer(query, trace)
        if explain:
            show_trace(people, trace)
        if as_json:
            _print_json(AskReport.of(answer, trace).model_dump(mode="json"))
        else:
            print(answer.content)
            for button in answer.buttons:
                print(f"  [{button.title}]")
            print(f"— {summary(answer, trace)}")

    _run(command)


@app.command()
def classify(text: TextArgument, *, as_json: JsonOption = False, explain: ExplainOption = False) -> None:
    """Show which workflow a question starts at, and the evidence, without answering it."""

    async def command(session: Session) -> None:
        await _ensure_index(session)
        await session.warm_up()
        query = read_query(text, default_language=session.settings.default_language)
        trace = Trace()
        classification = await session.classifier.classify(query, trace)
        if explain:
            show_trace(people, trace)
        if as_json:
            _print_json(ClassificationBody.of(classification).model_dump(mode="json"))
        else:
            show_classification(Console(highlight=False), classification)

    _run(command)


@app.command()
def index(
    *,
    catalogue: Annotated[
        Path | None, typer.Option(help="Catalogue file (YAML or JSON).", show_default="the configured one")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would change.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Bring the index up to date with the catalogue; only what changed is embedded."""

    async def command(session: Session) -> None:
        with _progress() as progress:
            report = await session.indexer.run(session.catalogue, dry_run=dry_run, progress=progress)
        if as_json:
            _print_json(TypeAdapter(IndexReport).dump_python(report, mode="json"))
        else:
            show_index_report(people, report)

    _run(command, catalogue_file=catalogue)


@app.command()
def doctor(*, as_json: JsonOption = False) -> None:
    """Check settings, catalogue, index, model and services; say how to mend what is wrong."""

    async def command(session: Session) -> None:
        results = await checks.check_session(session)
        if as_json:
            _print_json(TypeAdapter(list[Check]).dump_python(results, mode="json"))
        else:
            checks.show(people, results)
        if not all(check.ok for check in results):
            raise typer.Exit(1)

    _run(command)


@app.command()
def serve(
    *, port: Annotated[int, typer.Option(help="Port on 127.0.0.1; 0 takes a free one.", min=0, max=65535)] = 8000
) -> None:
    """Run the API and the demo services on this machine until stopped."""

    async def command() -> None:
        listener = listen(port)
        url = f"http://{HOST}:{listener.getsockname()[1]}"
        async with open_session(load(ServiceCallSettings), own_url=url) as session:
            await _ensure_index(session)
            await session.warm_up()
            people.print(f"API on {url} (routes: /openapi.json)")
            people.print(f"services on {without_credentials(session.services_url)}; stop with Ctrl+C")
            await serve_until_stopped(session.api(), listener)

    _guarded(command())


def main() -> None:
    """Entry point of the `tool-classifier` command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that cannot show a letter is no reason to fail
    app()


def _run(command: Callable[[Session], Coroutine[Any, Any, None]], **overrides: object) -> None:
    """Opens a session with these settings overridden and runs a command in it."""

    async def in_session() -> None:
        settings = load(ServiceCallSettings).model_copy(update={k: v for k, v in overrides.items() if v is not None})
        async with open_session(settings) as session:
            await command(session)

    _guarded(in_session())


def _guarded(work: Coroutine[Any, Any, None]) -> None:
    """Runs to the end and turns an error into a message with its cure and an exit code."""
    try:
        asyncio.run(work)
    except ToolClassifierError as error:
        print(f"{error.code}: {error.message}", file=sys.stderr)
        if error.hint:
            print(error.hint, file=sys.stderr)
        raise typer.Exit(next(code for kind, code in _EXIT_CODES if isinstance(error, kind))) from error


async def _ensure_index(session: Session) -> None:
    with _progress() as progress:
        report = await session.ensure_index(progress)
    if report is not None and report.texts_embedded:
        show_index_report(people, report)
    if advice := await session.advice():
        people.print(advice, markup=False)


@contextmanager
def _progress() -> Any:
    """Yields a callback (done, total) that draws a bar once there is something to embed."""
    bar = Progress(
        TextColumn("embedding"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=people,
        transient=True,
        disable=not people.is_terminal,
    )
    task = bar.add_task("embedding", total=None, visible=False)
    with bar:
        yield lambda done, total: bar.update(task, completed=done, total=total, visible=True)


def _print_json(value: object) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=2))
