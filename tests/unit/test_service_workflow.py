import asyncio
from collections.abc import Sequence

import pytest

from tests.fakes.services import FakeDetector, FakeServiceClient
from tool_classifier.errors import CatalogueUnavailableError, ServiceStatusError, ServiceTimeoutError
from tool_classifier.models import (
    Button,
    Candidate,
    Classification,
    Entity,
    HttpMethod,
    Service,
    ServiceReply,
    Trace,
    WorkflowName,
)
from tool_classifier.text.query import read_query
from tool_classifier.workflows.service import ServiceWorkflow

FX = Service(
    id="fx",
    name="valuuta konverter",
    method=HttpMethod.GET,
    entities=(Entity(name="amount"), Entity(name="source_currency"), Entity(name="target_currency")),
)
COMMON = Service(id="common", name="common/one", is_common=True)
SERVICE = Classification(workflow=WorkflowName.SERVICE, confidence=0.8, reasoning="best score 0.8")


class FixedCandidates:
    def __init__(self, services: Sequence[Service] = (), error: Exception | None = None) -> None:
        self._candidates = tuple(Candidate(service=service, score=0.8) for service in services)
        self._error = error

    async def find(self, *_):
        if self._error:
            raise self._error
        return self._candidates


def workflow(candidates, detector, client, **settings) -> ServiceWorkflow:
    defaults = {"base_url": "http://ruuter/", "common_base_url": None, "minimum_confidence": 0.7}
    return ServiceWorkflow(candidates=candidates, detector=detector, client=client, **(defaults | settings))


def run(flow: ServiceWorkflow, classification: Classification = SERVICE):
    trace = Trace()
    query = read_query("Palju saan 1 EUR eest THBdes?", default_language="et", chat_id="chat", author_id="me")
    return asyncio.run(flow.answer(query, classification, trace)), trace


def test_the_matched_service_is_called_with_its_entities_in_order():
    client = FakeServiceClient(ServiceReply(content="37 THB", buttons=(Button(title="Veel", payload="#more"),)))
    detector = FakeDetector("fx", entities={"target_currency": "THB", "amount": "1", "colour": "red"})
    answer, trace = run(workflow(FixedCandidates([FX, COMMON]), detector, client))
    assert [request.input for request in client.requests] == [("1", "", "THB")]
    request = client.requests[0]
    assert (request.method, request.url) == ("GET", "http://ruuter/services/active/valuuta_konverter")
    assert (request.chat_id, request.author_id) == ("chat", "me")
    assert (answer.content, answer.service_id, answer.language) == ("37 THB", "fx", "et")
    assert answer.buttons == (Button(title="Veel", payload="#more"),)
    assert answer.entities == {"amount": "1", "source_currency": "", "target_currency": "THB"}
    assert trace.validation.missing_entities == ("source_currency",)
    assert trace.validation.extra_entities == ("colour",)
    assert [stage.name for stage in trace.stages] == ["detect intent", "call service"]


@pytest.mark.parametrize(
    ("common_base_url", "url"),
    [
        ("http://common", "http://common/services/active/common%2Fone"),
        (None, "http://ruuter/services/active/common%2Fone"),
    ],
)
def test_a_common_service_has_its_own_base_and_falls_back_to_the_other(common_base_url, url):
    client = FakeServiceClient()
    run(workflow(FixedCandidates([COMMON]), FakeDetector("common"), client, common_base_url=common_base_url))
    assert [request.url for request in client.requests] == [url]


@pytest.mark.parametrize(
    ("detector", "reason"),
    [
        (FakeDetector(None), "intent not accepted"),
        (FakeDetector("unknown"), "intent not accepted"),
        (FakeDetector("fx", confidence=0.69), "intent not accepted"),
        (FakeDetector("fx", confidence=float("nan")), "intent not accepted"),
    ],
)
def test_a_verdict_that_is_not_accepted_calls_nothing(detector, reason):
    client = FakeServiceClient()
    answer, trace = run(workflow(FixedCandidates([FX]), detector, client))
    assert answer is None
    assert client.requests == []
    assert trace.hops[0].reason.startswith(reason)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ServiceTimeoutError("no answer in 10 s"), "service_timeout: no answer in 10 s"),
        (ServiceStatusError("HTTP 500"), "service_status: HTTP 500"),
    ],
)
def test_a_failing_service_passes_with_the_reason_and_is_called_once(error, reason, caplog):
    client = FakeServiceClient(error)
    answer, trace = run(workflow(FixedCandidates([FX]), FakeDetector("fx"), client))
    assert answer is None
    assert len(client.requests) == 1
    assert trace.hops[0].reason == reason
    [line] = caplog.records
    assert (line.levelname, line.service_id, line.code) == ("WARNING", "fx", error.code)
    assert "THB" not in line.getMessage() + str(line.__dict__)


def test_a_name_that_makes_no_endpoint_is_a_reason_not_a_call():
    client = FakeServiceClient()
    answer, trace = run(workflow(FixedCandidates([Service(id="dots", name="..")]), FakeDetector("dots"), client))
    assert answer is None
    assert client.requests == []
    assert trace.hops[0].reason.startswith("service_endpoint_invalid")


def test_without_a_base_url_nothing_is_called():
    answer, trace = run(workflow(FixedCandidates([FX]), FakeDetector("fx"), FakeServiceClient(), base_url=None))
    assert answer is None
    assert "no base URL" in trace.hops[0].reason


def test_no_candidates_is_a_reason():
    detector = FakeDetector("fx")
    answer, trace = run(workflow(FixedCandidates(), detector, FakeServiceClient()))
    assert (answer, detector.asked) == (None, [])
    assert trace.hops[0].reason == "no candidate services: best score 0.8"


def test_a_failed_discovery_is_a_reason():
    error = CatalogueUnavailableError("http://ruuter does not answer")
    answer, trace = run(workflow(FixedCandidates(error=error), FakeDetector("fx"), FakeServiceClient()))
    assert answer is None
    assert trace.hops[0].reason == "catalogue_unavailable: http://ruuter does not answer"


def test_a_non_service_question_passes_at_once():
    detector = FakeDetector("fx")
    classification = Classification(workflow=WorkflowName.CONTEXT, confidence=0.9, reasoning="below the minimum")
    answer, trace = run(workflow(FixedCandidates([FX]), detector, FakeServiceClient()), classification)
    assert (answer, detector.asked) == (None, [])
    assert trace.hops[0].reason == "below the minimum"
