"""An embedder without a model: texts that share character trigrams are close, the same text is the same vector."""

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

from tool_classifier.embedding import Vectors
from tool_classifier.errors import EmbeddingError


class FakeEmbedder:
    """Embedder of hashed trigrams. `texts` holds every text embedded so far, in order; a text of `fails_on` raises."""

    def __init__(self, *, id: str = "fake-trigrams-1", dimension: int = 64, fails_on: Sequence[str] = ()) -> None:  # noqa: A002 (the protocol's name)
        self._id = id
        self._dimension = dimension
        self._fails_on = frozenset(fails_on)
        self.texts: list[str] = []

    @property
    def id(self) -> str:
        return self._id

    @property
    def dimension(self) -> int:
        return self._dimension

    @property
    def embedded(self) -> int:
        """How many texts have been embedded so far."""
        return len(self.texts)

    async def embed(self, texts: Sequence[str]) -> Vectors:
        for text in texts:
            if text in self._fails_on:
                raise EmbeddingError(f"the fake embedder was told to fail on {text!r}")
        self.texts += texts
        if not texts:
            return np.zeros((0, self._dimension), dtype=np.float32)
        return np.stack([self._vector(text) for text in texts])

    def _vector(self, text: str) -> Vectors:
        vector = np.zeros(self._dimension, dtype=np.float64)
        padded = f" {' '.join(text.casefold().split())} "
        for start in range(max(1, len(padded) - 2)):
            digest = blake2b(padded[start : start + 3].encode("utf-8", "replace"), digest_size=8).digest()
            # Both signs, so that unrelated texts come out near 0 instead of all being alike.
            vector[int.from_bytes(digest[:4], "big") % self._dimension] += 1.0 if digest[4] % 2 else -1.0
        length = np.linalg.norm(vector)
        if length == 0:
            vector[0] = length = 1.0
        return (vector / length).astype(np.float32)
