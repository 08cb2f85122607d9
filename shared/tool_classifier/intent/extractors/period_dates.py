"""Dates that name no day: the end of a year or a month, next and last year, and occasions that stay as written."""

import re
from collections.abc import Iterator
from datetime import date, timedelta

from tool_classifier.intent.extractors.calendar_dates import DAY, YEAR
from tool_classifier.intent.extractors.extraction import Extraction, Side

_ENDS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        (
            r"\b(?:(?P<number>(?:19|20)\d{2})\.?\s+|(?P<next>järgmise|tuleva)\s+|(?P<last>eelmise|möödunud)\s+)?"
            r"(?:(?P<year>aasta)|kuu)\s+lõpuni\b"
        ),
        (
            r"\b(?:until|till|to|by|through)\s+(?:the\s+)?end\s+of\s+(?:the|this|(?P<next>next)|(?P<last>last))\s+"
            r"(?:(?P<year>year)|month)\b"
        ),
        (
            r"\b(?:до|по)\s+кон(?:ца|ец)\s+(?:этого\s+|(?P<next>следующего)\s+|(?P<last>прошлого)\s+)?"
            r"(?:(?P<year>года)|месяца)\b"
        ),
    )
)
_RELATIVE_YEAR = re.compile(
    r"\b(?:(?P<next>(?:järgmi(?:se|sel|ne)|tuleval?)\s+aasta(?:l|st|ni|ks)?|next\s+year|следующ\w+\s+год[ау]?)"
    r"|(?:eelmi(?:se|sel|ne)|möödunud)\s+aasta(?:l|st|ni|ks)?|last\s+year|прошл\w+\s+год[ау]?)\b",
    re.IGNORECASE,
)
_AS_WRITTEN = re.compile(
    r"\b(?:(?:(?:järgmi|eelmi)\w+\s+)?nädala(?:vahetus\w*|lõp\w+)"
    r"|(?:järgmi(?:se|sel)|eelmi(?:se|sel)|möödunud)\s+(?:nädala?l?|kuul?)"
    r"|(?:aasta|kuu|nädala)\s+(?:algu\w+|lõp\w+|keskel)|jõulu(?:d\w*|päev\w*|püh\w*)(?:\s+ajal|\s+ajaks)?|aastavahetus\w*"
    r"|(?:(?:next|last|this|the)\s+)?weekend|(?:next|last)\s+(?:week|month)"
    r"|(?:end|middle|beginning)\s+of\s+(?:the|this|next|last)\s+(?:week|month|year)"
    r"|christmas(?:\s+(?:eve|day))?|new\s+year's(?:\s+(?:eve|day))?|easter"
    r"|выходны[ех]|выходным|(?:следующ|прошл)\w+\s+(?:недел\w+|месяц\w*)|в\s+конце\s+(?:недели|месяца|года)"
    r"|рождеств\w+|нов\w+\s+год\w*|пасх\w+)\b",
    re.IGNORECASE,
)
_YEAR_MONTHS = 12


def period_ends(text: str, today: date) -> Iterator[Extraction]:
    """Until the end of a year or a month: its last day."""
    for pattern in _ENDS:
        for match in pattern.finditer(text):
            named = match.groupdict()
            ahead = bool(named["next"]) - bool(named["last"])
            year = int(named.get("number") or today.year)
            if named["year"]:
                last = date(year + ahead, _YEAR_MONTHS, 31)
            else:
                months = year * _YEAR_MONTHS + today.month + ahead  # of the month after, counted from zero
                last = date(months // _YEAR_MONTHS, months % _YEAR_MONTHS + 1, 1) - timedelta(days=1)
            yield _extraction(match, last.isoformat(), DAY, Side.TARGET)


def relative_years(text: str, today: date) -> Iterator[Extraction]:
    """Next year and last year."""
    for match in _RELATIVE_YEAR.finditer(text):
        yield _extraction(match, str(today.year + (1 if match["next"] else -1)), YEAR)


def occasions(text: str) -> Iterator[Extraction]:
    """What names several days or none exactly, as it is written: "nädalavahetusel", "next week", "jõulude ajal"."""
    for match in _AS_WRITTEN.finditer(text):
        yield _extraction(match, match.group(), DAY)


def _extraction(match: re.Match[str], value: str, rank: int, side: Side | None = None) -> Extraction:
    return Extraction(value=value, start=match.start(), end=match.end(), text=match.group(), side=side, rank=rank)
