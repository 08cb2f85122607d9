"""The Estonian calendar: public holidays, school holidays, working days, week numbers."""

from datetime import date, timedelta

from tool_classifier.local.demo.estonian import WEEKDAYS, day, missing, odd, odd_day, on_day
from tool_classifier.local.demo.exchange import Inputs, Reply
from tool_classifier.local.demo.reading import read_date, read_number, read_span
from tool_classifier.models import Button

_SATURDAY = 5
_FIRST_YEAR, _LAST_YEAR = 1919, 2100
_LEAST_YEAR = 1000  # a smaller number in the question is a count or a day, not the year asked about
_LONGEST_SPAN = timedelta(days=3660)

# Pühade ja tähtpäevade seadus (Public Holidays and Days of National Importance Act), § 1 and § 2.
_FIXED = {
    (1, 1): "uusaasta",
    (2, 24): "iseseisvuspäev",
    (5, 1): "kevadpüha",
    (6, 23): "võidupüha",
    (6, 24): "jaanipäev",
    (8, 20): "taasiseseisvumispäev",
    (12, 24): "jõululaupäev",
    (12, 25): "esimene jõulupüha",
    (12, 26): "teine jõulupüha",
}
_DAYS_FROM_EASTER = {
    -2: "suur reede",
    0: "ülestõusmispühade 1. püha",
    49: "nelipühade 1. püha",
}

# Regulation of the Minister of Education and Research on school holidays, as amended in 2025.
_SCHOOL_HOLIDAYS = (
    ("sügisvaheaeg", date(2025, 10, 20), date(2025, 10, 26)),
    ("jõuluvaheaeg", date(2025, 12, 22), date(2026, 1, 4)),
    ("talvevaheaeg", date(2026, 2, 23), date(2026, 3, 1)),
    ("kevadvaheaeg", date(2026, 4, 13), date(2026, 4, 19)),
    ("suvevaheaeg", date(2026, 6, 10), date(2026, 8, 31)),
    ("sügisvaheaeg", date(2026, 10, 26), date(2026, 11, 1)),
    ("jõuluvaheaeg", date(2026, 12, 21), date(2027, 1, 3)),
    ("talvevaheaeg", date(2027, 2, 22), date(2027, 2, 28)),
    ("kevadvaheaeg", date(2027, 4, 12), date(2027, 4, 18)),
    ("suvevaheaeg", date(2027, 6, 9), date(2027, 8, 31)),
)


def easter_sunday(year: int) -> date:
    """Western Easter by the anonymous Gregorian computus (Meeus, Astronomical Algorithms, chapter 8)."""
    a, b, c = year % 19, year // 100, year % 100
    d, e = b // 4, b % 4
    g = (b - (b + 8) // 25 + 1) // 3
    h = (19 * a + b - d - g + 15) % 30
    i, k = c // 4, c % 4
    weekday = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 22 * weekday) // 451
    month, days = divmod(h + weekday - 7 * m + 114, 31)
    return date(year, month, days + 1)


def public_holidays(year: int) -> dict[date, str]:
    """Days off by law with their names, in order. The national day, 24 February, is among them."""
    easter = easter_sunday(year)
    days = {date(year, month, number): name for (month, number), name in _FIXED.items()}
    days |= {easter + timedelta(days=offset): name for offset, name in _DAYS_FROM_EASTER.items()}
    return dict(sorted(days.items()))


def working_days(first: date, last: date) -> int:
    """Days from Monday to Friday that are no public holiday, both ends included."""
    holidays = {when for year in range(first.year, last.year + 1) for when in public_holidays(year)}
    span = (first + timedelta(days=offset) for offset in range((last - first).days + 1))
    return sum(when.weekday() < _SATURDAY and when not in holidays for when in span)


def answer_public_holidays(inputs: Inputs) -> Reply:
    """Inputs: year (default this year; below 1000 is taken as none). The buttons go out as a JSON string."""
    asked = read_number(inputs.text(0))
    year = int(asked) if asked is not None and asked >= _LEAST_YEAR else inputs.today.year
    if not _FIRST_YEAR <= year <= _LAST_YEAR:
        advice = f"Palun kirjutage aasta vahemikus {_FIRST_YEAR} kuni {_LAST_YEAR}."
        return odd("Aasta", inputs.text(0), advice)
    listed = "; ".join(f"{when.day}.{when.month:02} {name}" for when, name in public_holidays(year).items())
    coming = public_holidays(inputs.today.year) | public_holidays(inputs.today.year + 1)
    following = next(when for when in coming if when >= inputs.today)
    next_year = f"{year + 1}. aasta riigipühad"
    return Reply(
        content=f"{year}. aasta riigipühad: {listed}. Järgmine riigipüha on {day(following)}, {coming[following]}.",
        buttons=(Button(title=next_year, payload=f"Loetle {next_year}"),),
        buttons_as_string=True,
    )


def answer_school_holidays(inputs: Inputs) -> Reply:
    """No inputs: the holiday that is on, and those that come in the next twelve months."""
    horizon = inputs.today + timedelta(days=365)
    coming = [holiday for holiday in _SCHOOL_HOLIDAYS if inputs.today <= holiday[2] and holiday[1] <= horizon]
    if not coming:
        return Reply(content="Järgmise õppeaasta koolivaheaegu minu andmetes veel ei ole.")
    name, first, last = coming[0]
    current = f"Praegu on {name}, see kestab kuni {day(last)}." if first <= inputs.today else ""
    listed = "; ".join(f"{name} {day(first)} – {day(last)}" for name, first, last in coming if first > inputs.today)
    return Reply(content=" ".join(part for part in (current, listed and f"Tulevad koolivaheajad: {listed}.") if part))


def answer_working_days(inputs: Inputs) -> Reply:
    """Inputs: first day (default today), last day. A month or a year alone is counted whole."""
    first_text, last_text = inputs.text(0), inputs.text(1)
    first = read_span(first_text, inputs.today) if first_text else (inputs.today, inputs.today)
    if first is None:
        return odd_day(first_text)
    if not last_text and first[0] == first[1]:
        return missing("viimane päev")
    last = read_span(last_text, first[0]) if last_text else first
    if last is None:
        return odd_day(last_text)
    return _count_working_days(min(first[0], last[0]), max(first[1], last[1]))


def _count_working_days(first: date, last: date) -> Reply:
    if last - first > _LONGEST_SPAN:
        return odd("Ajavahemik", f"{first} – {last}", "Tööpäevi loen kuni kümne aasta kohta.")
    return Reply(
        content=f"{day(first)} – {day(last)}: {working_days(first, last)} tööpäeva (mõlemad päevad kaasa arvatud, "
        "nädalavahetused ja riigipühad maha arvatud)."
    )


def answer_week_number(inputs: Inputs) -> Reply:
    """Inputs: date (default today)."""
    text = inputs.text(0)
    when = read_date(text, inputs.today) if text else inputs.today
    if when is None:
        return odd_day(text)
    year, week, _ = when.isocalendar()
    return Reply(content=f"{on_day(when)} on {year}. aasta {week}. nädal, {WEEKDAYS[when.weekday()]}.")
