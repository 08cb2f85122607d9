"""What operators see: JSON logs with a correlation id, and metrics in CloudWatch's embedded format.

Set up once by the functions; inner code uses the standard library's logging and knows nothing of this. No query text
and no entity value ever goes here.
"""

import logging
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from aws_lambda_powertools.logging.formatter import LambdaPowertoolsFormatter
from aws_lambda_powertools.metrics import EphemeralMetrics, MetricUnit

NAMESPACE = "ToolClassifier"

_CLIENT_GONE = 499  # no answer was begun, and nothing went wrong here: the usual code for a client that left

_correlation_id: ContextVar[str] = ContextVar("correlation_id", default="")
_LOG = logging.getLogger(__name__)


def set_up_logging(service: str, *, level: str) -> None:
    """Sends every logger's records to stdout as JSON lines that name the function and the request."""
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(LambdaPowertoolsFormatter(service=service, utc=True))
    handler.addFilter(_with_correlation_id)
    logging.basicConfig(handlers=[handler], level=level, force=True)
    logging.getLogger("mangum").setLevel(logging.WARNING)  # its line a request says less than ours


@contextmanager
def observed(service: str, operation: str, *, correlation_id: str) -> Iterator[dict[str, object]]:
    """Logs one line and emits count, time and outcome of an operation, also when it raises or is cancelled.

    Yields a dict for what the line shall say besides; `status` in it (an HTTP status) decides about `Errors`.
    """
    token = _correlation_id.set(correlation_id)
    start = time.perf_counter()
    facts: dict[str, object] = {"operation": operation, "status": _CLIENT_GONE}
    try:
        yield facts
    except Exception:
        facts["status"] = 500
        raise
    finally:
        milliseconds = (time.perf_counter() - start) * 1000
        _LOG.info("request", extra=facts | {"milliseconds": round(milliseconds, 1)})
        metrics = EphemeralMetrics(namespace=NAMESPACE, service=service)
        metrics.add_dimension("operation", operation)
        metrics.add_metric("Requests", MetricUnit.Count, 1)
        metrics.add_metric("Errors", MetricUnit.Count, int(str(facts["status"]) >= "500"))
        metrics.add_metric("Duration", MetricUnit.Milliseconds, milliseconds)
        metrics.flush_metrics()
        _correlation_id.reset(token)


def _with_correlation_id(record: logging.LogRecord) -> bool:
    if identifier := _correlation_id.get():
        record.correlation_id = identifier
    return True
