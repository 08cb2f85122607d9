"""Which language a text is in: Estonian, English or Russian."""

from functools import cache
from typing import Any

LANGUAGES = ("et", "en", "ru")

_CYRILLIC = ("\u0400", "\u04ff")
_LATIN = ("A", "\u024f")
_SURE = 0.6  # py3langid's probability between two languages; short or odd strings stay below it


def detect_language(text: str, *, default: str) -> str:
    """Returns `et`, `en` or `ru`; `default` for a text too short or odd to tell. Mostly Cyrillic letters mean `ru`."""
    letters = [character for character in text if character.isalpha()]
    cyrillic = sum(_CYRILLIC[0] <= character <= _CYRILLIC[1] for character in letters)
    latin = sum(_LATIN[0] <= character <= _LATIN[1] for character in letters)
    if cyrillic * 2 > len(letters):
        return "ru"
    if latin * 2 <= len(letters):
        return default
    language, probability = _identifier().classify(text)
    return str(language) if probability >= _SURE else default


@cache
def _identifier() -> Any:
    # py3langid's model for all its languages takes half a second to load: only when first needed.
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # noqa: PLC0415

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(["et", "en"])
    return identifier
