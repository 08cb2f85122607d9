"""Which services the SERVICE workflow asks intent detection about: the three paths."""

from collections.abc import Sequence

from tool_classifier.classification.classifier import Classifier
from tool_classifier.errors import EmbeddingError, ServiceIndexError
from tool_classifier.index.catalogue import Catalogue
from tool_classifier.models import Candidate, Classification, ClassificationMetadata, Outcome, Query, Service, Trace


class CandidateFinder:
    """High-confidence: one service. Ambiguous: the top results. No metadata: services discovered from the registry."""

    def __init__(
        self,
        *,
        classifier: Classifier,
        registry: Catalogue | None,
        direct_limit: int,
        semantic_top_k: int,
        semantic_minimum: float,
        maximum: int,
    ) -> None:
        self._classifier = classifier
        self._registry = registry
        self._direct_limit = direct_limit
        self._semantic_top_k = semantic_top_k
        self._semantic_minimum = semantic_minimum
        self._maximum = maximum

    async def find(self, query: Query, classification: Classification, trace: Trace) -> Sequence[Candidate]:
        """Returns the candidates, best first; empty when there are none to consider.

        Raises CatalogueError when discovery is needed and fails.
        """
        if classification.metadata is not None:
            return _from_metadata(classification.metadata)[: self._maximum]
        if self._registry is None:
            return ()
        with trace.stage("discover"):
            discovered = [service for service in await self._registry.services() if service.active]
        if len(discovered) <= self._direct_limit:
            return tuple(Candidate(service=service) for service in discovered)
        with trace.stage("semantic search"):
            return await self._pick(query, discovered)

    async def _pick(self, query: Query, discovered: list[Service]) -> Sequence[Candidate]:
        by_id = {service.id: service for service in discovered}
        try:
            found = await self._classifier.search_services(
                query.text, limit=self._semantic_top_k, minimum=self._semantic_minimum
            )
        except (ServiceIndexError, EmbeddingError):
            # Discovery is the way out when the index fails, so its search may fail too: ask about the first ones.
            return tuple(Candidate(service=service) for service in discovered[: self._maximum])
        return tuple(
            Candidate(service=by_id[s.service_id], score=s.score, best_example=s.best_example)
            for s in found[: self._maximum]
            if s.service_id in by_id
        )


def _from_metadata(metadata: ClassificationMetadata) -> tuple[Candidate, ...]:
    if metadata.outcome is Outcome.NON_SERVICE:
        return ()
    if metadata.outcome is Outcome.HIGH_CONFIDENCE:
        return tuple(c for c in metadata.top_results if c.service.id == metadata.matched_service_id)
    return metadata.top_results
