"""The golden events through the functions' entries."""

import asyncio
import importlib.util
import json
import logging
import shutil
from pathlib import Path

import pytest

from tests.fakes.web import FakeChain, FakeClassifier, FakeDefinitions
from tool_classifier.errors import CatalogueError, IndexUnavailableError, SettingsError
from tool_classifier.models import Answer, Classification, Service, WorkflowName
from tool_classifier.web.app import create_app
from tool_classifier.web.lambda_front import EventKind, Function, LambdaFront, kind_of
from tool_classifier.web.routes.classify import classify_routes
from tool_classifier.web.routes.orchestrate import orchestrate_routes

ROOT = Path(__file__).parents[2]
EVENTS = sorted(path.stem for path in (ROOT / "events").glob("*.json"))
FUNCTIONS = ("classify", "service_call", "index_services")
HTTP = {
    "rest_v1_classify": "classify",
    "http_v2_classify": "classify",
    "rest_v1_orchestrate": "service_call",
    "rest_v1_orchestrate_base_path": "service_call",
    "function_url_orchestrate": "service_call",
}
CATALOGUE = """
- {id: library, name: Raamatukogu, method: GET, examples: [Millal raamatukogu avatakse?, When does the library open?]}
"""


@pytest.fixture(autouse=True)
def _own_loop_and_logging():
    """Each test has its own event loop, as each Lambda process has, and leaves the log handlers as they were."""
    handlers, level = logging.root.handlers[:], logging.root.level
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    yield
    asyncio.set_event_loop(None)
    loop.close()
    logging.root.handlers[:] = handlers
    logging.root.setLevel(level)


def test_every_golden_event_is_of_the_kind_its_name_says(event):
    assert {name: kind_of(event(name)) for name in EVENTS} == {
        "eventbridge_schedule": EventKind.SCHEDULE,
        "eventbridge_scheduler": EventKind.SCHEDULE,
        "function_url_orchestrate": EventKind.HTTP,
        "http_v2_classify": EventKind.HTTP,
        "rest_v1_classify": EventKind.HTTP,
        "rest_v1_orchestrate": EventKind.HTTP,
        "rest_v1_orchestrate_base_path": EventKind.HTTP,
        "sqs_reindex": EventKind.SQS,
        "unknown": EventKind.UNKNOWN,
    }


@pytest.mark.parametrize("shape", [None, [], "text", {}, {"Records": []}, {"Records": [1]}, {"requestContext": {}}])
def test_anything_else_is_unknown(shape):
    assert kind_of(shape) is EventKind.UNKNOWN


# ------------------------------------------------------------------------------------------------------ over fakes


def faked(*, on_event=None, warm_up=None) -> LambdaFront:
    async def nothing() -> None:
        return

    classification = Classification(workflow=WorkflowName.OOD, confidence=0.1, reasoning="far from every example")
    answer = Answer(workflow=WorkflowName.SERVICE, content="õ🙂北", language="et", service_id="fx")
    index = FakeDefinitions([Service(id="fx", name="valuuta", examples=("Mis on dollari kurss?",))])
    routers = [
        classify_routes(classifier=FakeClassifier(classification), default_language="et"),
        orchestrate_routes(chain=FakeChain(answer), index=index, default_language="et"),
    ]
    return LambdaFront(lambda: Function(app=create_app(routers), warm_up=warm_up or nothing, on_event=on_event))


def at(event: dict, path: str) -> dict:
    """The event as it comes from this path."""
    if "httpMethod" in event:
        return {**event, "path": path}
    http = {**event["requestContext"]["http"], "path": path}
    return {**event, "rawPath": path, "requestContext": {**event["requestContext"], "http": http}}


@pytest.mark.parametrize(("route", "field"), [("/classify", "reasoning"), ("/orchestrate", "content")])
def test_the_three_http_formats_with_and_without_a_stage_lead_to_the_same_route_and_equal_bodies(event, route, field):
    front = faked()
    message = json.dumps({"chatId": "c1", "message": "Mis on dollari kurss?", "authorId": "u1"})
    formats = [event(name) for name in ("rest_v1_classify", "http_v2_classify", "function_url_orchestrate")]
    answers = [
        front(at(format_ | {"body": message}, prefix + route), None) for format_ in formats for prefix in ("", "/v1")
    ]
    assert {answer["statusCode"] for answer in answers} == {200}
    bodies = {answer["body"] for answer in answers}
    assert len(bodies) == 1
    assert json.loads(bodies.pop())[field] in ("far from every example", "õ🙂北")


def test_the_path_that_is_no_route_is_a_problem_in_each_format(event):
    front = faked()
    answers = [front(at(event(name), "/v1/nothing"), None) for name in HTTP]
    assert {answer["statusCode"] for answer in answers} == {404}
    assert {json.loads(answer["body"])["code"] for answer in answers} == {"http_404"}


def test_a_base64_body_is_read(event):
    given = event("function_url_orchestrate") | {
        "body": "eyJjaGF0SWQiOiJjMSIsIm1lc3NhZ2UiOiIifQ==",
        "isBase64Encoded": True,
    }
    answer = faked()(given, None)
    assert (answer["statusCode"], json.loads(answer["body"])["errors"][0]["field"]) == (422, "authorId")


def test_schedules_and_messages_act_once_an_event(event):
    acted = []

    async def act() -> None:
        acted.append(1)

    front = faked(on_event=act)
    assert front(event("eventbridge_schedule"), None) == {"code": "done"}
    assert front(event("eventbridge_scheduler"), None) == {"code": "done"}
    assert front(event("sqs_reindex"), None) == {"batchItemFailures": []}
    assert len(acted) == 3


