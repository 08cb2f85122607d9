import asyncio
import json

import httpx
import pytest

from tests.fakes.web import FakeChain, FakeClassifier, FakeDefinitions
from tool_classifier.errors import EmbeddingUnavailableError, IndexMismatchError, IndexUnavailableError
from tool_classifier.models import (
    Answer,
    Button,
    Candidate,
    Classification,
    ClassificationMetadata,
    HttpMethod,
    Outcome,
    Role,
    Rule,
    Service,
    ServiceRequest,
    Thresholds,
    Trace,
    WorkflowName,
)
from tool_classifier.text.query import read_query
from tool_classifier.web.app import create_app
from tool_classifier.web.limits import MAX_BODY_BYTES
from tool_classifier.web.routes.classify import classify_routes
from tool_classifier.web.routes.orchestrate import orchestrate_routes
from tool_classifier.web.schemas import TraceBody, digest_of
from tool_classifier.workflows.replies import REPLIES

FX = Service(id="fx", name="valuuta", examples=("Mis on dollari kurss?",))
CLASSIFIED = Classification(
    workflow=WorkflowName.SERVICE,
    confidence=0.72,
    reasoning="clear",
    metadata=ClassificationMetadata(
        outcome=Outcome.HIGH_CONFIDENCE,
        rule=Rule.CLEAR_WINNER,
        matched_service_id="fx",
        cosine=0.72,
        gap=0.4,
        needs_llm_confirmation=False,
        thresholds=Thresholds(profile="test", minimum=0.35, high=0.5, gap=0.08),
        top_results=(Candidate(service=FX, score=0.72, fused=0.9, best_example="Mis on dollari kurss?"),),
    ),
)
ANSWER = Answer(workflow=WorkflowName.SERVICE, content="1.08", language="et", service_id="fx")
MINIMAL = {"chatId": "c1", "message": "Mis on dollari kurss?", "authorId": "u1"}


def post(
    path: str,
    body: object,
    *,
    chain=None,
    classifier=None,
    index=None,
    content_type="application/json",
    headers=None,
) -> httpx.Response:
    app = create_app(
        [
            classify_routes(classifier=classifier or FakeClassifier(CLASSIFIED), default_language="et"),
            orchestrate_routes(
                chain=chain or FakeChain(ANSWER), index=index or FakeDefinitions([FX]), default_language="et"
            ),
        ]
    )

    async def send() -> httpx.Response:
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            content = body if isinstance(body, bytes) else json.dumps(body).encode()
            return await client.post(path, content=content, headers={"content-type": content_type, **(headers or {})})

    return asyncio.run(send())


def test_classify_returns_the_evidence():
    response = post("/classify", {"message": "Mis on dollari kurss?"})
    assert response.status_code == 200
    assert response.json() == {
        "workflow": "SERVICE",
        "confidence": 0.72,
        "reasoning": "clear",
        "query_digest": digest_of(read_query("Mis on dollari kurss?", default_language="et")),
        "metadata": {
            "outcome": "high-confidence",
            "rule": "clear-winner",
            "matched_service_id": "fx",
            "cosine": 0.72,
            "gap": 0.4,
            "needs_llm_confirmation": False,
            "thresholds": {"profile": "test", "minimum": 0.35, "high": 0.5, "gap": 0.08},
            "top_results": [
                {
                    "service_id": "fx",
                    "name": "valuuta",
                    "score": 0.72,
                    "fused": 0.9,
                    "best_example": "Mis on dollari kurss?",
                }
            ],
        },
    }


def test_orchestrate_answers_in_the_clients_contract():
    response = post("/orchestrate", MINIMAL)
    assert response.status_code == 200
    assert response.json() == {
        "chatId": "c1",
        "llmServiceActive": True,
        "questionOutOfLLMScope": False,
        "inputGuardFailed": False,
        "content": "1.08",
        "buttons": None,
        "workflow": "SERVICE",
        "usage": {"llm_calls": 0, "cost_usd": 0.0, "components": {}},
        "trace": None,
    }


def test_a_rejection_is_marked_out_of_scope_and_buttons_are_passed_on():
    buttons = (Button(title="Jah", payload="#yes"),)
    ood = Answer(workflow=WorkflowName.OOD, content="Vabandust", language="et", buttons=buttons)
    body = post("/orchestrate", MINIMAL, chain=FakeChain(ood)).json()
    assert (body["llmServiceActive"], body["questionOutOfLLMScope"]) == (True, True)
    assert body["buttons"] == [{"title": "Jah", "payload": "#yes"}]


