"""Names of months, weekdays and relative days in Estonian, English and Russian, in all their forms."""

from dataclasses import dataclass
from functools import cache

from tool_classifier.intent.extractors.inflection import estonian, russian
from tool_classifier.intent.extractors.lexicon import Lexicon


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarName:
    """A month (1..12) or a weekday (0 is Monday) as written: its Estonian case ending or "", abbreviated or in full."""

    number: int
    ending: str = ""
    short: bool = False


_ESTONIAN_MONTHS = (  # nominative, genitive
    ("jaanuar", "jaanuari"),
    ("veebruar", "veebruari"),
    ("märts", "märtsi"),
    ("aprill", "aprilli"),
    ("mai", "mai"),
    ("juuni", "juuni"),
    ("juuli", "juuli"),
    ("august", "augusti"),
    ("september", "septembri"),
    ("oktoober", "oktoobri"),
    ("november", "novembri"),
    ("detsember", "detsembri"),
)
_ESTONIAN_WEEKDAYS = (
    ("esmaspäev", "esmaspäeva"),
    ("teisipäev", "teisipäeva"),
    ("kolmapäev", "kolmapäeva"),
    ("neljapäev", "neljapäeva"),
    ("reede", "reede"),
    ("laupäev", "laupäeva"),
    ("pühapäev", "pühapäeva"),
)
_SHORT_MONTHS = (
    ("jaan", "jan", "янв"),
    ("veebr", "feb", "фев", "февр"),
    ("mär", "mar", "мар"),
    ("apr", "апр"),
    (),
    ("jun", "июн"),
    ("jul", "июл"),
    ("aug", "авг"),
    ("sept", "sep", "сен", "сент"),
    ("okt", "oct", "окт"),
    ("nov", "ноя", "нояб"),
    ("dets", "dec", "дек"),
)
_RUSSIAN_WEDNESDAY = "среду"  # the other cases of среда are mostly about surroundings

_SOFT_ADJECTIVE = ["ий", "его", "ему", "им", "ем", "яя", "ей", "юю", "ее", "ие", "их", "ими"]
_RELATIVE_DAYS: dict[int, tuple[str, ...]] = {
    0: (
        *("täna", "tänane", "tänase", "tänast", "tänaseks", "tänaseni", "tänased", "tänaseid", "tänaste"),
        *("today", "tonight", "сегодня", *("сегодняшн" + end for end in _SOFT_ADJECTIVE)),
    ),
    1: (
        *("homme", "homne", "homse", "homset", "homseks", "homseni", "homsed", "homseid", "homsete"),
        *("tomorrow", "завтра", *("завтрашн" + end for end in _SOFT_ADJECTIVE)),
    ),
    2: ("ülehomme", "ülehomne", "ülehomse", "ülehomset", "ülehomseks", "day after tomorrow", "послезавтра"),
    -1: (
        *("eile", "eilne", "eilse", "eilset", "eilsed", "eilseid", "eilsete"),
        *("yesterday", "вчера", *("вчерашн" + end for end in _SOFT_ADJECTIVE)),
    ),
    -2: ("üleeile", "üleeilne", "üleeilse", "üleeilset", "day before yesterday", "позавчера"),
}


@cache
def months() -> Lexicon[CalendarName]:
    """Every form of every month's name."""
    lexicon: Lexicon[CalendarName] = Lexicon()
    foreign = _cldr("months")
    for number, names in enumerate(_ESTONIAN_MONTHS, start=1):
        for form, ending in estonian(*names):
            lexicon.add((form,), CalendarName(number=number, ending=ending))
        lexicon.add(foreign[number], CalendarName(number=number))
        lexicon.add(_SHORT_MONTHS[number - 1], CalendarName(number=number, short=True))
    return lexicon


@cache
def weekdays() -> Lexicon[CalendarName]:
    """Every form of every weekday's name; plurals ("esmaspäeviti", "Mondays") name no single day and are left out."""
    lexicon: Lexicon[CalendarName] = Lexicon()
    foreign = _cldr("days")
    for number, names in enumerate(_ESTONIAN_WEEKDAYS):
        for form, ending in estonian(*names):
            lexicon.add((form,), CalendarName(number=number, ending=ending))
        forms = [form for form in foreign[number] if not form.startswith("сред")]
        lexicon.add(forms, CalendarName(number=number))
    lexicon.add((_RUSSIAN_WEDNESDAY,), CalendarName(number=2))
    return lexicon


@cache
def relative_days() -> Lexicon[int]:
    """Words for days counted from today -> how many days from today."""
    lexicon: Lexicon[int] = Lexicon()
    for offset, forms in _RELATIVE_DAYS.items():
        lexicon.add(forms, offset)
    return lexicon


def _cldr(kind: str) -> dict[int, list[str]]:
    """English names and Russian forms by number."""
    from babel import Locale  # noqa: PLC0415 (babel's tables are read on the first question about a date only)

    russian_names = getattr(Locale("ru"), kind)
    forms: dict[int, list[str]] = {}
    for number, name in getattr(Locale("en"), kind)["format"]["wide"].items():
        forms[number] = [name, *russian(russian_names["stand-alone"]["wide"][number])]
        forms[number].append(russian_names["format"]["wide"][number])
    return forms
