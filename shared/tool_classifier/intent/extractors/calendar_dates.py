"""Dates that name a month, by number or by name: 24.12.2026, "24. detsember", "December 24th", "в декабре".

What no calendar has (31.06.2027) or what may be one of two days (03/04/2026 in English) stays as it is written.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from tool_classifier.intent.extractors.date_names import CalendarName, months
from tool_classifier.intent.extractors.extraction import Extraction, Side
from tool_classifier.intent.extractors.lexicon import Match, word_before

DAY, MONTH, YEAR = 0, 1, 2
"""Ranks: a whole date before a month (yyyy-mm) before a year (yyyy)."""

ENDING_SIDES = {"st": Side.SOURCE, "ni": Side.TARGET}
"""Estonian case endings of "from" and "until"."""

_YEAR = r"(?:19|20)\d{2}"
_ISO = re.compile(
    rf"(?<![\w.-])(?P<year>{_YEAR})(?P<sign>[-./])(?P<month>\d{{1,2}})(?P=sign)(?P<day>\d{{1,2}})(?![\w-])"
)
_RANGED = "".join(rf"|(?<=\.\d{{{digits}}}-)" for digits in (1, 2, 4))  # after the dash of 1.03.2027-31.03.2027
_NUMERIC = re.compile(
    rf"(?<![\w.,:/])(?:(?<!\w-){_RANGED})(?P<first>\d{{1,2}})(?P<sign>[-./])\s?(?P<second>\d{{1,2}})"
    rf"(?:(?P=sign)\s?(?P<year>{_YEAR}|\d{{2}})|\.)(?!\w)"
)
_UNITS = r"[€$£%°]|eur|usd|doll|долл|евро|руб|k?g\b|[ck]?m\b|кг|kraad|sen[td]|protsen|процент|tun[dn]|s/"
_DAY_MONTH = re.compile(
    rf"(?<![\w.,:/])(?:(?<!\w-){_RANGED})(?P<first>0?[1-9]|[12]\d|3[01])\.(?P<second>0[1-9]|1[0-2])"
    rf"(?!\w|[.,:/]\d|\.(?!\w)|\s?(?:{_UNITS}))",
    re.IGNORECASE,
)
_UNCLEAR = re.compile(
    rf"(?<![\w.,:/-])\d{{1,2}}-\d{{1,2}}(?![\w:/-]|[.,]\d|\s?(?:{_UNITS}))", re.IGNORECASE
)  # 10-12: days, or a day and a month
_ORDINAL = r"(?:\.|st|nd|rd|th|-?го|-?е)?"
_DAY_BEFORE = re.compile(rf"(?<![\w.,:/])(\d{{1,2}}){_ORDINAL}\s*(?:of\s+)?$")
_DAY_AFTER = re.compile(r"\.?\s+(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)?(?![\w:%]|[.,]\d)")
_EARLIER_DAY = re.compile(
    rf"(?<![\w.,:/])(?P<day>\d{{1,2}}){_ORDINAL}\s*"
    r"(?:(?P<span>[-\u2010-\u2015]|\b(?:kuni|to|until|по|до)\b)|,|\b(?:ja|and|и|või|or|или)\b)\s*(?:the\s+)?$"
)
_LATER_DAY = re.compile(
    r"\s*(?:[-\u2010-\u2015]|\b(?:to|through|until|till)\b)\s*(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)?(?![\w:%]|[.,]\d)"
)
_UNTIL = re.compile(r"(?:\b(?:kuni|until|till|to|through|по|до)\b|[-\u2010-\u2015])\s*(?:the\s+)?$")
_YEAR_AFTER = re.compile(rf"[\s,.]{{1,2}}(?:(?:aasta|aastal|of)\s+)?({_YEAR})(?!\w)(?:\s+(?:года|год|г)\b)?")
_YEAR_BEFORE = re.compile(rf"(?<![\w.])({_YEAR})\.?\s+(?:aasta\s+)?$")
_YEAR_ALONE = re.compile(
    rf"\b(?:aasta|aastal|aastast|year|in|since|в|с)\s+({_YEAR})(?![.,:/-]?\w)"
    rf"|(?<![\w.,:/-])({_YEAR})\.?(?=\s+(?:aasta|год|г\b))",
    re.IGNORECASE,
)
_RELATIVE_YEAR_BEFORE = re.compile(
    r"\b(?:(?P<next>järgmise|tuleva)|(?P<last>eelmise|möödunud)|selle|käesoleva)\s+aasta\s+$", re.IGNORECASE
)
_RELATIVE_YEAR_AFTER = re.compile(
    r"\s+(?:(?:of\s+)?(?:(?P<next>next)|(?P<last>last)|this)\s+year"
    r"|(?:(?P<sled>следующего)|(?P<pro>прошлого)|этого)\s+года)\b",
    re.IGNORECASE,
)
_PAST = re.compile(r"\b(?:oli|olid|was|were|did|был[аои]?)\b", re.IGNORECASE)
_ALSO_WORDS = frozenset({"may", "march"})
_LAST = frozenset(("last", "eelmise", "möödunud", "прошлом", "прошлого", "прошлый"))
_CLOCK = frozenset(("kell", "kella"))
_AT = _CLOCK | {"at", "в", "во"}
_BEFORE_MONTH = frozenset(["in", "of", "this", "next", "last", "by", "until", "till", "since", "from", "during"])
_MONTHS = 12
_NEARBY = 40
_YEARS_TRIED = 9  # 29 February comes back after eight years at most
_JUST_GONE = timedelta(days=30)  # "rates on 1 March", asked on 11 March, are not next year's


def speaks_of_past(text: str) -> bool:
    """Whether a question is about the past: a date without a year is then one gone by."""
    return _PAST.search(text) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Day:
    """One day of the month as written."""

    start: int
    end: int
    day: int
    side: Side | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Written:
    """A month as written, with the days (two in a range or a list) and the year beside it."""

    start: int
    end: int
    month: int
    days: tuple[_Day, ...] = ()
    year: int | None = None
    last: bool = False
    side: Side | None = None

    @property
    def place(self) -> tuple[int, int]:
        """Where in a year it ends."""
        return self.month, self.days[-1].day if self.days else 0


class CalendarReader:
    """Reads one query.

    A year named beside one of its dates holds for all. Without one, a day is one of the last 30 days, else the next
    such day; in a question about the past the last one.
    """

    def __init__(self, text: str, *, language: str, today: date) -> None:
        self._text = text
        self._language = language
        self._today = today
        self._past = speaks_of_past(text)

    def read(self) -> Iterator[Extraction]:
        """Whole dates and months, with the side that a case ending or a range gives them."""
        for each, year in self._dated([*self._numeric(), *self._named()]):
            if not each.days:
                yield self._extraction(each.start, each.end, f"{year}-{each.month:02}", MONTH, each.side)
                continue
            found = [(day, _date(year, each.month, day.day) if year else None) for day in each.days]
            if all(when for _, when in found):
                for day, when in found:
                    yield self._extraction(day.start, day.end, str(when), DAY, day.side)
            else:
                start = min(each.start, each.days[0].start)
                yield self._as_written(start, each.end, None if each.days[1:] else each.side)
        for match in self._unclear():
            yield self._as_written(*match.span())

    def _dated(self, written: Sequence[_Written]) -> Sequence[tuple[_Written, int | None]]:
        """Each date with its year, or None where no year has such a day."""
        years = {each.year for each in written if each.year}
        shared = years.pop() if len(years) == 1 else None
        dated: list[tuple[_Written, int | None]] = []
        for each in reversed(written):  # the end of a range first
            year = each.year or shared or self._closest_year(each)
            if year and dated and dated[-1][0].side is Side.TARGET and not each.year:
                end, limit = dated[-1]
                if limit and (year, each.place) > (limit, end.place):
                    year = limit - (each.place > end.place)  # "jaanuarist märtsini", asked in March
            dated.append((each, year))
        return dated[::-1]

    def years(self) -> Iterator[Extraction]:
        """Years alone, where a word says that it is a year."""
        for match in _YEAR_ALONE.finditer(self._text):
            group = 1 if match[1] else 2
            yield self._extraction(*match.span(group), match[group], YEAR)

    def _numeric(self) -> Iterator[_Written]:
        for match in _ISO.finditer(self._text):
            yield self._numbered(match, int(match["day"]), int(match["month"]), int(match["year"]))
        for match in _NUMERIC.finditer(self._text):
            order = self._day_and_month(match)
            if order:
                yield self._numbered(match, *order, _full_year(match["year"]))
        for match in _DAY_MONTH.finditer(self._text):
            if self._language != "en" and word_before(self._text, match.start()) not in _AT:
                yield self._numbered(match, int(match["first"]), int(match["second"]), None)

    def _unclear(self) -> Iterator[re.Match[str]]:
        """Days in digits that may be one of two."""
        for match in _NUMERIC.finditer(self._text):
            if match["year"] and match["sign"] != "." and not self._day_and_month(match):
                yield match
        patterns = (_UNCLEAR, _DAY_MONTH) if self._language == "en" else (_UNCLEAR,)
        for pattern in patterns:
            yield from (
                match for match in pattern.finditer(self._text) if word_before(self._text, match.start()) not in _AT
            )

    def _numbered(self, match: re.Match[str], day: int, month: int, year: int | None) -> _Written:
        side = self._reached(match.start())
        written = _Written(start=match.start(), end=match.end(), month=month, year=year, side=side)
        return self._with_days(written, day)

    def _day_and_month(self, match: re.Match[str]) -> tuple[int, int] | None:
        first, second = int(match["first"]), int(match["second"])
        if match["sign"] == ".":
            return None if word_before(self._text, match.start()) in _CLOCK else (first, second)
        if len(match["year"] or "") != len("2026"):
            return None  # 10-12. and 1/2/26 may be anything
        if first > _MONTHS or first == second or self._language != "en":
            return (second, first) if second > _MONTHS else (first, second)
        return (second, first) if second > _MONTHS else None

    def _named(self) -> Iterator[_Written]:
        for name in months().find(self._text):
            start, end = name.start, name.end
            before = self._ending(_DAY_BEFORE, start)
            after = None if before or self._language != "en" else _DAY_AFTER.match(self._text, end)
            later = _LATER_DAY.match(self._text, after.end()) if after else None
            if before:
                start = before.start(1)
            if after:
                end = later.end() if later else after.end()
            year, start, end = self._year(start, end)
            side = ENDING_SIDES.get(name.value.ending) or self._reached(start)
            written = _Written(start=start, end=end, month=name.value.number, year=year, side=side)
            if later and after:
                days = (_day_at(after, 1, Side.SOURCE), _day_at(later, 1, Side.TARGET))
                yield replace(written, days=days)
            elif after:
                yield replace(written, days=(_Day(start=start, end=end, day=int(after[1]), side=side),))
            elif before:
                yield self._with_days(written, int(before[1]))
            elif self._is_month(name, year):
                yield replace(written, last=word_before(self._text, name.start) in _LAST)

    def _with_days(self, written: _Written, day: int) -> _Written:
        """A date, with the day before it in "10.-12. märts" (a range) or "10. ja 12. märts" (a list)."""
        earlier = self._ending(_EARLIER_DAY, written.start)
        ranged = bool(earlier and earlier["span"])
        days = [_Day(start=written.start, end=written.end, day=day, side=Side.TARGET if ranged else written.side)]
        if earlier:
            days.insert(0, _day_at(earlier, "day", Side.SOURCE if ranged else None))
        return replace(written, days=tuple(days))

    def _year(self, start: int, end: int) -> tuple[int | None, int, int]:
        """The year named beside a date, and the span of both."""
        if match := _YEAR_AFTER.match(self._text, end):
            return int(match[1]), start, match.end()
        if match := self._ending(_YEAR_BEFORE, start):
            return int(match[1]), match.start(), end
        if match := self._ending(_RELATIVE_YEAR_BEFORE, start):
            return self._today.year + bool(match["next"]) - bool(match["last"]), match.start(), end
        if match := _RELATIVE_YEAR_AFTER.match(self._text, end):
            ahead, back = match["next"] or match["sled"], match["last"] or match["pro"]
            return self._today.year + bool(ahead) - bool(back), start, match.end()
        return None, start, end

    def _reached(self, start: int) -> Side | None:
        return Side.TARGET if self._ending(_UNTIL, start) else None

    def _ending(self, pattern: re.Pattern[str], end: int) -> re.Match[str] | None:
        """What a pattern finds right before a position."""
        return pattern.search(self._text, max(0, end - _NEARBY), end)

    def _is_month(self, name: Match[CalendarName], year: int | None) -> bool:
        if year is not None:
            return True
        if name.value.short or name.value.ending == "l":  # "mail" needs its day
            return False
        return name.form not in _ALSO_WORDS or word_before(self._text, name.start) in _BEFORE_MONTH

    def _closest_year(self, written: _Written) -> int | None:
        """The year of a date that names none; days of one range or list are in the year of the last of them."""
        if not written.days:
            if self._past or written.last:
                return self._today.year - (written.month > self._today.month)
            return self._today.year + (written.month < self._today.month)
        step = -1 if self._past else 1
        ahead = timedelta(0) if self._past else -_JUST_GONE
        for away in range(-1, _YEARS_TRIED):
            found = _date(self._today.year + step * away, written.month, written.days[-1].day)
            if found and (found - self._today) * step >= ahead:
                return found.year
        return None

    def _as_written(self, start: int, end: int, side: Side | None = None) -> Extraction:
        return self._extraction(start, end, self._text[start:end], DAY, side)

    def _extraction(self, start: int, end: int, value: str, rank: int, side: Side | None = None) -> Extraction:
        return Extraction(value=value, start=start, end=end, text=self._text[start:end], side=side, rank=rank)


def _day_at(match: re.Match[str], group: int | str, side: Side | None) -> _Day:
    return _Day(start=match.start(group), end=match.end(group), day=int(match[group]), side=side)


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:  # no such day in that year
        return None


def _full_year(written: str | None) -> int | None:
    if not written:
        return None
    return int(written) if len(written) > 2 else 2000 + int(written)  # noqa: PLR2004 (24.12.26)
