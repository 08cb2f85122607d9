import asyncio
import json
import logging
from contextlib import contextmanager

import pytest

from tool_classifier.observability import observed, set_up_logging
from tool_classifier.web.event_stream import EventStream
from tool_classifier.web.observe import Observe


@contextmanager
def json_logging(capsys):
    """Sets up JSON logging; yields a function that returns the lines written since. Puts the root logger back."""
    root = logging.getLogger()
    before = (root.handlers[:], root.level)
    root.handlers.clear()  # set_up_logging closes what it finds
    set_up_logging("classify", level="INFO")
    try:
        yield lambda: [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    finally:
        root.handlers[:], root.level = before


def test_a_log_line_is_json_with_service_message_and_keys(capsys):
    with json_logging(capsys) as logged:
        logging.getLogger("tool_classifier.x").warning("warm-up incomplete", extra={"code": "index_unavailable"})
        logging.getLogger("tool_classifier.x").debug("not shown")
        [line] = logged()
        assert (line["service"], line["level"], line["message"], line["code"]) == (
            "classify",
            "WARNING",
            "warm-up incomplete",
            "index_unavailable",
        )
        assert "correlation_id" not in line


def test_an_operation_is_one_line_and_one_set_of_metrics(capsys):
    with json_logging(capsys) as logged:
        with observed("classify", "http", correlation_id="req-1") as facts:
            facts["status"] = 200
            logging.getLogger("inner").info("inner work")
        inner, line, metrics = logged()
        assert inner["correlation_id"] == line["correlation_id"] == "req-1"
        assert (line["message"], line["operation"], line["status"]) == ("request", "http", 200)
        assert metrics["_aws"]["CloudWatchMetrics"][0]["Namespace"] == "ToolClassifier"
        assert (metrics["service"], metrics["operation"]) == ("classify", "http")
        assert (metrics["Requests"], metrics["Errors"]) == ([1.0], [0.0])
        assert metrics["Duration"][0] >= 0


def test_an_operation_that_raises_counts_as_an_error(capsys):
    with json_logging(capsys) as logged:
        with pytest.raises(ZeroDivisionError), observed("classify", "http", correlation_id=""):
            _ = 1 / 0
        assert logged()[-1]["Errors"] == [1.0]


def test_a_client_that_left_before_the_answer_is_no_error(capsys):
    with json_logging(capsys) as logged:
        with pytest.raises(asyncio.CancelledError), observed("classify", "http", correlation_id=""):
            raise asyncio.CancelledError
        line, metrics = logged()
        assert (line["status"], metrics["Errors"]) == (499, [0.0])


def ask(app, **scope):
    async def run():
        sent = []
        whole = {"type": "http", "method": "POST", "path": "/classify", "headers": []} | scope

        async def send(message):
            sent.append(message)

        await Observe(app, service="classify")(whole, None, send)
        return sent

    return asyncio.run(run())


async def teapot(scope, _receive, send):
    scope["route"] = type("Route", (), {"path": "/classify"})()
    await send({"type": "http.response.start", "status": 418, "headers": []})
    await send({"type": "http.response.body", "body": b""})


@pytest.mark.parametrize("header", [b"x-request-id", b"x-amzn-trace-id"])
def test_a_request_is_named_by_its_header_and_its_route(capsys, header):
    with json_logging(capsys) as logged:
        sent = ask(teapot, headers=[(header, b"abc")])
        line, metrics = logged()
        assert (line["correlation_id"], line["status"], line["route"]) == ("abc", 418, "POST /classify")
        assert metrics["Errors"] == [0.0]
        assert [message["type"] for message in sent] == ["http.response.start", "http.response.body"]


def test_what_is_no_request_passes_unseen(capsys):
    with json_logging(capsys) as logged:

        async def lifespan(scope, _receive, send):
            await send({"type": scope["type"]})

        assert ask(lifespan, type="lifespan") == [{"type": "lifespan"}]
        assert logged() == []


def test_when_the_client_goes_away_the_line_and_the_metrics_are_still_written(capsys):
    async def endless():
        yield b"data: 1\n\n"
        await asyncio.sleep(60)

    async def stream(scope, receive, send):
        await EventStream(endless(), when_failed=lambda: b"", last=lambda: b"")(scope, receive, send)

    async def run():
        gone = asyncio.Event()

        async def receive():
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message):
            if message.get("body"):
                gone.set()

        scope = {"type": "http", "method": "POST", "path": "/orchestrate/stream", "headers": []}
        await Observe(stream, service="service_call")(scope, receive, send)

    with json_logging(capsys) as logged:
        asyncio.run(run())
        line, metrics = logged()
        assert (line["message"], line["status"]) == ("request", 200)
        assert (metrics["Requests"], metrics["Errors"]) == ([1.0], [0.0])
