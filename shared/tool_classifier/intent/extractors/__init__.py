"""Typed values in a query, without an LLM: one module a type; `extract` gives them to a service's entities."""

from collections.abc import Mapping, Sequence
from datetime import date

from tool_classifier.intent.extractors.assignment import assign
from tool_classifier.intent.extractors.currency import find_currencies
from tool_classifier.intent.extractors.date import find_dates
from tool_classifier.intent.extractors.extraction import Extraction, Side
from tool_classifier.intent.extractors.number import find_numbers
from tool_classifier.intent.extractors.place import find_places
from tool_classifier.intent.extractors.quantities import assign_numbers
from tool_classifier.intent.extractors.text import find_quoted, find_shaped
from tool_classifier.models import Entity, EntityType

_SHAPED = (EntityType.TEXT, EntityType.NUMBER)

__all__ = ["Extraction", "Side", "extract"]


def extract(query_text: str, language: str, entities: Sequence[Entity], *, today: date) -> Mapping[str, str]:
    """Finds values for a service's entities; returns them by entity name, names without a value left out.

    `language` decides only what differs by country, such as the decimal sign: names are found in et, en and ru alike.
    Values are ISO 4217 codes, plain decimals, ISO dates (or yyyy-mm, yyyy), Estonian place names, or text as quoted.
    """
    shaped: dict[str, Extraction] = {}
    for entity in entities:
        if entity.type in _SHAPED and (found := find_shaped(query_text, entity.name)):
            shaped[entity.name] = found
    values = {name: found.value for name, found in shaped.items()}
    for kind in EntityType:
        wanted = [entity for entity in entities if entity.type is kind and entity.name not in shaped]
        if kind is EntityType.NUMBER and wanted:
            taken = [*shaped.values(), *find_dates(query_text, language, today)]
            numbers = find_numbers(query_text, language, taken=taken)
            values |= assign_numbers(query_text, wanted, numbers, find_currencies(query_text, numbers))
        elif wanted:
            values |= assign(wanted, _find(kind, query_text, language, today))
    return {entity.name: values[entity.name] for entity in entities if entity.name in values}


def _find(kind: EntityType, text: str, language: str, today: date) -> Sequence[Extraction]:
    match kind:
        case EntityType.CURRENCY:
            return find_currencies(text, find_numbers(text, language))
        case EntityType.DATE:
            return find_dates(text, language, today)
        case EntityType.PLACE:
            return find_places(text)
        case _:
            return find_quoted(text)
