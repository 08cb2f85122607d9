"""Text -> dense vectors. One protocol; adapters: `e5` (bundled model) and `openai` (any compatible endpoint)."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
"""Embeddings, shape (texts, dimension), each row of length 1."""


class Embedder(Protocol):
    """Turns texts into unit vectors.

    `id` names model and version: vectors of different ids must never meet in one index.
    """

    @property
    def id(self) -> str:
        """Model and version; stored with every index."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Returns float32 of shape (len(texts), dimension), rows L2-normalised, in the order given.

        Raises EmbeddingError (or a subclass) when the texts cannot be embedded.
        """
        ...
