"""`POST /classify` on Lambda."""

from typing import Any

from tool_classifier.web.lambda_front import LambdaFront
from tool_classifier.wiring.functions import classify_function

front = LambdaFront(classify_function)


def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    """Lambda entry."""
    return front(event, context)


front.warm_up_on_lambda()
