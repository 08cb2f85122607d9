"""Stands in for what the HTTP edge asks: the chain, the classifier, the index's definitions."""

from collections.abc import Sequence

from tool_classifier.errors import ToolClassifierError
from tool_classifier.models import Answer, Classification, Query, Service, Trace


class FakeChain:
    """Chain with a fixed answer, or one that fails; remembers what it was asked."""

    def __init__(self, answer: Answer | Exception) -> None:
        self._answer = answer
        self.queries: list[Query] = []
        self.classifications: list[Classification | None] = []

    async def answer(self, query: Query, trace: Trace, classification: Classification | None = None) -> Answer:
        self.queries.append(query)
        self.classifications.append(classification)
        if isinstance(self._answer, Exception):
            raise self._answer
        trace.hop(self._answer.workflow, answered=True, reason="fake")
        return self._answer


class FakeClassifier:
    """Classifier with a fixed result, or one that fails."""

    def __init__(self, outcome: Classification | ToolClassifierError) -> None:
        self._outcome = outcome

    async def classify(self, _query: Query, _trace: Trace) -> Classification:
        if isinstance(self._outcome, ToolClassifierError):
            raise self._outcome
        return self._outcome


class FakeDefinitions:
    """The part of ServiceIndex that the edge uses."""

    def __init__(self, services: Sequence[Service] | ToolClassifierError) -> None:
        self._services = services

    async def services(self, service_ids: Sequence[str]) -> tuple[Service, ...]:
        if isinstance(self._services, ToolClassifierError):
            raise self._services
        return tuple(service for service in self._services if service.id in service_ids)
