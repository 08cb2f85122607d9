"""Mean-centring of embeddings: opens up cosines that a model squeezes into a narrow band.

Raw multilingual-e5 cosines lie between 0.7 and 0.9 whether two texts are related or not, because all vectors share a
common direction, one per language. Subtracting each language's mean over everyday phrases removes it. The method is
mean-centring as in "All-but-the-Top" (Mu & Viswanath, ICLR 2018).
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from importlib.resources import files
from typing import Self

import numpy as np

from tool_classifier.embedding import Embedder, Vectors

_NOTHING = 1e-6  # a shorter vector is rounding noise: scaling it up to length 1 would invent a direction


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Centring:
    """Background means to subtract: `means` has shape (languages, dimension), no rows when vectors stay raw.

    `id` says which background the means come from; it is stored with an index, beside the embedder's id.
    """

    id: str
    means: Vectors = field(repr=False)

    @classmethod
    def none(cls) -> Self:
        """The identity: vectors stay as the embedder returned them."""
        return cls(id="", means=np.empty((0, 0), dtype=np.float32))

    @classmethod
    def fit(cls, vectors_by_language: Mapping[str, Vectors], *, id: str) -> Self:  # noqa: A002  the field's own name
        """One mean per language, languages in alphabetical order; languages without vectors are left out."""
        languages = [language for language in sorted(vectors_by_language) if len(vectors_by_language[language])]
        if not languages:
            return cls(id=id, means=cls.none().means)
        means = [vectors_by_language[language].mean(axis=0, dtype=np.float64) for language in languages]
        return cls(id=id, means=np.stack(means).astype(np.float32))

    def apply(self, vectors: Vectors) -> Vectors:
        """Subtracts from each row the mean nearest by cosine and scales the rest to length 1.

        Takes and returns float32 of shape (texts, dimension) or (dimension,). A zero row, and a row that is nothing
        but its mean, comes back as zeros.
        """
        if not self.means.size:
            return vectors
        rows = np.atleast_2d(vectors)
        nearest = (rows @ _unit(self.means).T).argmax(axis=1)
        centred = _unit(rows - self.means[nearest])
        centred[~rows.any(axis=1)] = 0
        return centred.reshape(vectors.shape)


async def fit_centring(embedder: Embedder, phrases: Mapping[str, Sequence[str]] | None) -> Centring:
    """Embeds the background phrases and fits their means; None for phrases keeps vectors raw. Raises EmbeddingError."""
    if phrases is None:
        return Centring.none()
    vectors = {language: await embedder.embed(texts) for language, texts in phrases.items()}
    return Centring.fit(vectors, id=background_id(phrases))


def background_id(phrases: Mapping[str, Sequence[str]]) -> str:
    """A short hash of the phrases by language: another set of phrases has another id, in every process the same."""
    canonical = json.dumps({language: list(texts) for language, texts in phrases.items()}, sort_keys=True)
    return blake2b(canonical.encode(), digest_size=6).hexdigest()


def load_background() -> dict[str, tuple[str, ...]]:
    """The packaged everyday phrases by language: greetings, small talk and general questions, no services."""
    phrases = json.loads((files(__package__) / "background.json").read_text(encoding="utf-8"))
    return {language: tuple(texts) for language, texts in phrases.items()}


def _unit(rows: Vectors) -> Vectors:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: Vectors = np.where(lengths < _NOTHING, 0, rows / np.maximum(lengths, _NOTHING)).astype(np.float32)
    return unit
