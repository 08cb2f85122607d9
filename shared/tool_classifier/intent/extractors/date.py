"""Dates in a query: relative words, weekdays and calendar dates, against a given today.

Never a wrong date silently: what can be read in two ways ("10-12", "next Friday" on a Monday, 03/04/2026 in English)
and what no calendar has (31 February) stays as it is written, so that the service can ask back.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date, timedelta

from tool_classifier.intent.extractors.calendar_dates import DAY, ENDING_SIDES, CalendarReader, speaks_of_past
from tool_classifier.intent.extractors.date_names import relative_days, weekdays
from tool_classifier.intent.extractors.extraction import Extraction, Side
from tool_classifier.intent.extractors.lexicon import caseless, word_before
from tool_classifier.intent.extractors.number_words import number_words
from tool_classifier.intent.extractors.period_dates import occasions, period_ends, relative_years

_COUNT = r"(?P<count>\w+)"
_OFFSETS = (
    (1, re.compile(rf"\b(?:{_COUNT}\s+)?(?P<unit>päeva|nädala)\s+pärast\b", re.IGNORECASE)),
    (-1, re.compile(rf"\b(?:{_COUNT}\s+)?(?P<unit>päeva|nädala|nädalat)\s+tagasi\b", re.IGNORECASE)),
    (1, re.compile(rf"\bin\s+{_COUNT}\s+(?P<unit>days?|weeks?)\b", re.IGNORECASE)),
    (1, re.compile(rf"\b{_COUNT}\s+(?P<unit>days?|weeks?)\s+from\s+(?:now|today)\b", re.IGNORECASE)),
    (-1, re.compile(rf"\b{_COUNT}\s+(?P<unit>days?|weeks?)\s+ago\b", re.IGNORECASE)),
    (1, re.compile(rf"\bчерез\s+(?:{_COUNT}\s+)?(?P<unit>день|дня|дней|недел[юиь])\b", re.IGNORECASE)),
    (-1, re.compile(rf"\b(?:{_COUNT}\s+)?(?P<unit>день|дня|дней|недел[юиь])\s+назад\b", re.IGNORECASE)),
)
_ONE = frozenset({"", "a", "an"})
_WEEK_STEMS = ("näd", "week", "нед")
_UNCOUNTED = frozenset({"päeva", "nädala", "день", "неделю"})  # mean one where no number stands before them
_VAGUE = frozenset(
    ["mõne", "paari", "mitme", "iga", "few", "couple", "some", "several", "несколько", "пару", "сколько"]
)
_NO_COUNT = frozenset({"the", "iga", "mitme", "сколько"})
_MOST_DAYS = 3660

_NEXT = frozenset(["next", "järgmisel", "järgmise", "järgmine", "следующий", "следующую", "следующее"])
_LAST = frozenset(["last", "прошлый", "прошлую", "прошлое"])
_LATEST = frozenset(["eelmisel", "eelmise", "eelmine", "möödunud"])  # the one just gone by, in this week or the last
_THIS = frozenset(["this", "sel", "sellel", "selle", "see", "этот", "эту", "это"])
_WEEKS = (
    (1, re.compile(r"\b(?:järgmi(?:sel|se|ne)\s+nädala?l?|next\s+week|следующ\w+\s+недел\w+)\b", re.IGNORECASE)),
    (-1, re.compile(r"\b(?:eelmi(?:sel|se|ne)\s+nädala?l?|last\s+week|прошл\w+\s+недел\w+)\b", re.IGNORECASE)),
    (0, re.compile(r"\b(?:sel(?:lel|le)?\s+nädala?l?|this\s+week|эт\w+\s+недел\w+)\b", re.IGNORECASE)),
)
_BEFORE_SIDES = {
    **dict.fromkeys(["from", "since", "alates", "с", "со"], Side.SOURCE),
    **dict.fromkeys(["until", "till", "to", "through", "kuni", "до", "по"], Side.TARGET),
}
_DAY_OF_MONTH = re.compile(r",?\s+(?:the\s+)?(\d{1,2})(?:st|nd|rd|th|\.)")
_LEAD = re.compile(r"\w+\W{1,3}$")  # "next" of "next Friday"
_LONGEST_LEAD = 40
_BESIDE = re.compile(r"[\s,(]*(?:on\b|the\b)?[\s,(]*", re.IGNORECASE)


def find_dates(text: str, language: str, today: date) -> tuple[Extraction, ...]:
    """Dates in the order of the text, each once: yyyy-mm-dd, yyyy-mm for a month alone, yyyy for a year alone.

    One that is no single day of the calendar is given as written ("31. veebruaril", "nädalavahetusel").

    A day without a year is one of the last 30 days, else the next such day; a weekday is the next one after today. In a
    question about the past ("oli", "was", "был") both are the last ones.
    """
    calendar = CalendarReader(text, language=language, today=today)
    explicit = _apart(calendar.read())
    loose = (day for day in _weekdays(text, today) if not any(_beside(text, day, other) for other in explicit))
    days = [*_offsets(text, today), *_relative(text, today), *loose, *period_ends(text, today)]
    years = () if explicit else relative_years(text, today)
    found = _apart([*explicit, *days, *calendar.years(), *years]) or list(occasions(text))
    once: dict[str, Extraction] = {}
    for extraction in sorted(found, key=lambda extraction: extraction.start):
        once.setdefault(extraction.value, _sided(text, extraction))
    return tuple(once.values())


def _apart(extractions: Iterable[Extraction]) -> list[Extraction]:
    """Without those that overlap with an earlier one."""
    kept: list[Extraction] = []
    for extraction in extractions:
        if not any(extraction.start < other.end and other.start < extraction.end for other in kept):
            kept.append(extraction)
    return kept


def _offsets(text: str, today: date) -> Iterator[Extraction]:
    """Kolme päeva pärast, in two weeks, 3 days ago, через неделю."""
    for direction, pattern in _OFFSETS:
        for match in pattern.finditer(text):
            unit = match["unit"].casefold()
            count = (match["count"] or "").casefold()
            days = _count(count, unit) * (7 if unit.startswith(_WEEK_STEMS) else 1)
            if 0 < days <= _MOST_DAYS:
                yield _extraction(text, match.start(), match.end(), today + timedelta(days=direction * days))
            elif count not in _NO_COUNT:
                yield _as_written(text, match.start(), match.end())


def _count(word: str, unit: str) -> int:
    """How many days or weeks; 0 when the text does not say."""
    if word in _ONE:
        return 1
    if word.isdecimal():
        return int(word) if len(word) <= len(str(_MOST_DAYS)) else 0
    known = number_words().get(caseless(word))
    if known is not None:
        return int(known) if known == int(known) else 0
    return 1 if unit in _UNCOUNTED and word not in _VAGUE else 0


def _relative(text: str, today: date) -> Iterator[Extraction]:
    """Täna, homme, the day after tomorrow, вчера."""
    for match in relative_days().find(text):
        yield _extraction(text, match.start, match.end, today + timedelta(days=match.value))


def _weekdays(text: str, today: date) -> Iterator[Extraction]:
    """Esmaspäeval, on Monday, в понедельник."""
    named_week = next((week for week, pattern in _WEEKS if pattern.search(text)), None)
    past = speaks_of_past(text)
    start: date | None = None
    for match in weekdays().find(text):
        in_week = today + timedelta(days=match.value.number - today.weekday())
        if named_week is None:
            day = _weekday(in_week, today, word_before(text, match.start), past=past)
        else:
            day = in_week + timedelta(weeks=named_week)
        stated = _DAY_OF_MONTH.match(text, match.end)
        side = ENDING_SIDES.get(match.value.ending) or _BEFORE_SIDES.get(word_before(text, match.start))
        if day is None:
            lead = _LEAD.search(text, max(0, match.start - _LONGEST_LEAD), match.start)
            yield replace(_as_written(text, lead.start() if lead else match.start, match.end), side=side)
        elif stated and int(stated[1]) != day.day:  # "Thursday the 14th" on another day
            yield replace(_as_written(text, match.start, stated.end()), side=side)
        else:
            if side is Side.TARGET and start is not None and day < start:
                day += timedelta(weeks=1)  # "esmaspäevast reedeni", asked on a Wednesday
            start = day
            yield replace(_extraction(text, match.start, match.end, day), side=side)


def _weekday(in_week: date, today: date, word: str, *, past: bool) -> date | None:
    """The day meant, given that weekday of the current week and the word before it; None when it may be one of two."""
    week = timedelta(weeks=1)
    coming = in_week if in_week > today else in_week + week
    passed = in_week if in_week < today else in_week - week
    if word in _NEXT:
        return coming if coming == in_week + week else None
    if word in _LATEST:
        return passed
    if word in _LAST:
        return passed if passed == in_week - week else None
    if word in _THIS:
        return in_week if past or in_week >= today else None
    return passed if past else coming


def _beside(text: str, left: Extraction, right: Extraction) -> bool:
    """Whether only spaces and commas part two dates: "reedel, 24. detsembril" is one date."""
    first, second = sorted((left, right), key=lambda extraction: extraction.start)
    return _BESIDE.fullmatch(text, first.end, max(first.end, second.start)) is not None


def _sided(text: str, extraction: Extraction) -> Extraction:
    side = extraction.side or _BEFORE_SIDES.get(word_before(text, extraction.start))
    return replace(extraction, side=side)


def _extraction(text: str, start: int, end: int, day: date) -> Extraction:
    return Extraction(value=day.isoformat(), start=start, end=end, text=text[start:end], rank=DAY)


def _as_written(text: str, start: int, end: int) -> Extraction:
    return Extraction(value=text[start:end], start=start, end=end, text=text[start:end], rank=DAY)
