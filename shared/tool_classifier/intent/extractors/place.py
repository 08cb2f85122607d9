"""Places in a query: Estonian settlements and counties, countries and well-known cities, in et, en and ru."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import yaml

from tool_classifier.intent.extractors.extraction import Extraction, Side
from tool_classifier.intent.extractors.inflection import estonian, russian
from tool_classifier.intent.extractors.lexicon import Lexicon, word_before

SETTLEMENT, COUNTY, COUNTRY = 0, 1, 2
"""Ranks: "Pariis, Prantsusmaa" is about the city."""

_ENDING_SIDES = {
    **dict.fromkeys(("st", "lt"), Side.SOURCE),
    **dict.fromkeys(("sse", "le", "ni"), Side.TARGET),
}
_BEFORE_SIDES = {
    **dict.fromkeys(["from", "из", "от", "с", "со"], Side.SOURCE),
    **dict.fromkeys(["to", "into", "towards", "до", "к"], Side.TARGET),
}
_TOWARDS = frozenset({"в", "во", "на"})  # with an accusative ("в Нарву"), not with a prepositional ("в Нарве")
_ACCUSATIVE = ("у", "ю")
_LIES_IN = re.compile(r",\s*")
_CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)
_NO_COUNTRIES = frozenset(["EU", "EZ", "UN", "QO", "XA", "XB", "ZZ"])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    value: str
    rank: int
    ending: str = ""
    """An Estonian case ending, or "" for a form that shows none."""
    nominative: bool = False


def find_places(text: str) -> tuple[Extraction, ...]:
    """Places in the order of the text, each once, by their Estonian nominative ("Tallinn", "Lääne-Virumaa").

    A country that only says where a settlement lies ("Pariis, Prantsusmaa") is left out.
    """
    found: list[Extraction] = []
    for match in _places().find(text):
        place = match.value
        if any(place.value == other.value for other in found):
            continue
        if found and place.rank > found[-1].rank and _LIES_IN.fullmatch(text, found[-1].end, match.start):
            continue
        before = word_before(text, match.start)
        side = _ENDING_SIDES.get(place.ending) or _BEFORE_SIDES.get(before)
        if before in _TOWARDS and not place.nominative and match.form.endswith(_ACCUSATIVE):
            side = Side.TARGET
        found.append(
            Extraction(
                value=place.value,
                start=match.start,
                end=match.end,
                text=text[match.start : match.end],
                side=side,
                rank=place.rank,
            )
        )
    return tuple(found)


@cache
def _places() -> Lexicon[_Place]:
    """Every form of every name; earlier entries win: settlements, counties, countries."""
    table = yaml.safe_load(files(__package__).joinpath("places.yaml").read_text("utf-8"))
    everyday = frozenset(table["everyday_words"])
    lexicon: Lexicon[_Place] = Lexicon(everyday=everyday)
    for rank, value, names in _named(table):
        for name in names:
            for form, ending in _forms(name, table["genitives"].get(name)):
                place = _Place(value=value, rank=rank, ending=ending, nominative=form == name)
                lexicon.add((form,), place, capital=name in everyday)
        short = table["short_illatives"].get(value)
        if short:
            lexicon.add((short,), _Place(value=value, rank=rank, ending="sse"))
    return lexicon


def _forms(name: str, genitive: str | None) -> Iterable[tuple[str, str]]:
    if _CYRILLIC.search(name):
        return ((form, "") for form in russian(name))
    return estonian(name, genitive)


def _named(table: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[int, str, list[str]]]:
    """Yields (rank, value, names)."""
    for value, others in table["settlements"].items():
        yield SETTLEMENT, value, [value, *_listed(others)]
    for value, others in table["counties"].items():
        stem = value.removesuffix("maa")
        # The genitive of maakond is irregular; as a name of its own it gets the endings that it needs.
        yield COUNTY, value, [value, *_listed(others), f"{stem} County", f"{stem} maakond", f"{stem} maakonna"]
    estonian_names, *foreign = (_territories(language) for language in ("et", "en", "ru"))
    for code, value in estonian_names.items():
        further = _listed(table["countries"].get(code))
        yield COUNTRY, value, [value, *(names[code] for names in foreign), *further]


def _listed(names: str | None) -> list[str]:
    return names.split(", ") if names else []


def _territories(language: str) -> dict[str, str]:
    from babel import Locale  # noqa: PLC0415 (babel's tables are read on the first question about a place only)

    names = Locale(language).territories
    return {str(code): name for code, name in names.items() if str(code).isalpha() and code not in _NO_COUNTRIES}
