"""The classification step, top to bottom: embed once, search once, score per service, decide."""

import numpy as np

from tool_classifier.classification.decision import Decision, decide
from tool_classifier.classification.profiles import Profile
from tool_classifier.classification.scoring import ServiceScore, points_to_fetch, score_services
from tool_classifier.embedding import Embedder, Vectors
from tool_classifier.embedding.centring import Centring
from tool_classifier.index import Manifest, SearchResult, ServiceIndex
from tool_classifier.models import (
    Candidate,
    Classification,
    ClassificationMetadata,
    Outcome,
    Query,
    Rule,
    Trace,
    WorkflowName,
)
from tool_classifier.text.analyzer import analyse_query
from tool_classifier.text.normalise import unshout


class Classifier:
    """Decides whether a registered service is meant, and which ones come into question."""

    def __init__(
        self, *, embedder: Embedder, index: ServiceIndex, profile: Profile, dense_top_k: int, hybrid_top_k: int
    ) -> None:
        self._embedder = embedder
        self._index = index
        self._thresholds = profile.thresholds
        self._dense_top_k = dense_top_k
        self._hybrid_top_k = hybrid_top_k

    async def classify(self, query: Query, trace: Trace) -> Classification:
        """Returns the classification and writes it, with the time of each stage, to the trace.

        Raises IndexMismatchError when the index was built with another embedder, IndexUnavailableError and
        EmbeddingError when either cannot be reached.
        """
        trace.classification = await self._classify(query, trace)
        return trace.classification

    async def _classify(self, query: Query, trace: Trace) -> Classification:
        if not query.has_words:
            return self._without_search(Rule.NO_WORDS, "the message has no letters or digits")
        manifest = await self._searchable()
        if manifest is None:
            return unsearched("nothing is indexed yet")
        with trace.stage("embed"):
            vector = await self._embed(query.text, manifest)
        with trace.stage("search"):
            result = await self._search(query.text, vector, manifest)
        with trace.stage("decide"):
            services = score_services(query.text, result.dense, result.hybrid)
            decision = decide(services, self._thresholds)
        with trace.stage("lookup"):
            candidates = await self._candidates(services, decision)
        return self._classification(decision, candidates)

    async def search_services(self, text: str, *, limit: int, minimum: float) -> list[ServiceScore]:
        """Semantic search alone: services whose best point scores at least `minimum`, best first, at most `limit`.

        Empty when nothing is indexed. Raises like `classify`.
        """
        manifest = await self._searchable()
        if manifest is None:
            return []
        points = points_to_fetch(manifest, services=limit)
        found = await self._index.search(await self._embed(text, manifest), None, dense_limit=points, hybrid_limit=1)
        scored = score_services(text, found.dense, ())
        return [service for service in scored if (service.score or 0.0) >= minimum][:limit]

    async def _searchable(self) -> Manifest | None:
        """The published manifest, checked against the embedder; None when there is nothing to search."""
        manifest = await self._index.manifest()
        if manifest is None or not manifest.points:
            return None
        manifest.check_embedder(self._embedder.id, self._embedder.dimension)
        return manifest

    async def _embed(self, text: str, manifest: Manifest) -> Vectors:
        raw = await self._embedder.embed([unshout(text)])
        means = np.asarray(manifest.means, dtype=np.float32)
        centred: Vectors = Centring(id=manifest.means_id, means=means).apply(raw)[0]
        return centred

    async def _search(self, text: str, vector: Vectors, manifest: Manifest) -> SearchResult:
        return await self._index.search(
            vector,
            analyse_query(text),
            dense_limit=points_to_fetch(manifest, services=max(self._dense_top_k, self._hybrid_top_k)),
            hybrid_limit=points_to_fetch(manifest, services=self._hybrid_top_k),
        )

    async def _candidates(self, services: list[ServiceScore], decision: Decision) -> tuple[Candidate, ...]:
        chosen = self._shortlist(services, decision)
        definitions = {s.id: s for s in await self._index.services([score.service_id for score in chosen])}
        return tuple(
            Candidate(
                service=definitions[score.service_id],
                score=score.score,
                fused=score.fused,
                best_example=score.best_example,
            )
            for score in chosen
            if score.service_id in definitions
        )

    def _shortlist(self, services: list[ServiceScore], decision: Decision) -> list[ServiceScore]:
        """The services shown as top results: dense ones below the minimum, else those the hybrid search adds too."""
        dense = services[: self._dense_top_k]
        if decision.outcome is Outcome.NON_SERVICE:
            return dense
        hybrid = sorted(services, key=lambda s: s.fused or 0.0, reverse=True)[: self._hybrid_top_k]
        return dense + [service for service in hybrid if service not in dense]

    def _classification(self, decision: Decision, candidates: tuple[Candidate, ...]) -> Classification:
        service = decision.outcome is not Outcome.NON_SERVICE
        sureness = decision.score if service else 1.0 - decision.score
        return Classification(
            workflow=WorkflowName.SERVICE if service else WorkflowName.CONTEXT,
            confidence=min(max(sureness, 0.0), 1.0),
            reasoning=decision.reasoning,
            metadata=ClassificationMetadata(
                outcome=decision.outcome,
                rule=decision.rule,
                matched_service_id=candidates[0].service.id if service and candidates else None,
                cosine=decision.score,
                gap=decision.gap,
                needs_llm_confirmation=decision.outcome is Outcome.AMBIGUOUS,
                thresholds=self._thresholds,
                top_results=candidates,
            ),
        )

    def _without_search(self, rule: Rule, reasoning: str) -> Classification:
        return Classification(
            workflow=WorkflowName.CONTEXT,
            confidence=1.0,
            reasoning=reasoning,
            metadata=ClassificationMetadata(
                outcome=Outcome.NON_SERVICE,
                rule=rule,
                matched_service_id=None,
                cosine=None,
                gap=None,
                needs_llm_confirmation=False,
                thresholds=self._thresholds,
            ),
        )


def unsearched(reasoning: str) -> Classification:
    """A classification without evidence: the SERVICE workflow is asked, and falls back to discovery."""
    return Classification(workflow=WorkflowName.SERVICE, confidence=0.0, reasoning=reasoning)
