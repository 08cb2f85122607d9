"""The built artefact under Lambda's own runtime. Needs `make build build/.rie` and python3.13; fails without."""

import asyncio
import json
import subprocess
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.fakes.loopback import loopback
from tests.infra.rie import (
    EMBEDDED,
    ROOT,
    SERVER,
    children,
    emulated,
    environment_of,
    lambda_python,
    stop,
    wait_for_port,
)
from tool_classifier.local.demo.app import demo_app
from tool_classifier.local.server import listen, serving

QUESTION = "Palju saan 1 EUR eest THBdes?"
CATALOGUE = """
- id: library
  name: Raamatukogu
  examples: [Millal raamatukogu avatakse?, When does the library open?]
"""


def rest_v1(method, path, body="", *, stage="v1"):
    """An event of API Gateway's REST API."""
    return {
        "resource": path,
        "path": path,
        "httpMethod": method,
        "headers": {"Content-Type": "application/json", "X-Request-Id": "request-1"},
        "multiValueHeaders": {"Content-Type": ["application/json"], "X-Request-Id": ["request-1"]},
        "queryStringParameters": None,
        "multiValueQueryStringParameters": None,
        "requestContext": {"stage": stage, "identity": {"sourceIp": "127.0.0.1"}, "path": f"/{stage}{path}"},
        "body": body,
        "isBase64Encoded": False,
    }


def http_v2(method, path, body="", *, stage="v1"):
    """An event of API Gateway's HTTP API, with the stage in the path."""
    return {
        "version": "2.0",
        "routeKey": f"{method} {path}",
        "rawPath": f"/{stage}{path}",
        "rawQueryString": "",
        "headers": {"content-type": "application/json"},
        "requestContext": {
            "stage": stage,
            "http": {"method": method, "path": f"/{stage}{path}", "protocol": "HTTP/1.1", "sourceIp": "127.0.0.1"},
        },
        "body": body,
        "isBase64Encoded": False,
    }


SCHEDULE = {"source": "aws.scheduler", "detail-type": "Scheduled Event", "detail": {}, "id": "1"}


def asking(message=QUESTION):
    return json.dumps({"chatId": "chat", "authorId": "author", "message": message})


def answer_of(response):
    assert response["isBase64Encoded"] is False, "a REST API would pass the encoded text on"
    return response["statusCode"], json.loads(response["body"])


@pytest.fixture(scope="module")
def classify(tmp_path_factory):
    with emulated("classify", folder=tmp_path_factory.mktemp("classify")) as function:
        yield function


@pytest.fixture
def catalogue(tmp_path):
    path = tmp_path / "catalogue.yaml"
    path.write_text(CATALOGUE, "utf-8")
    return path


def test_classify_answers_the_first_event_and_the_next_ones_from_one_process(classify):
    cold = answer_of(classify.invoke(http_v2("POST", "/classify", asking())))
    first_process = classify.runtime_pid
    warm = answer_of(classify.invoke(rest_v1("POST", "/classify", asking())))
    assert cold[0] == 200
    assert cold[1]["metadata"]["matched_service_id"] == "currency_conversion"
    assert warm == cold
    assert classify.runtime_pid == first_process
    assert classify.log.count("INIT RTDONE(status: success)") == 1
    assert '"correlation_id":"request-1"' in classify.log


def test_index_and_model_come_from_the_layers(classify):
    status, health = answer_of(classify.invoke(rest_v1("GET", "/health") | {"queryStringParameters": {"deep": "1"}}))
    assert status == 200
    assert [check["name"] for check in health["checks"] if check["ok"]] == ["index", "model"]


@pytest.mark.parametrize(
    ("body", "named"),
    [('{"chatId": "chat", "authorId": "author"}', "message"), ("not json", "JSON"), ("", "body")],
    ids=["missing field", "no JSON", "no body"],
)
def test_a_bad_body_is_a_problem_that_names_the_fault(classify, body, named):
    response = classify.invoke(rest_v1("POST", "/classify", body))
    status, problem = answer_of(response)
    assert (status, response["headers"]["content-type"]) == (422, "application/problem+json")
    assert named in json.dumps(problem)
    assert "Traceback" not in classify.log


@pytest.mark.parametrize("event", [SCHEDULE, {"unheard": "of"}, {}, []], ids=["schedule", "unknown", "empty", "list"])
def test_classify_refuses_events_that_are_not_http(classify, event):
    assert classify.invoke(event)["code"] == "event_unknown"


def test_classify_with_a_server_store_needs_no_embedded_one(tmp_path):
    nobody = {"QDRANT_URL": "http://127.0.0.1:9", "INDEX_SEED": ""}
    with emulated("classify", folder=tmp_path, layers=SERVER, environment=nobody) as function:
        status, health = answer_of(function.invoke(rest_v1("GET", "/health")))
        unreachable, problem = answer_of(function.invoke(rest_v1("POST", "/classify", asking())))
        log = function.log
    assert (status, health["ok"]) == (200, True)
    assert (unreachable, problem["code"]) == (503, "index_unavailable")
    assert "warm-up incomplete" in log


def test_a_missing_seed_is_a_problem_and_the_log_says_which(tmp_path):
    with emulated("classify", folder=tmp_path, environment={"INDEX_SEED": "/opt/index/none.bin"}) as function:
        status, problem = answer_of(function.invoke(rest_v1("POST", "/classify", asking())))
        log = function.log
    assert (status, problem["code"]) == (503, "index_unavailable")
    assert "the packed index /opt/index/none.bin cannot be used" in log


