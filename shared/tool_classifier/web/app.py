"""The HTTP API, put together from routers."""

from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, FastAPI
from pydantic.json_schema import models_json_schema

from tool_classifier import __version__
from tool_classifier.web import problems
from tool_classifier.web.limits import BodyLimit
from tool_classifier.web.stage import StagePrefix

_REFERENCE = "#/components/schemas/{model}"


class _Api(FastAPI):
    def openapi(self) -> dict[str, Any]:
        """The document, with the problems that no route returns by type."""
        document = super().openapi()
        schema = models_json_schema([(problems.ProblemBody, "serialization")], ref_template=_REFERENCE)[1]
        document.setdefault("components", {}).setdefault("schemas", {}).update(schema["$defs"])
        return document


def create_app(routers: Sequence[APIRouter]) -> FastAPI:
    """An app with these routes: errors leave as problem+json, bodies are limited, a stage in the path is dropped."""
    app = _Api(
        title="Tool Classifier",
        version=__version__,
        description="Routes a chatbot's questions to registered services.",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        responses=problems.RESPONSES,
    )
    for router in routers:
        app.include_router(router)
    problems.install(app)
    app.add_middleware(BodyLimit)
    app.add_middleware(StagePrefix)
    return app
