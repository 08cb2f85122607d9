"""Typed values in a query, without an LLM: one module a type; `extract` gives them to a service's entities."""

import re
from collections.abc import Mapping, Sequence
from datetime import date

from tool_classifier.intent.extractors.assignment import assign
from tool_classifier.intent.extractors.calendar_dates import YEAR
from tool_classifier.intent.extractors.currency import find_currencies
from tool_classifier.intent.extractors.date import find_dates
from tool_classifier.intent.extractors.extraction import Extraction, Side
from tool_classifier.intent.extractors.number import find_numbers, find_unread
from tool_classifier.intent.extractors.place import find_places
from tool_classifier.intent.extractors.quantities import assign_numbers
from tool_classifier.intent.extractors.text import find_quoted, find_shaped, is_year
from tool_classifier.models import Entity, EntityType

_SHAPED = (EntityType.TEXT, EntityType.NUMBER)
_AMOUNT_LIKE = re.compile(r"\d+[.-]\d+")

__all__ = ["Extraction", "Side", "extract"]


def extract(query_text: str, language: str, entities: Sequence[Entity], *, today: date) -> Mapping[str, str]:
    """Finds values for a service's entities; returns them by entity name, names without a value left out.

    `language` decides only what differs by country, such as the decimal sign: names are found in et, en and ru alike.
    Values are ISO 4217 codes, plain decimals, ISO dates (or yyyy-mm, yyyy), Estonian place names, or text as quoted.
    A date or an amount that is clearly there and cannot be read for certain is given as written.
    """
    dates = find_dates(query_text, language, today)
    years = [found for found in dates if found.rank == YEAR]
    # "5.10" and "10-12" are days for a service that takes dates, and numbers for one that takes numbers.
    certain = [found for found in dates if not _AMOUNT_LIKE.fullmatch(found.text)]
    shaped: dict[str, Extraction] = {}
    for entity in entities:
        if entity.type in _SHAPED and (found := find_shaped(query_text, entity.name)):
            shaped[entity.name] = found
        elif years and is_year(entity.name):
            shaped[entity.name] = years[0]
    values = {name: found.value for name, found in shaped.items()}
    for kind in EntityType:
        wanted = [entity for entity in entities if entity.type is kind and entity.name not in shaped]
        if kind is EntityType.NUMBER and wanted:
            numbers, currencies = _money(query_text, language, [*shaped.values(), *certain])
            values |= assign_numbers(query_text, wanted, numbers, currencies)
        elif kind is EntityType.CURRENCY and wanted:
            values |= assign(query_text, wanted, _money(query_text, language, certain)[1])
        elif wanted:
            values |= assign(query_text, wanted, dates if kind is EntityType.DATE else _find(kind, query_text))
    return {entity.name: values[entity.name] for entity in entities if entity.name in values}


def _money(text: str, language: str, taken: Sequence[Extraction]) -> tuple[Sequence[Extraction], Sequence[Extraction]]:
    """Numbers, with amounts that cannot be read as they are written, and currencies."""
    numbers = find_numbers(text, language, taken=taken)
    currencies = find_currencies(text, numbers)
    unread = find_unread(text, numbers, currencies, taken=taken)
    return (*numbers, *unread), find_currencies(text, (*numbers, *unread)) if unread else currencies


def _find(kind: EntityType, text: str) -> Sequence[Extraction]:
    return find_places(text) if kind is EntityType.PLACE else find_quoted(text)
