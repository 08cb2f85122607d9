"""Electricity prices by hour from a model: no exchange is asked, and the answer says so."""

from datetime import date
from hashlib import blake2b

from tool_classifier.local.demo.estonian import day, number, odd_day
from tool_classifier.local.demo.exchange import Inputs, Reply
from tool_classifier.local.demo.reading import read_date
from tool_classifier.models import Button

# Shape of a day: cheap nights, a peak in the morning and a higher one in the evening. The mean is about 1.
_MORNING = (0.7, 0.65, 0.6, 0.6, 0.65, 0.75, 0.95, 1.2, 1.35, 1.25, 1.1, 1.0)
_EVENING = (0.95, 0.9, 0.9, 0.95, 1.1, 1.3, 1.45, 1.5, 1.35, 1.15, 0.95, 0.8)
# Typical levels by month in cents per kWh without VAT, January first.
_LEVEL = (12.0, 12.5, 9.5, 7.5, 6.5, 5.5, 6.0, 7.5, 8.5, 9.0, 10.5, 11.0)
_WEEKEND_SHARE = 0.85
_SATURDAY = 5
_HOURS_SHOWN = 3


def hourly_prices(when: date) -> tuple[float, ...]:
    """24 prices in cents per kWh, the same for a date every time; day and hour vary by up to a quarter each."""
    noise = blake2b(when.isoformat().encode(), digest_size=25).digest()
    level = _LEVEL[when.month - 1] * (_WEEKEND_SHARE if when.weekday() >= _SATURDAY else 1.0) * _vary(noise[24])
    return tuple(level * shape * _vary(byte) for shape, byte in zip(_MORNING + _EVENING, noise, strict=False))


def answer(inputs: Inputs) -> Reply:
    """Inputs: date (default today)."""
    text = inputs.text(0)
    when = read_date(text, inputs.today) if text else inputs.today
    if when is None:
        return odd_day(text)
    prices = hourly_prices(when)
    ranked = sorted(range(24), key=lambda hour: prices[hour])
    cheapest, dearest = ranked[:_HOURS_SHOWN], ranked[: -_HOURS_SHOWN - 1 : -1]
    return Reply(
        content=f"{day(when)}: odavaimad tunnid on {_listed(cheapest, prices)}; "
        f"kalleimad {_listed(dearest, prices)}; päeva keskmine {number(sum(prices) / 24, places=2)} s/kWh. "
        "Hinnad on arvutatud näidismudeliga, need ei ole börsihinnad.",
        buttons=(
            Button(title="Täna", payload="Mis kell on elekter täna kõige odavam?"),
            Button(title="Homme", payload="Mis kell on elekter homme kõige odavam?"),
        ),
    )


def _vary(byte: int) -> float:
    return 0.75 + byte / 510


def _listed(hours: list[int], prices: tuple[float, ...]) -> str:
    return ", ".join(f"{hour:02}–{hour + 1:02} ({number(prices[hour], places=2)} s/kWh)" for hour in hours)
