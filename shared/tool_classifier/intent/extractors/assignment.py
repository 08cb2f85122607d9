"""Which of the values found goes to which of a service's entities of that type: by side, then by order."""

from collections.abc import Sequence
from dataclasses import replace

from tool_classifier.intent.entity_types import name_words
from tool_classifier.intent.extractors.extraction import Extraction, Side
from tool_classifier.models import Entity, EntityType

_SOURCES = "source from base start begin origin departure since alates kust"
_TARGETS = "target to quote end destination arrival until kuni kuhu"
_SIDE_WORDS = {
    **dict.fromkeys(_SOURCES.split(), Side.SOURCE),
    **dict.fromkeys(_TARGETS.split(), Side.TARGET),
}
_SIDE_STEMS = {
    "lähte": Side.SOURCE,
    "algus": Side.SOURCE,
    "siht": Side.TARGET,
    "lõpp": Side.TARGET,
    "lõpu": Side.TARGET,
}


def side_of(name: str) -> Side | None:
    """The side that an entity's name speaks of (`source_currency`, `sihtvaluuta`, `start_date`)."""
    for word in name_words(name):
        stems = (side for stem, side in _SIDE_STEMS.items() if word.startswith(stem))
        if side := _SIDE_WORDS.get(word) or next(stems, None):
            return side
    return None


def assign(text: str, entities: Sequence[Entity], found: Sequence[Extraction]) -> dict[str, str]:
    """Gives values (in the order of the text) to entities of one type; returns values by entity name.

    Entities whose name speaks of a side take the value marked so, then an unmarked one, never one marked otherwise.
    The others share what is left: the best ranks, in the order of the text. Two or more equally good dates for fewer
    entities are given as written ("homme või ülehomme"): either may be meant.
    """
    sides = {entity.name: side_of(entity.name) for entity in entities}
    sided = [entity for entity in entities if sides[entity.name]]
    plain = [entity for entity in entities if not sides[entity.name]]
    left = list(_paired(found) if sided else found)
    taken: dict[str, Extraction] = {}
    for marked in (True, False):
        for entity in sorted(sided, key=lambda entity: _eagerness(entity, sides[entity.name])):
            wanted = sides[entity.name] if marked else None
            fitting = next((extraction for extraction in left if extraction.side is wanted), None)
            if entity.name not in taken and fitting:
                taken[entity.name] = fitting
                left.remove(fitting)
    taken |= zip((entity.name for entity in plain), _best(text, plain, left), strict=False)
    return {name: extraction.value for name, extraction in taken.items()}


def _paired(found: Sequence[Extraction]) -> Sequence[Extraction]:
    """Of two values the first is the source, unless one of them is marked; the other is then on the other side."""
    if len(found) != 2:  # noqa: PLR2004 (a pair)
        return found
    left, right = found
    if left.side is None:
        left = replace(left, side=right.side.other if right.side else Side.SOURCE)
    if right.side is None:
        right = replace(right, side=left.side.other if left.side else None)
    return left, right


def _eagerness(entity: Entity, side: Side | None) -> int:
    """A lone unmarked date is where something starts; a lone currency or place is what is asked for."""
    first = Side.SOURCE if entity.type is EntityType.DATE else Side.TARGET
    return 0 if side is first else 1


def _best(text: str, entities: Sequence[Entity], left: Sequence[Extraction]) -> Sequence[Extraction]:
    count = len(entities)
    if not count or len(left) <= count:
        return left
    ranked = sorted(left, key=lambda extraction: (extraction.rank, extraction.side is not Side.TARGET))
    if entities[0].type is EntityType.DATE and ranked[count].rank == ranked[count - 1].rank:
        equal = [extraction for extraction in left if extraction.rank == ranked[0].rank]
        start, end = equal[0].start, max(extraction.end for extraction in equal)
        return (Extraction(value=text[start:end], start=start, end=end, text=text[start:end]),)
    return sorted(ranked[:count], key=lambda extraction: extraction.start)