def test_service_call_calls_the_service_and_returns_its_answer(tmp_path):
    async def scenario():
        async with serving(demo_app()) as url:
            with emulated("service_call", folder=tmp_path, environment={"RUUTER_SERVICE_BASE_URL": url}) as function:
                events = (rest_v1("POST", "/orchestrate", asking()), http_v2("POST", "/orchestrate", asking()))
                return [answer_of(await asyncio.to_thread(function.invoke, event)) for event in events]

    cold, warm = asyncio.run(scenario())
    assert cold[0] == 200
    assert (cold[1]["chatId"], cold[1]["workflow"], cold[1]["llmServiceActive"]) == ("chat", "SERVICE", True)
    assert "1 EUR = " in cold[1]["content"]
    assert warm == cold


def test_a_function_that_takes_too_long_is_ended_and_the_next_event_is_served(tmp_path):
    async def silent(_request, _writer):
        await asyncio.sleep(3600)

    async def scenario():
        async with loopback(silent) as service:
            slow = {"RUUTER_SERVICE_BASE_URL": service.url, "SERVICE_CALL_TIMEOUT": "600"}
            with emulated("service_call", folder=tmp_path, environment=slow, timeout_seconds=5) as function:
                late = await asyncio.to_thread(function.invoke, rest_v1("POST", "/orchestrate", asking()))
                next_one = await asyncio.to_thread(function.invoke, rest_v1("GET", "/health"))
                return late, next_one, len(service.received)

    late, next_one, calls = asyncio.run(scenario())
    assert "Task timed out after 5.00 seconds" in late
    assert calls == 1
    assert next_one["statusCode"] == 200


def test_index_services_publishes_on_schedule_and_on_messages(tmp_path, catalogue):
    messages = {"Records": [{"messageId": "1", "eventSource": "aws:sqs", "body": "{}"}]}
    with emulated("index_services", folder=tmp_path, environment={"CATALOGUE_FILE": str(catalogue)}) as function:
        before = answer_of(function.invoke(rest_v1("GET", "/services")))
        scheduled = function.invoke(SCHEDULE)
        after = answer_of(function.invoke(http_v2("GET", "/services")))
        queued = function.invoke(messages)
        refused = function.invoke({"unheard": "of"})
    assert len(before[1]) == 16
    assert scheduled == {"code": "done"}
    assert [service["id"] for service in after[1]] == ["library"]
    assert queued == {"batchItemFailures": []}
    assert refused["code"] == "event_unknown"


def test_a_schedule_that_fails_is_lambdas_error_and_leaves_the_index(tmp_path):
    absent = {"CATALOGUE_FILE": str(tmp_path / "absent.yaml")}
    with emulated("index_services", folder=tmp_path, environment=absent) as function:
        failed = function.invoke(SCHEDULE)
        left = answer_of(function.invoke(rest_v1("GET", "/services")))
    assert failed["errorType"] == "CatalogueError"
    assert "absent.yaml" in failed["errorMessage"]
    assert len(left[1]) == 16


def test_a_bad_setting_stops_the_function_and_names_the_variable(tmp_path):
    with emulated("classify", folder=tmp_path, environment={"QDRANT_TIMEOUT": "soon"}) as function:
        failed = function.invoke(rest_v1("GET", "/health"))
    assert failed["errorType"] == "SettingsError"
    assert "QDRANT_TIMEOUT" in failed["errorMessage"]


@contextmanager
def streaming(folder, url):
    """What the Lambda Web Adapter starts: run.sh, with Lambda's Python first on the path."""
    (folder / "bin").mkdir()
    (folder / "bin" / "python").symlink_to(lambda_python())
    listener = listen(0)
    port = listener.getsockname()[1]
    listener.close()
    environment = environment_of("service_call", EMBEDDED, folder)
    environment |= {
        "PATH": f"{folder / 'bin'}:/usr/bin:/bin",
        "AWS_LWA_PORT": str(port),
        "RUUTER_SERVICE_BASE_URL": url,
    }
    with (folder / "run.log").open("wb") as log:
        process = subprocess.Popen(
            ["/bin/sh", "run.sh"],
            cwd=ROOT / "functions" / "service_call",
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            wait_for_port(port, process)
            yield f"http://127.0.0.1:{port}"
        finally:
            stop(process)


def test_run_sh_streams_from_the_layers(tmp_path):
    async def scenario():
        async with serving(demo_app()) as services:
            with streaming(tmp_path, services) as url:
                async with httpx.AsyncClient(timeout=60) as client:
                    headers = {"Content-Type": "application/json"}
                    return await client.post(f"{url}/v1/orchestrate/stream", content=asking(), headers=headers)

    response = asyncio.run(scenario())
    frames = [
        json.loads(line.removeprefix("data: ")) for line in response.text.split("\n") if line.startswith("data: ")
    ]
    assert response.headers["content-type"].startswith("text/event-stream")
    assert "1 EUR = " in frames[0]["payload"]["content"]
    assert frames[-1]["payload"]["content"] == "END"


def test_nothing_that_was_started_is_left(tmp_path):
    with emulated("classify", folder=tmp_path) as function:
        function.invoke(rest_v1("GET", "/health"))
        started = function.runtime_pid
        assert started in children(function.pid)
    assert not Path(f"/proc/{started}").exists()
