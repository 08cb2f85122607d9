"""Scores for services that no search has scored, such as freshly discovered ones: the same cosine, computed here."""

import asyncio
from collections.abc import Mapping, Sequence

from tool_classifier.embedding import Embedder
from tool_classifier.embedding.centring import Centring, fit_centring
from tool_classifier.models import Service


class ExampleScorer:
    """Cosine of a text to each service's best example, in the same space as the index: background means subtracted."""

    def __init__(self, *, embedder: Embedder, background: Mapping[str, Sequence[str]] | None) -> None:
        self._embedder = embedder
        self._background = background
        self._centring: Centring | None = None
        self._fitting = asyncio.Lock()

    async def scores(self, text: str, services: Sequence[Service]) -> list[float]:
        """Returns one score (-1..1) a service, in the order given; 0.0 for a service without any text.

        Raises EmbeddingError.
        """
        owners = [(n, known) for n, service in enumerate(services) for known in _texts(service)]
        raw = await self._embedder.embed([text, *(known for _, known in owners)])
        vectors = (await self._fitted()).apply(raw)
        best = [0.0] * len(services)
        for (n, _), cosine in zip(owners, (vectors[1:] @ vectors[0]).tolist(), strict=True):
            best[n] = max(best[n], cosine)
        return best

    async def _fitted(self) -> Centring:
        async with self._fitting:
            if self._centring is None:
                self._centring = await fit_centring(self._embedder, self._background)
            return self._centring


def _texts(service: Service) -> list[str]:
    texts = [*service.examples, service.description or service.name]
    return [text for text in texts if text]
