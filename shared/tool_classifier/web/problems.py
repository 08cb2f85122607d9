"""Errors as RFC 9457 problem+json, each with a stable `code`. One table maps our errors to HTTP."""

from collections.abc import Sequence
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from tool_classifier.errors import EmbeddingError, ServiceIndexError, ToolClassifierError

STATUS: Sequence[tuple[type[ToolClassifierError], int]] = (
    (ServiceIndexError, 503),
    (EmbeddingError, 503),
    (ToolClassifierError, 500),
)


def install(app: FastAPI) -> None:
    """Makes every error of the app a problem."""

    @app.exception_handler(ToolClassifierError)
    async def known(_request: Request, error: ToolClassifierError) -> Response:
        status = next(status for kind, status in STATUS if isinstance(error, kind))
        return problem(status, code=error.code, title="The request could not be served")

    @app.exception_handler(RequestValidationError)
    async def invalid(_request: Request, error: RequestValidationError) -> Response:
        faults = [{"field": _field(fault["loc"]), "detail": fault["msg"]} for fault in error.errors()]
        return problem(422, code="request_invalid", title="The request body is not valid", errors=faults)

    @app.exception_handler(HTTPException)
    async def http(_request: Request, error: HTTPException) -> Response:
        return problem(error.status_code, code=f"http_{error.status_code}", title=str(error.detail))


def problem(status: int, *, code: str, title: str, **more: Any) -> Response:
    """A problem+json response."""
    body = {"type": "about:blank", "title": title, "status": status, "code": code, **more}
    return JSONResponse(body, status_code=status, media_type="application/problem+json")


def _field(location: Sequence[str | int]) -> str:
    return ".".join(str(part) for part in location if part != "body") or "body"