def test_a_function_is_built_once_and_when_it_is_first_needed(event):
    built = []

    def build() -> Function:
        built.append(1)
        return faked().function

    front = LambdaFront(build)
    front(event("unknown"), None)
    assert built == []
    front(event("rest_v1_classify"), None)
    front(event("http_v2_classify"), None)
    assert built == [1]


def test_warming_up_happens_on_lambda_only(monkeypatch):
    warmed = []

    async def warm_up() -> None:
        warmed.append(1)

    faked(warm_up=warm_up).warm_up_on_lambda()
    assert warmed == []
    monkeypatch.setenv("AWS_LAMBDA_FUNCTION_NAME", "classify")
    faked(warm_up=warm_up).warm_up_on_lambda()
    assert warmed == [1]


@pytest.mark.parametrize(("error", "stops"), [(IndexUnavailableError("x"), False), (SettingsError("x"), True)])
def test_a_store_that_is_away_does_not_stop_a_start_but_a_wrong_setting_does(monkeypatch, event, error, stops):
    async def warm_up() -> None:
        raise error

    monkeypatch.setenv("AWS_LAMBDA_FUNCTION_NAME", "classify")
    front = faked(warm_up=warm_up)
    if stops:
        with pytest.raises(SettingsError):
            front.warm_up_on_lambda()
    else:
        front.warm_up_on_lambda()
        assert front(event("rest_v1_classify"), None)["statusCode"] == 200


# ---------------------------------------------------------------------------------------------- the three handlers


@pytest.fixture
def handlers(monkeypatch, tmp_path, bundled_index):
    """`handler` of every function, over a copy of the bundled index."""
    folder = tmp_path / "index"
    shutil.copytree(bundled_index, folder)
    (tmp_path / "services.yaml").write_text(CATALOGUE, encoding="utf-8")
    monkeypatch.setenv("INDEX_DIR", str(folder))
    monkeypatch.setenv("CATALOGUE_FILE", str(tmp_path / "services.yaml"))
    modules = {name: load(name) for name in FUNCTIONS}
    return {name: module.handler for name, module in modules.items()}


def load(function: str):
    path = ROOT / "functions" / function / "app.py"
    specification = importlib.util.spec_from_file_location(f"{function}_app", path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_every_event_to_every_handler_is_answered_or_refused_with_a_code(handlers, event):
    outcomes = {}
    for name in EVENTS:
        for function, handler in handlers.items():
            answer = handler(event(name), None)
            outcomes[name, function] = answer.get("statusCode") or answer.get("code") or answer
    served = dict.fromkeys(HTTP.items(), 200)
    acted = {
        ("eventbridge_schedule", "index_services"): "done",
        ("eventbridge_scheduler", "index_services"): "done",
        ("sqs_reindex", "index_services"): {"batchItemFailures": []},
    }
    refused = {(name, function): 404 if name in HTTP else "event_unknown" for name in EVENTS for function in FUNCTIONS}
    assert outcomes == refused | served | acted


def test_the_golden_question_is_classified_and_answered(handlers, event):
    classified = json.loads(handlers["classify"](event("rest_v1_classify"), None)["body"])
    assert classified["metadata"]["matched_service_id"] == "currency_conversion"
    bodies = {handlers["service_call"](event(name), None)["body"] for name in HTTP if HTTP[name] == "service_call"}
    assert len(bodies) == 1
    assert json.loads(bodies.pop())["chatId"] == "8d2c5f0e"


def test_a_message_brings_the_index_up_to_date(handlers, event):
    listing = {**event("rest_v1_classify"), "httpMethod": "GET", "path": "/v1/services", "body": None}
    handlers["index_services"](event("sqs_reindex"), None)
    listed = json.loads(handlers["index_services"](listing, None)["body"])
    assert [service["id"] for service in listed] == ["library"]


def test_a_faulty_catalogue_fails_the_batch_so_that_it_is_tried_again(handlers, event, tmp_path):
    (tmp_path / "services.yaml").write_text("- {id: 1}", encoding="utf-8")
    with pytest.raises(CatalogueError):
        handlers["index_services"](event("sqs_reindex"), None)


def test_a_web_page_of_the_configured_origin_may_read_answers(monkeypatch, handlers, event):
    monkeypatch.setenv("CORS_ALLOW_ORIGIN", "https://chat.example")
    handler = load("classify").handler
    given = event("rest_v1_classify")
    headers = {**given["multiValueHeaders"], "Origin": ["https://chat.example"]}
    answer = handler({**given, "multiValueHeaders": headers}, None)
    assert answer["headers"]["access-control-allow-origin"] == "https://chat.example"


@pytest.mark.parametrize(
    "event",
    [
        {"requestContext": {"elb": {}}, "httpMethod": "POST", "path": "/classify"},
        {"requestContext": {"http": None}},
        {"requestContext": {}, "httpMethod": "POST"},
        {"requestContext": {}, "httpMethod": "POST", "path": None},
        {"Records": [{"eventSource": "aws:s3"}]},
        {"Records": []},
        {"\ud800": 1},
        [],
        None,
        "text",
    ],
)
def test_whatever_else_arrives_is_of_no_known_kind(event):
    assert kind_of(event) is EventKind.UNKNOWN


def test_messages_to_a_function_that_takes_none_are_left_in_their_queue(event):
    async def nothing() -> None:
        """Loads nothing."""

    front = LambdaFront(lambda: Function(app=create_app([]), warm_up=nothing))
    messages = event("sqs_reindex")
    answer = front(messages, None)
    assert answer["code"] == "event_unknown"
    assert [failed["itemIdentifier"] for failed in answer["batchItemFailures"]] == [
        record["messageId"] for record in messages["Records"]
    ]
