"""Explanations for people, on a terminal: why a question went where it went."""

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tool_classifier.index.indexer import IndexReport
from tool_classifier.models import Answer, Candidate, Classification, Trace, WorkflowName
from tool_classifier.text.urls import without_credentials

_NOT_OUR_TIME = ("embed", "call service", "discover")


def show_classification(console: Console, classification: Classification) -> None:
    """Scores per service with their best example, then thresholds, gap and the rule that fired."""
    evidence = classification.metadata
    console.print(f"[bold]{classification.workflow}[/] — {escape(classification.reasoning)}")
    if evidence is None:
        return
    if evidence.top_results:
        console.print(_score_table(evidence.top_results))
    lines = evidence.thresholds
    console.print(
        f"outcome [bold]{evidence.outcome}[/], rule [bold]{evidence.rule}[/], "
        f"score {_number(evidence.cosine)}, gap {_number(evidence.gap)}; "
        f"thresholds ({lines.profile}): minimum {lines.minimum:.2f}, high {lines.high:.2f}, gap {lines.gap:.2f}"
    )


def show_trace(console: Console, trace: Trace) -> None:
    """The whole way of a query: classification, intent, entities, request, each layer's reason, time per stage."""
    if trace.classification is not None:
        show_classification(console, trace.classification)
    if trace.intent is not None:
        console.print(
            f"intent ({trace.intent.detector}): {escape(trace.intent.matched_service_id or 'none')}, "
            f"confidence {trace.intent.confidence:.2f} — {escape(trace.intent.reasoning)}"
        )
    if trace.validation is not None:
        values = ", ".join(f"{name}={value!r}" for name, value in trace.validation.values.items())
        missing = ", ".join(trace.validation.missing_entities) or "none"
        console.print(f"entities: {escape(values or 'none')}; missing: {escape(missing)}")
    if trace.request is not None:
        url = escape(without_credentials(trace.request.url))
        console.print(f"request: {trace.request.method} {url} input={list(trace.request.input)!r}")
    for hop in trace.hops:
        mark = "[green]answered[/]" if hop.answered else "[yellow]passed[/]"
        console.print(f"{hop.workflow:<8} {mark} — {escape(hop.reason)}")
    console.print(_timings(trace))


def summary(answer: Answer, trace: Trace) -> str:
    """One line that names the layer, the service, its entities and the evidence."""
    parts = [str(answer.workflow)]
    if answer.service_id is not None:
        parts.append(answer.service_id)
        parts += [f"{name}={value}" for name, value in answer.entities.items() if value]
    if answer.service_id is None and trace.validation is not None:
        parts += [f"{hop.workflow} failed: {hop.reason}" for hop in trace.hops if hop.workflow is WorkflowName.SERVICE]
    evidence = trace.classification.metadata if trace.classification else None
    if evidence is not None and evidence.cosine is not None:
        parts.append(f"score {evidence.cosine:.2f}, gap {_number(evidence.gap)}, {evidence.rule}")
    return " · ".join(parts)


def show_index_report(console: Console, report: IndexReport) -> None:
    """What an index run did, or would do, by service."""
    verb = "would index" if report.dry_run else "indexed"
    console.print(
        f"{verb} {report.points} points from {escape(report.source)} in {report.seconds:.1f} s "
        f"({report.texts_embedded} texts embedded), version {report.version}"
    )
    for label, ids in (("added", report.added), ("changed", report.changed), ("removed", report.removed)):
        if ids:
            console.print(f"  {label}: {escape(', '.join(ids))}")
    for failure in report.failed:
        console.print(f"  [red]failed[/]: {escape(failure.service_id)}: {escape(failure.reason)}")


def _score_table(candidates: Sequence[Candidate]) -> Table:
    table = Table("service", "score", "hybrid", "best example", box=None, pad_edge=False, header_style="dim")
    for candidate in candidates:
        table.add_row(
            escape(candidate.service.id),
            _number(candidate.score),
            _number(candidate.fused),
            escape(candidate.best_example or "—"),
        )
    return table


def _timings(trace: Trace) -> str:
    stages = ", ".join(f"{stage.name} {stage.seconds * 1000:.1f} ms" for stage in trace.stages)
    own = sum(stage.seconds for stage in trace.stages if stage.name not in _NOT_OUR_TIME)
    return f"time: {stages}; own decision (without embedding and calls) {own * 1000:.1f} ms"


def _number(value: float | None) -> str:
    return "—" if value is None else f"{value:.3f}"
