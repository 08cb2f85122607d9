"""One normalisation for every text that enters: queries, examples and names."""

import re
import unicodedata

MAX_CHARACTERS = 10_000
"""Longest message the chat contract allows."""

# Characters that show nothing and can hide text from filters: controls other than white space, lone surrogates,
# private use, and Unicode's Default_Ignorable_Code_Point (soft hyphen, joiners, bidi controls, fillers, variation
# selectors, tags) with the interlinear annotation marks. Listed, not looked up by category: a category would also take
# visible Arabic number signs and differ between Python versions, and with it the vectors of one index.
_INVISIBLE = re.compile(
    "[\0-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff\ue000-\uf8ff\U000f0000-\U0010ffff"
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_SPACES = re.compile(r"\s+")
_WORD_CATEGORIES = ("L", "N")
_DROPPED_WHEN_FOLDED = ("Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "So", "Sk")


def normalise(text: str) -> str:
    """NFKC, without invisible or control characters and lone surrogates, white space folded, trimmed, capped.

    The cap is MAX_CHARACTERS, before and after NFKC (one character can become 18). What is visible stays: emoji (a
    joined one falls into its parts) and combining marks. Normalising twice changes nothing. Never raises.
    """
    # Invisible characters go first: between a letter and its accent they would keep NFKC from joining the two.
    visible = _INVISIBLE.sub("", text)[:MAX_CHARACTERS]
    composed = unicodedata.normalize("NFKC", visible)
    return _SPACES.sub(" ", composed).strip()[:MAX_CHARACTERS].rstrip()


def unshout(text: str) -> str:
    """A sentence in capitals in small letters: models know little of shouting. A single word may be an abbreviation."""
    return text.lower() if text.isupper() and " " in text else text


def has_words(text: str) -> bool:
    """Whether a text holds at least one letter or digit in any script."""
    return any(unicodedata.category(character)[0] in _WORD_CATEGORIES for character in text)


def fold(text: str) -> str:
    """The form in which two texts are compared for equality: normalised, caseless, without punctuation and emoji.

    Signs that tell names apart stay: "C++", "C#" and "C" are three texts, "$100" and "100" are two.
    """
    caseless = normalise(normalise(text).casefold())  # casefold takes some letters apart again
    kept = (c if c == "#" or unicodedata.category(c) not in _DROPPED_WHEN_FOLDED else " " for c in caseless)
    return _SPACES.sub(" ", "".join(kept)).strip()