def test_explain_adds_the_trace():
    trace = post("/orchestrate", MINIMAL | {"explain": True}).json()["trace"]
    assert trace["hops"] == [{"workflow": "SERVICE", "answered": True, "reason": "fake"}]


def test_history_roles_are_understood_and_the_newest_hundred_kept():
    chain = FakeChain(ANSWER)
    roles = ["user", "end-user", "end_user", "bot", "backoffice-user", "backoffice_user", "assistant"]
    history = [{"authorRole": "bot", "message": str(n), "timestamp": "1"} for n in range(98)]
    history += [{"authorRole": role, "message": role, "timestamp": "2"} for role in roles]
    post("/orchestrate", MINIMAL | {"conversationHistory": history}, chain=chain)
    turns = chain.queries[0].history
    assert len(turns) == 100
    assert turns[0].message == "5"
    assert [turn.role for turn in turns[-7:]] == [Role.USER] * 3 + [Role.BOT] * 4


def test_a_classification_made_earlier_is_used_with_definitions_from_the_index():
    chain = FakeChain(ANSWER)
    earlier = post("/classify", MINIMAL).json()
    earlier["metadata"]["top_results"][0]["name"] = "../../admin"
    assert post("/orchestrate", MINIMAL | {"classification": earlier}, chain=chain).status_code == 200
    assert chain.classifications == [CLASSIFIED]


def test_an_earlier_classification_is_dropped_when_the_index_cannot_confirm_it():
    chain = FakeChain(ANSWER)
    earlier = post("/classify", MINIMAL).json()
    index = FakeDefinitions(IndexUnavailableError("down"))
    assert post("/orchestrate", MINIMAL | {"classification": earlier}, chain=chain, index=index).status_code == 200
    assert chain.classifications == [None]


@pytest.mark.parametrize("message", ["Mis ilm on?", "", "👍"])
def test_a_classification_of_another_message_is_not_used(message):
    chain = FakeChain(ANSWER)
    earlier = post("/classify", MINIMAL).json()
    post("/orchestrate", MINIMAL | {"classification": earlier, "message": message}, chain=chain)
    assert chain.classifications == [None]


def test_a_classification_that_names_an_unknown_service_is_made_anew():
    chain = FakeChain(ANSWER)
    earlier = post("/classify", MINIMAL).json()
    earlier["metadata"]["top_results"].append({"service_id": "unknown", "name": "unknown"})
    post("/orchestrate", MINIMAL | {"classification": earlier}, chain=chain)
    assert chain.classifications == [None]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"chatId": "\ud800"}, "chatId"),
        ({"chatId": "x" * 501}, "chatId"),
        ({"authorId": "\udfff"}, "authorId"),
        ({"chatId": None}, "chatId"),
        ({"message": 7}, "message"),
        ({"message": "x" * 10_001}, "message"),
        ({"environment": "moon"}, "environment"),
        ({"conversationHistory": [{"authorRole": "king", "message": "m"}]}, "conversationHistory.0.authorRole"),
        ({"classification": {"workflow": "SERVICE", "confidence": 7, "reasoning": ""}}, "classification.confidence"),
    ],
)
def test_a_bad_field_is_a_problem_that_names_it(change, field):
    response = post("/orchestrate", MINIMAL | change)
    assert response.status_code == 422
    assert response.headers["content-type"] == "application/problem+json"
    assert response.json()["code"] == "request_invalid"
    assert [error["field"] for error in response.json()["errors"]] == [field]


@pytest.mark.parametrize("body", [b"{", b"\xff", b"[" * 100_000])
def test_a_body_that_cannot_be_read_is_named(body):
    assert post("/orchestrate", body).json()["errors"][0]["field"] == "body"


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded"])
def test_another_content_type_is_named_as_the_fault(kind):
    response = post("/orchestrate", MINIMAL, content_type=kind)
    assert (response.status_code, response.json()["code"]) == (415, "content_type_unsupported")
    assert response.json()["errors"][0]["field"] == "Content-Type"


