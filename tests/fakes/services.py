"""Stands in for the world around the SERVICE workflow: a gateway, a detector, a registry."""

from collections.abc import Mapping, Sequence

from tool_classifier.errors import ToolClassifierError
from tool_classifier.models import Candidate, IntentResult, Query, Service, ServiceReply, ServiceRequest, Trace


class FakeServiceClient:
    """ServiceClient that remembers its requests and answers, or raises, what it was told to."""

    def __init__(self, outcome: ServiceReply | ToolClassifierError | None = None) -> None:
        self._outcome = outcome or ServiceReply(content="done")
        self.requests: list[ServiceRequest] = []

    async def call(self, request: ServiceRequest) -> ServiceReply:
        self.requests.append(request)
        if isinstance(self._outcome, ToolClassifierError):
            raise self._outcome
        return self._outcome


class FakeDetector:
    """IntentDetector with a fixed verdict that remembers what it was asked about."""

    name = "fake"

    def __init__(
        self, matched: str | None, *, confidence: float = 0.9, entities: Mapping[str, str] | None = None
    ) -> None:
        self._result = IntentResult(
            matched_service_id=matched, confidence=confidence, entities=entities or {}, detector=self.name
        )
        self.asked: list[list[str]] = []

    async def detect(self, _query: Query, candidates: Sequence[Candidate], _trace: Trace) -> IntentResult:
        self.asked.append([candidate.service.id for candidate in candidates])
        return self._result


class FakeCatalogue:
    """Catalogue of given services, or one that fails; counts how often it was read."""

    source = "fake catalogue"

    def __init__(self, services: Sequence[Service] = (), *, error: ToolClassifierError | None = None) -> None:
        self._services = tuple(services)
        self._error = error
        self.reads = 0

    async def services(self) -> tuple[Service, ...]:
        self.reads += 1
        if self._error is not None:
            raise self._error
        return self._services
