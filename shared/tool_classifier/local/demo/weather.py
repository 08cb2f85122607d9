"""What the weather is like on average: long-term monthly means, interpolated by day. Not a forecast, and says so."""

import csv
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from importlib.resources import files

from tool_classifier.local.demo.estonian import month_stem, number, on_day
from tool_classifier.local.demo.exchange import Inputs, Reply
from tool_classifier.local.demo.geography import read_town_and_day

_MID_MONTH = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class Climate:
    """Approximate long-term means of a place by month, January first: temperature in °C and precipitation in mm.

    Rounded to half a degree and 5 mm; good for a demonstration, not for planning.
    """

    temperatures: tuple[float, ...]
    rain: tuple[int, ...]


@cache
def load_climates() -> dict[str, Climate]:
    """The bundled means by station, read once."""
    with (files(__package__) / "data" / "climate.csv").open(encoding="utf-8") as lines:
        return {
            row["station"]: Climate(
                temperatures=tuple(float(value) for value in row["temperatures"].split()),
                rain=tuple(int(value) for value in row["rain"].split()),
            )
            for row in csv.DictReader(lines)
        }


def mean_temperature(climate: Climate, when: date) -> float:
    """The mean of a day in °C, linear between the middles of two months."""
    before = when.replace(day=_MID_MONTH)
    if when < before:
        before = (before.replace(day=1) - timedelta(days=1)).replace(day=_MID_MONTH)
    after = (before + timedelta(days=31)).replace(day=_MID_MONTH)
    share = (when - before).days / (after - before).days
    low, high = climate.temperatures[before.month - 1], climate.temperatures[after.month - 1]
    return low + (high - low) * share


def answer(inputs: Inputs) -> Reply:
    """Inputs: town, date (default today)."""
    found = read_town_and_day(inputs)
    if isinstance(found, Reply):
        return found
    town, when = found
    climate = load_climates()[town.station]
    temperature = number(mean_temperature(climate, when), places=0)
    return Reply(
        content=f"{town.locative} on {on_day(when)} keskmiselt {temperature} °C, "
        f"{month_stem(when.month)}s sajab keskmiselt {climate.rain[when.month - 1]} mm. "
        "See on pikaajaline keskmine, mitte ilmaprognoos."
    )
