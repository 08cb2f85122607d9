"""Errors as RFC 9457 problem+json, each with a stable `code`. One table maps our errors to HTTP."""

import logging
from collections.abc import Sequence
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from tool_classifier.errors import (
    CatalogueError,
    CatalogueUnavailableError,
    EmbeddingError,
    IndexLockedError,
    ServiceIndexError,
    ToolClassifierError,
)

STATUS: Sequence[tuple[type[ToolClassifierError], int]] = (
    (CatalogueUnavailableError, 502),
    (CatalogueError, 422),
    (IndexLockedError, 409),
    (ServiceIndexError, 503),
    (EmbeddingError, 503),
)
"""The first match counts; any other error is a 500."""


class FaultBody(BaseModel):
    """One field of a request that cannot be used."""

    field: str
    detail: str


class ProblemBody(BaseModel):
    """Any error (RFC 9457). `code` is stable; `errors` names the fields of a request that is not valid."""

    type: str = "about:blank"
    title: str
    status: int
    code: str
    detail: str | None = None
    hint: str | None = None
    errors: list[FaultBody] | None = None


def _described(meaning: str) -> dict[str, Any]:
    return {
        "description": meaning,
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/ProblemBody"}}},
    }


RESPONSES: dict[int | str, dict[str, Any]] = {
    413: _described("The request body is too large"),
    415: _described("The request body is not sent as JSON"),
    422: _described("The request is not valid"),
    500: _described("The request could not be served"),
    503: _described("Index or embedder cannot be used"),
}
"""What every route may answer besides its own answer, for the OpenAPI document."""

_SHOWN = (CatalogueError, IndexLockedError)  # what the caller can mend; other messages name our insides

_UNREADABLE = 400  # what FastAPI answers to a body that it cannot decode
_LOG = logging.getLogger(__name__)


def install(app: FastAPI) -> None:
    """Makes every error of the app a problem."""

    async def failed(_request: Request, error: Exception) -> Response:
        return problem_of(error)

    async def invalid(request: Request, error: Exception) -> Response:
        if request.method == "POST" and "json" not in request.headers.get("content-type", "json"):
            fault = {"field": "Content-Type", "detail": "Send the body as application/json"}
            return problem(415, code="content_type_unsupported", title="The body is not JSON", errors=[fault])
        faults = error.errors() if isinstance(error, RequestValidationError) else []
        named = [{"field": _field(fault["loc"]), "detail": fault["msg"]} for fault in faults]
        return problem(422, code="request_invalid", title="The request is not valid", errors=named)

    async def http(_request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        if status == _UNREADABLE:
            fault = {"field": "body", "detail": "The body is not JSON in UTF-8, or is nested too deeply"}
            return problem(422, code="request_invalid", title="The request is not valid", errors=[fault])
        return problem(status, code=f"http_{status}", title=str(getattr(error, "detail", "")))

    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, http)
    app.add_exception_handler(Exception, failed)
    app.add_exception_handler(ToolClassifierError, failed)


def problem_of(error: Exception) -> Response:
    """Any error as a problem. What went wrong inside goes to the log, not to the client."""
    status = next((status for kind, status in STATUS if isinstance(error, kind)), 500)
    code = error.code if isinstance(error, ToolClassifierError) else "internal_error"
    _LOG.error("request failed", exc_info=error, extra={"code": code})
    detail = {"detail": error.message, "hint": error.hint} if isinstance(error, _SHOWN) else {}
    return problem(status, code=code, title="The request could not be served", **detail)


def problem(status: int, *, code: str, title: str, **more: Any) -> Response:
    """A problem+json response."""
    body = {"type": "about:blank", "title": title, "status": status, "code": code, **more}
    return JSONResponse(body, status_code=status, media_type="application/problem+json")


def _field(location: Sequence[str | int]) -> str:
    # The location of malformed JSON is a character's position, which names no field.
    return ".".join(str(part) for part in location if part != "body").lstrip("0123456789.") or "body"
