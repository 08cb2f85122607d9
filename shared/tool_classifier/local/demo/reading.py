"""Reading numbers and dates as people and extractors write them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from tool_classifier.local.demo.estonian import WEEKDAYS, missing, month_stem, odd
from tool_classifier.local.demo.exchange import Inputs, Reply

_NUMBER = re.compile(r"-?\d+(?:\s\d{3}(?!\d)|[.,]\d+)*")
_UNCLEAR_END = re.compile(r"[-\u2013/:]?[eExX]?\d")  # 10-20, 1/2, 1e3: no single plain number
_LARGEST = Decimal(10) ** 12
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?!\d)")
_MONTH_OR_YEAR = re.compile(r"(\d{4})(?:-(\d{2}))?")
_DOTTED = re.compile(r"(\d{1,2})\.\s*(\d{1,2})\.?(?:\s*(\d{4}))?(?!\d)\D*")
_WRITTEN = re.compile(r"(\d{1,2})\.?\s+([^\W\d]+)\s*(\d{4})?(?!\d)\D*")
_RELATIVE_DAYS = {
    "üleeile": -2,
    "eile": -1,
    "täna": 0,
    "homme": 1,
    "ülehomme": 2,
    "yesterday": -1,
    "today": 0,
    "tomorrow": 1,
    "вчера": -1,
    "сегодня": 0,
    "завтра": 1,
    "послезавтра": 2,
}
_THOUSANDS_GROUP = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A number that a calculator needs: what it is called and the values that make sense."""

    name: str
    least: int
    most: int


def read_measures(inputs: Inputs, measures: Sequence[Measure]) -> tuple[Decimal, ...] | Reply:
    """The numbers at the first positions of the inputs, or a reply that says which is missing or odd."""
    values: list[Decimal] = []
    lacking: list[str] = []
    for position, measure in enumerate(measures):
        text = inputs.text(position)
        value = read_number(text)
        if not text:
            lacking.append(measure.name)
        elif value is None or not measure.least <= value <= measure.most:
            name = measure.name[0].upper() + measure.name[1:]
            return odd(name, text, f"Palun kirjutage arv vahemikus {measure.least} kuni {measure.most}.")
        else:
            values.append(value)
    return missing(*lacking) if lacking else tuple(values)


def read_number(text: str) -> Decimal | None:
    """The first number in a text, or None. A comma is a decimal mark; three digits after a lone mark are thousands.

    Numbers above 10^12 count as none: no service has a use for them; nor do ranges, fractions and exponents count.
    """
    match = _NUMBER.search(text)
    if match is None or _UNCLEAR_END.match(text, match.end()):
        return None
    digits = "".join(match.group().split())
    marks = [character for character in digits if character in ".,"]
    whole, _, fraction = digits.rpartition(marks[-1]) if marks else (digits, "", "")
    grouped = len(set(marks)) == 1 and (len(marks) > 1 or (len(fraction) == _THOUSANDS_GROUP and whole != "0"))
    if grouped:
        whole, fraction = whole + fraction, ""
    value = Decimal(f"{re.sub('[.,]', '', whole)}.{fraction or 0}")
    return value if abs(value) <= _LARGEST else None


def read_date(text: str, today: date) -> date | None:
    """A date such as 2026-12-24, 24.12.2026, `24. detsember`, `homme` or `laupäev`, or None.

    Without a year the next such day is meant, today included; a weekday is the next one after today. Of two dates
    neither is read.
    """
    words = text.casefold().strip()
    if words in _RELATIVE_DAYS:
        return today + timedelta(days=_RELATIVE_DAYS[words])
    for index, weekday in enumerate(WEEKDAYS):
        if words.startswith(weekday) and words.isalpha():
            return today + timedelta(days=(index - today.weekday() - 1) % 7 + 1)
    if match := _ISO.match(words):
        return _date(int(match[1]), int(match[2]), int(match[3]))
    if match := _DOTTED.fullmatch(words):
        return _dated(int(match[1]), int(match[2]), match[3], today)
    if match := _WRITTEN.fullmatch(words):
        months = [month for month in range(1, 13) if match[2].startswith(month_stem(month)[:4])]
        return _dated(int(match[1]), months[0], match[3], today) if months else None
    return None


def read_span(text: str, today: date) -> tuple[date, date] | None:
    """First and last day of what a text names: a date, a month written 2026-12 or a year; None when it is neither."""
    if match := _MONTH_OR_YEAR.fullmatch(text.strip()):
        first = _date(int(match[1]), int(match[2] or 1), 1)
        last = _date(int(match[1]), int(match[2] or 12), 28)
        if first is None or last is None:
            return None
        return first, (last + timedelta(days=4)).replace(day=1) - timedelta(days=1)
    when = read_date(text, today)
    return None if when is None else (when, when)


def _dated(day: int, month: int, year: str | None, today: date) -> date | None:
    if year is not None:
        return _date(int(year), month, day)
    this_year = _date(today.year, month, day)
    return this_year if this_year and this_year >= today else _date(today.year + 1, month, day) or this_year


def _date(year: int, month: int, day: int) -> date | None:
    """The date if the calendar has it; years far from ours are misread numbers."""
    try:
        return date(year, month, day) if 1900 <= year <= 2100 else None  # noqa: PLR2004  the two ends of one range
    except ValueError:
        return None
