"""Text -> sparse vector for BM25 search: character n-grams inside words.

Grams beat whole words, stems and lemmas for Estonian, whose words change with case and number. The store multiplies
by IDF; the document side carries BM25's saturated term frequency, so a short text outranks a long one.
"""

import re
from collections import Counter
from dataclasses import dataclass
from hashlib import blake2b

from tool_classifier.text.normalise import normalise

ANALYZER_ID = "grams-3-4/bm25-1"

_GRAM_SIZES = (3, 4)
_CJK_GRAM = 2  # words of Chinese and Japanese are one or two characters long and not set apart by spaces
_K1 = 1.2
_B = 0.75
_TYPICAL_LENGTH = 50.0  # grams in an example question of six words; fixed, so that a text's vector never changes

_CJK = "\u3040-\u30ff\u3400-\u9fff"
_WORDS = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+[+#]*")


@dataclass(frozen=True, slots=True)
class SparseVector:
    """Token ids (unique, ascending, 32 bit) and their weights."""

    indices: tuple[int, ...]
    values: tuple[float, ...]


def analyse_document(text: str) -> SparseVector | None:
    """The indexed side: BM25 term frequency, saturated and normalised by length. None for a text without tokens."""
    tokens = _tokens(text)
    length = _K1 * (1 - _B + _B * len(tokens) / _TYPICAL_LENGTH)
    counts = Counter(tokens)
    return _vector({token: count * (_K1 + 1) / (count + length) for token, count in counts.items()})


def analyse_query(text: str) -> SparseVector | None:
    """The query side: each distinct token weighs 1; the store applies IDF. None for a text without tokens."""
    return _vector(dict.fromkeys(_tokens(text), 1.0))


def _tokens(text: str) -> list[str]:
    tokens: list[str] = []
    for match in _WORDS.finditer(normalise(text).casefold()):
        word = match.group()
        sizes = (_CJK_GRAM,) if re.match(f"[{_CJK}]", word) else _GRAM_SIZES
        grams = [word[i : i + size] for size in sizes for i in range(len(word) - size + 1)]
        tokens += grams or [word]
    return tokens


def _vector(weights: dict[str, float]) -> SparseVector | None:
    merged: dict[int, float] = {}
    for token, weight in weights.items():
        merged[token_id(token)] = merged.get(token_id(token), 0.0) + weight  # two tokens may share an id
    if not merged:
        return None
    return SparseVector(indices=tuple(sorted(merged)), values=tuple(merged[index] for index in sorted(merged)))


def token_id(token: str) -> int:
    """A stable 32-bit id: the same in every process, unlike Python's own hash."""
    return int.from_bytes(blake2b(token.encode("utf-8", "replace"), digest_size=4).digest(), "big")
