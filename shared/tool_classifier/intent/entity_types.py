"""An entity's type from its name, for catalogues that declare entities as names only."""

import re

from tool_classifier.models import EntityType

_TOKENS = re.compile(r"[^\W\d_]+")
_CAMEL_HUMP = re.compile(r"(?<=[a-zõäöü])(?=[A-ZÕÄÖÜ])")

_PLACES = "city town village place location county country municipality destination origin linn vald küla riik koht"
_NUMBERS = (
    "amount sum count quantity price cost salary age year years percent percentage rate weight height mass"
    " hind palk vanus aasta protsent intress kaal pikkus summa arv kogus hulk"
)

# English words stand alone in a name (`update` is no date); Estonian compounds end in theirs (`sihtvaluuta`).
_WORDS: dict[EntityType, frozenset[str]] = {
    EntityType.CURRENCY: frozenset({"currency", "currencies"}),
    EntityType.DATE: frozenset({"date", "day", "päev", "paev", "kpv"}),
    EntityType.PLACE: frozenset(_PLACES.split()),
    EntityType.NUMBER: frozenset(_NUMBERS.split()),
}
_COMPOUND_ENDS: dict[EntityType, tuple[str, ...]] = {
    EntityType.CURRENCY: ("valuuta",),
    EntityType.DATE: ("kuupäev", "kuupaev"),
    EntityType.PLACE: ("asukoht", "sihtkoht", "lähtekoht", "elukoht", "sünnikoht", "maakond", "asula", "linn"),
    EntityType.NUMBER: ("summa", "arv", "kogus", "hulk", "palk", "kaal"),
}


def infer_type(name: str) -> EntityType:
    """The type that a name speaks of (`target_currency`, `kuupäev`, `city`); text when it speaks of none.

    The last telling word decides, as both languages put the head last: `currency_date` is a date. `number` tells only
    on its own or before "of": `document_number` is a code.
    """
    words = name_words(name)
    for position in range(len(words) - 1, -1, -1):
        word = words[position]
        for kind, known in _WORDS.items():
            if word in known or word.endswith(_COMPOUND_ENDS[kind]):
                return kind
        if word == "number" and (len(words) == 1 or words[position + 1 : position + 2] == ["of"]):
            return EntityType.NUMBER
    return EntityType.TEXT


def name_words(name: str) -> list[str]:
    """An entity name's words, caseless: `targetCurrency` and `target_currency` are the same two."""
    return [word.casefold() for word in _TOKENS.findall(_CAMEL_HUMP.sub("_", name))]
