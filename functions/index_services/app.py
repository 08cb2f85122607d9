"""Index routes, schedules and SQS messages on Lambda."""

from typing import Any

from tool_classifier.web.lambda_front import LambdaFront
from tool_classifier.wiring.functions import index_services_function

front = LambdaFront(index_services_function)


def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    """Lambda entry."""
    return front(event, context)


front.warm_up_on_lambda()
