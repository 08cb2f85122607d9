"""`POST /orchestrate` on Lambda. `run.sh` serves `asgi` for streaming."""

from typing import Any

from starlette.types import ASGIApp

from tool_classifier.web.lambda_front import LambdaFront
from tool_classifier.wiring.functions import service_call_function

front = LambdaFront(service_call_function)


def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    """Lambda entry."""
    return front(event, context)


def asgi() -> ASGIApp:
    """The app for the streaming front: `uvicorn --factory app:asgi` behind the Lambda Web Adapter."""
    return front.function.app


front.warm_up_on_lambda()
