import asyncio

import pytest

from tests.fakes.services import FakeCatalogue
from tool_classifier.classification.scoring import ServiceScore
from tool_classifier.errors import IndexUnavailableError
from tool_classifier.models import (
    Candidate,
    Classification,
    ClassificationMetadata,
    Outcome,
    Rule,
    Service,
    Thresholds,
    Trace,
    WorkflowName,
)
from tool_classifier.text.query import read_query
from tool_classifier.workflows.candidates import CandidateFinder

A, B, C = (
    Candidate(service=Service(id=id_, name=id_), score=score) for id_, score in (("a", 0.8), ("b", 0.6), ("c", 0.5))
)
UNSEARCHED = Classification(workflow=WorkflowName.SERVICE, confidence=0.0, reasoning="nothing is indexed yet")


class FakeSearch:
    """Stands in for the classifier's semantic search."""

    def __init__(self, found: list[ServiceScore] | IndexUnavailableError) -> None:
        self._found = found
        self.asked: list[tuple[int, float]] = []

    async def search_services(self, _text, *, limit, minimum):
        self.asked.append((limit, minimum))
        if isinstance(self._found, IndexUnavailableError):
            raise self._found
        return self._found


def classified(outcome: Outcome) -> Classification:
    return Classification(
        workflow=WorkflowName.SERVICE,
        confidence=0.8,
        reasoning="",
        metadata=ClassificationMetadata(
            outcome=outcome,
            rule=Rule.CLEAR_WINNER,
            matched_service_id="b",
            cosine=0.8,
            gap=0.2,
            needs_llm_confirmation=False,
            thresholds=Thresholds(profile="test", minimum=0.3, high=0.5, gap=0.1),
            top_results=(A, B, C),
        ),
    )


def find(classification, *, registry=None, search=None, maximum=50):
    finder = CandidateFinder(
        classifier=search or FakeSearch([]),
        registry=registry,
        direct_limit=10,
        semantic_top_k=10,
        semantic_minimum=0.2,
        maximum=maximum,
    )
    trace = Trace()
    found = asyncio.run(finder.find(read_query("Mis ilm on?", default_language="et"), classification, trace))
    return [candidate.service.id for candidate in found], trace


def services(count: int) -> list[Service]:
    return [Service(id=f"s{n:02}", name=f"s{n:02}") for n in range(count)]


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [(Outcome.HIGH_CONFIDENCE, ["b"]), (Outcome.AMBIGUOUS, ["a", "b", "c"]), (Outcome.NON_SERVICE, [])],
)
def test_a_search_result_needs_no_discovery(outcome, expected):
    registry = FakeCatalogue(services(3))
    assert find(classified(outcome), registry=registry)[0] == expected
    assert registry.reads == 0


def test_never_more_candidates_than_the_maximum():
    assert find(classified(Outcome.AMBIGUOUS), maximum=2)[0] == ["a", "b"]


def test_up_to_ten_discovered_services_go_on_directly():
    found, trace = find(UNSEARCHED, registry=FakeCatalogue(services(10)))
    assert found == [f"s{n:02}" for n in range(10)]
    assert [stage.name for stage in trace.stages] == ["discover"]


def test_inactive_services_are_not_discovered():
    inactive = Service(id="off", name="off", active=False)
    assert find(UNSEARCHED, registry=FakeCatalogue([*services(1), inactive]))[0] == ["s00"]


def test_above_ten_semantic_search_picks_among_the_discovered():
    scores = [
        ServiceScore(service_id=id_, score=s, fused=None, best_example=None) for id_, s in (("s07", 0.9), ("x", 0.8))
    ]
    search = FakeSearch(scores)
    found, trace = find(UNSEARCHED, registry=FakeCatalogue(services(11)), search=search)
    assert found == ["s07"]
    assert search.asked == [(10, 0.2)]
    assert [stage.name for stage in trace.stages] == ["discover", "semantic search"]


def test_when_semantic_search_fails_the_first_fifty_are_asked_about():
    search = FakeSearch(IndexUnavailableError("down"))
    found, _ = find(UNSEARCHED, registry=FakeCatalogue(services(60)), search=search)
    assert found == [f"s{n:02}" for n in range(50)]


def test_without_a_registry_there_is_nothing_to_discover():
    assert find(UNSEARCHED)[0] == []
