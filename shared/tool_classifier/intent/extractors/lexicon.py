"""Names in all their forms, found in running text by table look-up: longest first, whole words only."""

import re
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, TypeVar

T = TypeVar("T")

_WORDS = re.compile(r"[^\W\d_]+")
# What may stand between two words of one name: "lääne virumaa", "Lääne-Virumaa", "U.S. dollar".
_GAP = re.compile(r"[\s.\-\u2010-\u2014'’]{1,3}")
_LAST_WORD = re.compile(r"([^\W\d_]+)\W{1,3}$")
_FIRST_WORD = re.compile(r"\W{1,3}([^\W\d_]+)")
_NEARBY = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Match(Generic[T]):
    """A name found: its value, the form as stored (caseless, words joined by spaces) and where it stands."""

    value: T
    form: str
    start: int
    end: int


class Lexicon(Generic[T]):
    """A table from names to values. The first value added under a form stays.

    Forms are also found without diacritics ("Parnu"). Those in `everyday` count only when written with a capital.
    """

    def __init__(self, *, everyday: Collection[str] = ()) -> None:
        self._everyday = everyday
        self._values: dict[str, T] = {}
        self._capital: set[str] = set()
        self._longest = 1

    def add(self, forms: Iterable[str], value: T, *, capital: bool = False) -> None:
        """Adds a name's forms; with `capital` they count only when written with a capital letter."""
        for form in forms:
            key = caseless(form)
            self._put(key, value, capital=capital)
            if not key.isascii():
                self._put(_without_marks(key), value, capital=capital)

    def _put(self, key: str, value: T, *, capital: bool) -> None:
        if key not in self._values:
            self._values[key] = value
            self._longest = max(self._longest, key.count(" ") + 1)
            if capital or key in self._everyday:
                self._capital.add(key)

    def find(self, text: str) -> list[Match[T]]:
        """Every name in a text, left to right, without overlaps."""
        words = list(_WORDS.finditer(text))
        keys = [caseless(word.group()) for word in words]
        found: list[Match[T]] = []
        position = 0
        while position < len(words):
            match, length = self._longest_at(text, words, keys, position)
            if match is not None:
                found.append(match)
            position += length
        return found

    def _longest_at(
        self, text: str, words: list[re.Match[str]], keys: list[str], position: int
    ) -> tuple[Match[T] | None, int]:
        for length in range(min(self._longest, len(words) - position), 0, -1):
            form = " ".join(keys[position : position + length])
            if form not in self._values:
                continue
            if form in self._capital and not words[position].group()[0].isupper():
                continue
            run = words[position : position + length]
            if all(_GAP.fullmatch(text, left.end(), right.start()) for left, right in pairwise(run)):
                value = self._values[form]
                return Match(value=value, form=form, start=run[0].start(), end=run[-1].end()), length
        return None, 1


def caseless(text: str) -> str:
    """The form in which names are compared: caseless, е for ё, words joined by single spaces."""
    return " ".join(_WORDS.findall(text.casefold().replace("ё", "е")))


def _without_marks(text: str) -> str:
    decomposed = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(c for c in decomposed if not unicodedata.combining(c) or c == "\u0306"))


def word_before(text: str, start: int) -> str:
    """The caseless word that ends right before a position; "" when there is none."""
    match = _LAST_WORD.search(text[max(0, start - _NEARBY) : start])
    return caseless(match.group(1)) if match else ""


def word_after(text: str, end: int) -> str:
    """The caseless word that begins right after a position; "" when there is none."""
    match = _FIRST_WORD.match(text, end)
    return caseless(match.group(1)) if match else ""