def test_null_numbers_as_time_and_long_old_messages_are_taken():
    chain = FakeChain(ANSWER)
    unheard_of = {"authorRole": "unheard-of", "message": 7}
    said = {"authorRole": "bot", "message": "Tere", "timestamp": 1764547200000}
    long = {"authorRole": "bot", "message": "x" * 20_000}
    body = {"environment": None, "explain": None, "connection_id": None}
    history = [unheard_of] * 20 + [said] * 99 + [long]
    assert post("/orchestrate", MINIMAL | body | {"conversationHistory": history}, chain=chain).status_code == 200
    turns = chain.queries[0].history
    assert (len(turns), turns[0].timestamp, len(turns[-1].message)) == (100, "1764547200000", 10_000)
    assert post("/orchestrate", MINIMAL | {"conversationHistory": None}).status_code == 200


@pytest.mark.parametrize("length", ["9" * 5000, "abc", "-1"])
def test_an_odd_content_length_is_refused(length):
    response = post("/orchestrate", MINIMAL, headers={"content-length": length})
    assert (response.status_code, response.json()["code"]) == (413, "body_too_large")


@pytest.mark.parametrize("path", ["/v1/health/", "/orchestrate/"])
def test_a_slash_too_many_is_unknown_not_a_redirect(path):
    assert post(path, MINIMAL).status_code == 404


def test_credentials_in_a_services_address_do_not_leave_with_the_trace():
    request = ServiceRequest(
        method=HttpMethod.GET, url="http://user:s3cret@ruuter/services/active/a@b", chat_id="c", author_id="a"
    )
    body = TraceBody.of(Trace(request=request))
    assert body.request["url"] == "http://ruuter/services/active/a@b"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"{", 422, "request_invalid"),
        (b"[]", 422, "request_invalid"),
        (b"", 422, "request_invalid"),
        (b"\xff", 422, "request_invalid"),
        (b"[" * 100_000, 422, "request_invalid"),
        (b'{"chatId": ' + b"9" * 5000 + b"}", 422, "request_invalid"),
    ],
)
def test_a_body_that_is_no_json_object_is_a_problem(body, status, code):
    response = post("/orchestrate", body)
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert response.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (IndexMismatchError("e5 against ada"), 503, "index_mismatch"),
        (EmbeddingUnavailableError("no endpoint"), 503, "embedding_unavailable"),
    ],
)
def test_our_errors_are_problems_without_details(error, status, code):
    response = post("/classify", {"message": "q"}, classifier=FakeClassifier(error))
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert error.message not in response.text


def test_an_unknown_path_is_a_problem():
    response = post("/nowhere", {})
    assert (response.status_code, response.json()["code"]) == (404, "http_404")


def test_a_technical_error_is_an_answer_with_every_flag_false():
    response = post("/orchestrate", MINIMAL, chain=FakeChain(IndexMismatchError("e5 against ada")))
    body = response.json()
    assert response.status_code == 200
    assert [body[flag] for flag in ("llmServiceActive", "questionOutOfLLMScope", "inputGuardFailed")] == [False] * 3
    assert (body["content"], body["workflow"]) == (REPLIES["et"].technical_error, None)
    assert "ada" not in response.text


@pytest.mark.parametrize("path", ["/classify", "/prod/classify", "/staging/classify"])
def test_a_stage_before_the_path_leads_to_the_same_route(path):
    assert post(path, {"message": "q"}).json()["workflow"] == "SERVICE"


@pytest.mark.parametrize("path", ["/prod/nowhere", "/prod/v1/classify", "/classify/classify", "/"])
def test_other_paths_are_unknown(path):
    assert post(path, {"message": "q"}).status_code == 404


def test_a_large_body_is_refused_before_it_is_parsed():
    chain = FakeChain(ANSWER)
    response = post("/orchestrate", MINIMAL | {"message": "x" * MAX_BODY_BYTES}, chain=chain)
    assert (response.status_code, response.json()["code"], chain.queries) == (413, "body_too_large", [])


def test_a_large_body_that_was_not_announced_is_refused_while_it_is_read():
    async def chunks():
        for _ in range(MAX_BODY_BYTES // 1000 + 2):
            yield b"x" * 1000

    app = create_app([classify_routes(classifier=FakeClassifier(CLASSIFIED), default_language="et")])

    async def send() -> httpx.Response:
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            return await client.post("/classify", content=chunks())

    response = asyncio.run(send())
    assert (response.status_code, response.json()["code"]) == (413, "body_too_large")
