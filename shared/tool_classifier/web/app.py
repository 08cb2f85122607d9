"""The HTTP API, put together from routers."""

from collections.abc import Sequence

from fastapi import APIRouter, FastAPI

from tool_classifier import __version__
from tool_classifier.web import problems
from tool_classifier.web.limits import BodyLimit
from tool_classifier.web.stage import StagePrefix


def create_app(routers: Sequence[APIRouter]) -> FastAPI:
    """An app with these routes: errors leave as problem+json, bodies are limited, a stage in the path is dropped."""
    app = FastAPI(
        title="Tool Classifier",
        version=__version__,
        description="Routes a chatbot's questions to registered services.",
        docs_url=None,
        redoc_url=None,
    )
    for router in routers:
        app.include_router(router)
    problems.install(app)
    app.add_middleware(BodyLimit)
    app.add_middleware(StagePrefix)
    return app
