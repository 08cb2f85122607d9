"""Lambda events -> the ASGI app: one object per function, built once and kept warm."""

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from mangum import Mangum
from starlette.types import ASGIApp

from tool_classifier.errors import EmbeddingUnavailableError, IndexUnavailableError, ToolClassifierError

_TEXT = ["text/", "application/json", "application/problem+json"]  # mangum sends any other type as base64
_KEYS_SHOWN = 20
_LOG = logging.getLogger(__name__)


class EventKind(StrEnum):
    """Which service sent a Lambda event, told by its shape."""

    HTTP = "http"
    SCHEDULE = "schedule"
    SQS = "sqs"
    UNKNOWN = "unknown"


def kind_of(event: object) -> EventKind:
    """The kind of an event: REST v1, HTTP v2 and Function URL are HTTP; EventBridge rule and scheduler SCHEDULE."""
    if not isinstance(event, dict):
        return EventKind.UNKNOWN
    context = event.get("requestContext")
    if isinstance(context, dict) and "elb" not in context:
        rest = isinstance(event.get("httpMethod"), str) and isinstance(event.get("path"), str)
        if rest or isinstance(context.get("http"), dict):
            return EventKind.HTTP
    if event.get("source") in ("aws.events", "aws.scheduler") or event.get("detail-type") == "Scheduled Event":
        return EventKind.SCHEDULE
    records = event.get("Records")
    if isinstance(records, list) and records and all(_source(record) == "aws:sqs" for record in records):
        return EventKind.SQS
    return EventKind.UNKNOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class Function:
    """What a Lambda function serves: its app, what to load before the first request, and what a schedule or message
    makes it do (None: it takes HTTP alone)."""

    app: ASGIApp
    warm_up: Callable[[], Awaitable[None]]
    on_event: Callable[[], Awaitable[None]] | None = None


class LambdaFront:
    """The entry of a function. Built on first use, or at INIT by `warm_up_on_lambda`."""

    def __init__(self, build: Callable[[], Function]) -> None:
        self._build = build
        self._function: Function | None = None
        self._asgi: Mangum | None = None

    def __call__(self, event: dict[str, Any], context: Any) -> dict[str, Any]:
        """Answers an HTTP event, acts on a schedule or on messages if the function does, and refuses any other event.

        A refusal is a clear error, not a traceback. Raises what acting raises: the sender then tries again.
        """
        kind = kind_of(event)
        if kind is EventKind.HTTP:
            return self._mangum()(event, context)
        if kind is EventKind.SQS and self.function.on_event is None:
            failed = [{"itemIdentifier": record.get("messageId")} for record in event["Records"]]
            return refuse(event) | {"batchItemFailures": failed}  # else SQS would take them for done
        if kind is EventKind.UNKNOWN or self.function.on_event is None:
            return refuse(event)
        asyncio.get_event_loop().run_until_complete(self.function.on_event())
        return {"batchItemFailures": []} if kind is EventKind.SQS else {"code": "done"}

    @property
    def function(self) -> Function:
        """The function, built when it is first asked for."""
        if self._function is None:
            self._function = self._build()
        return self._function

    def warm_up_on_lambda(self) -> None:
        """On Lambda, builds and loads everything during INIT; elsewhere does nothing.

        Raises IndexMismatchError and SettingsError: such a version must not go live. A store or endpoint that cannot
        be reached just now is logged; it may be back for the first request.
        """
        if "AWS_LAMBDA_FUNCTION_NAME" not in os.environ:
            return
        try:
            self._mangum()  # also sets up the event loop that every later invocation reuses
            asyncio.get_event_loop().run_until_complete(self.function.warm_up())
        except (IndexUnavailableError, EmbeddingUnavailableError) as error:
            _LOG.warning("warm-up incomplete", extra={"code": error.code})
        except ToolClassifierError as error:
            _LOG.exception("warm-up refused", extra={"code": error.code, "hint": error.hint})
            raise

    def _mangum(self) -> Mangum:
        if self._asgi is None:
            app: Any = self.function.app  # starlette and mangum type the same protocol differently
            self._asgi = Mangum(app, lifespan="off", text_mime_types=_TEXT)
        return self._asgi


def refuse(event: object) -> dict[str, Any]:
    """The answer to an event that a function does not serve; names its keys, never its values."""
    keys = sorted(map(ascii, event))[:_KEYS_SHOWN] if isinstance(event, dict) else []
    _LOG.error("event refused", extra={"code": "event_unknown", "keys": keys})
    return {
        "code": "event_unknown",
        "message": f"this function does not serve events with the keys {keys}",
        "hint": "Send API Gateway (REST or HTTP) or Function URL events; index_services also takes schedules and SQS.",
    }


def _source(record: object) -> object:
    return record.get("eventSource") if isinstance(record, dict) else None
