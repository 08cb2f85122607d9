"""Estonian wording that several services share: dates, numbers, and what is missing from a question."""

from datetime import date
from decimal import Decimal

from tool_classifier.local.demo.exchange import Reply

_MONTHS = (
    "jaanuar",
    "veebruar",
    "märts",
    "aprill",
    "mai",
    "juuni",
    "juuli",
    "august",
    "september",
    "oktoober",
    "november",
    "detsember",
)
WEEKDAYS = ("esmaspäev", "teisipäev", "kolmapäev", "neljapäev", "reede", "laupäev", "pühapäev")

_ECHO_CHARACTERS = 40


def day(when: date) -> str:
    """`24. detsember 2026`."""
    return f"{when.day}. {_MONTHS[when.month - 1]} {when.year}"


def on_day(when: date) -> str:
    """`24. detsembril 2026`."""
    return f"{when.day}. {month_stem(when.month)}l {when.year}"


def month_stem(month: int) -> str:
    """The form that case endings follow: `detsembri`."""
    name = _MONTHS[month - 1]
    if name.endswith(("ember", "oober")):
        return f"{name[:-2]}ri"
    return name if name.endswith("i") else f"{name}i"


def number(value: Decimal | float, *, places: int) -> str:
    """Rounded to so many decimal places, without trailing zeros or an exponent."""
    text = f"{round(Decimal(value), places):f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def money(value: Decimal) -> str:
    """Whole or with two decimals; a sum below 1 keeps four significant digits, as some currencies are that small."""
    if 0 < abs(value) < 1:
        return number(value, places=max(2, 3 - value.adjusted()))
    text = f"{value:.2f}"
    return text.removesuffix(".00")


def missing(*names: str) -> Reply:
    """Says which values the question lacks."""
    return Reply(content=f"Vastamiseks on puudu: {', '.join(names)}. Palun lisage see oma küsimusele.")


def odd(name: str, text: str, advice: str) -> Reply:
    """Says which value cannot be used and what it should look like."""
    echo = text if len(text) <= _ECHO_CHARACTERS else f"{text[:_ECHO_CHARACTERS]}…"
    return Reply(content=f"{name} „{echo}“ ei sobi. {advice}")


def odd_day(text: str) -> Reply:
    """Says that a date cannot be used."""
    return odd("Päev", text, "Palun kirjutage see kujul 24.12.2026.")
