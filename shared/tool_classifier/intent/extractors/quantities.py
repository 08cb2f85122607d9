"""Which number is which: a number's unit against the quantity that an entity's name or description speaks of."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tool_classifier.intent.extractors.extraction import Extraction
from tool_classifier.models import Entity

_NEARBY = 30


@dataclass(frozen=True, slots=True)
class _Quantity:
    """A kind of quantity: the units that follow its numbers, and the words that it is called by."""

    units: re.Pattern[str]
    words: re.Pattern[str]


def _quantity(units: str, words: str) -> _Quantity:
    return _Quantity(
        units=re.compile(rf"[\s-]?(?:{units})(?![^\W_])", re.IGNORECASE),
        words=re.compile(rf"(?<![^\W_])(?:{words})(?![^\W_])", re.IGNORECASE),
    )


_MONEY = _quantity(
    r"euro\w*|€|\$|£",
    r"\w*summa\w*|hin[dn]\w*|\w*palk\w*|\w*palga\w*|\w*laen\w*|sissetulek\w*|eurot?|eurodes"
    r"|price|cost|salary|income|loan|евро|цен[аы]|сумм\w+|зарплат\w+|кредит\w*",
)
_QUANTITIES = (
    _quantity(r"%|protsen\w*|percent\w*|процент\w*", r"intress\w*|protsen\w*|interest|percent\w*|процент\w*|ставк\w+"),
    _quantity(r"aasta\w*|years?|лет|год[ау]?", r"aastat|years|term|tähta\w+|лет|срок\w*"),
    _quantity(r"g/km|g|gramm?i?\w*|г/км", r"co2|heide|emissions?|выброс\w*"),
    _quantity(r"kg|kilo(?!m)\w*|кг|кило(?!м)\w*", r"\w*kaal\w*|\w*mass\w*|weigh\w*|kg|вес\w*|масс\w+"),
    _quantity(r"cm|m|sentimeet\w*|meetri\w*|см|м", r"\w*pikkus\w*|pikk|height|length|cm|рост\w*|длин\w+"),
    _MONEY,
    # Units that no entity is given in: their numbers must not fill another quantity.
    _quantity(
        r"kuud|kuuks|kuu(?:line|se)\w*|months?|месяц\w*|мес|päeva\w*|days?|дн[яей]+|nädala\w*|weeks?|недел\w+"
        r"|tun[dn]i\w*|hours?|час\w*|feet|foot|ft|inch(?:es)?|jalga|tolli|lbs?|stones?|miles?|miili|km|kilom\w+|км|килом\w+"
        r"|tonn\w*|тонн\w*|t|т|mm|liitri\w*|lit(?:er|re)s?|литр\w*|kwh?|hj",
        r"(?!)",
    ),
)
_MONTHLY = re.compile(r"\b(?:kuus|kuu\w*palk|month\w*|месяц\w*)\b", re.IGNORECASE)
_OTHER_PERIOD_AFTER = re.compile(
    r"\s?(?:[€$£]|[^\W\d_]+)?\s?(?:(?:aasta|tunni|päeva|nädala)s|(?:per|an?|each|/)\s?(?:year|annum|hour|day|week)"
    r"|yearly|annually|в\s(?:год|час|день|неделю))\b",
    re.IGNORECASE,
)
_OTHER_PERIOD_BEFORE = re.compile(
    r"(?:aasta|tunni)(?:palk|palga|sissetulek)|\b(?:annual|yearly|hourly)|годов", re.IGNORECASE
)


def assign_numbers(
    text: str, entities: Sequence[Entity], numbers: Sequence[Extraction], currencies: Sequence[Extraction]
) -> dict[str, str]:
    """Gives numbers (in the order of the text) to number entities; returns values by entity name.

    A number with a unit ("80 kg"), a name before it ("kaal 80") or a currency beside it goes to the entity of that
    quantity and to no entity of another. The rest goes by order; an entity of no known quantity prefers money. What is
    said for another period ("45k per year") goes to no entity that is given by the month.
    """
    meant = {number.start: _of_number(text, number, currencies) for number in numbers}
    wanted = {entity.name: _of_entity(entity) for entity in entities}
    left = list(numbers)
    taken: dict[str, str] = {}
    # First what fits exactly, then unnamed numbers for named quantities, then anything for entities of any quantity.
    for exact in (True, False):
        for entity in entities:
            quantity = wanted[entity.name]
            if quantity is None or entity.name in taken:
                continue
            monthly = _MONTHLY.search(f"{entity.name} {entity.description}".replace("_", " "))
            fitting = next(
                (
                    number
                    for number in left
                    if meant[number.start] is (quantity if exact else None)
                    and not (monthly and _of_other_period(text, number))
                ),
                None,
            )
            if fitting:
                taken[entity.name] = fitting.value
                left.remove(fitting)
    unnamed = [entity for entity in entities if wanted[entity.name] is None]
    preferred = sorted(left, key=lambda number: meant[number.start] is not _MONEY)[: len(unnamed)]
    in_order = sorted(preferred, key=lambda number: number.start)
    return taken | {entity.name: number.value for entity, number in zip(unnamed, in_order, strict=False)}


def _of_entity(entity: Entity) -> _Quantity | None:
    for words in (entity.name.replace("_", " "), entity.description):
        found = next((quantity for quantity in _QUANTITIES if quantity.words.search(words)), None)
        if found:
            return found
    return None


def _of_number(text: str, number: Extraction, currencies: Sequence[Extraction]) -> _Quantity | None:
    for quantity in _QUANTITIES:
        if quantity.units.match(text, number.end):
            return quantity
    if any(_beside(text, number, currency) for currency in currencies):
        return _MONEY
    lead = re.split(r"\d|[,;]", text[max(0, number.start - _NEARBY) : number.start])[-1]
    return next((quantity for quantity in _QUANTITIES if quantity.words.search(lead)), None)


def _of_other_period(text: str, number: Extraction) -> bool:
    before = text[max(0, number.start - _NEARBY) : number.start]
    return bool(_OTHER_PERIOD_AFTER.match(text, number.end) or _OTHER_PERIOD_BEFORE.search(before))


def _beside(text: str, left: Extraction, right: Extraction) -> bool:
    first, second = sorted((left, right), key=lambda extraction: extraction.start)
    return not text[first.end : second.start].strip()
