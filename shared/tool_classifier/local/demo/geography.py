"""Estonian towns: where they lie, how many people live there, how far apart they are."""

import csv
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from importlib.resources import files
from math import asin, cos, radians, sin, sqrt

from tool_classifier.local.demo.estonian import missing, odd, odd_day
from tool_classifier.local.demo.exchange import Inputs, Reply
from tool_classifier.local.demo.reading import read_span

_LONGEST_MONTH = timedelta(days=30)  # from its first to its last day
_EARTH_RADIUS_KM = 6371.0088  # mean radius, IUGG
_CASE_ENDINGS = ("", "s", "sse", "st", "l", "le", "lt", "ni", "ks", "ga", "t", "d")
_RUSSIAN_ENDING_LETTERS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Town:
    """A town. `locative` answers "where?" (`Tartus`, `Jõgeval`), `station` is the weather station nearest to it.

    Coordinates are degrees north and east; the population is an approximate, rounded figure.
    """

    name: str
    locative: str
    russian_stem: str
    latitude: float
    longitude: float
    population: int
    station: str

    @property
    def genitive(self) -> str:
        """`Tartu`, `Jõgeva`: the form that case endings follow."""
        return self.locative[:-1]


@cache
def load_towns() -> tuple[Town, ...]:
    """The bundled towns, largest first, read once."""
    with (files(__package__) / "data" / "towns.csv").open(encoding="utf-8") as lines:
        return tuple(
            Town(
                name=row["name"],
                locative=row["locative"],
                russian_stem=row["russian_stem"],
                latitude=float(row["latitude"]),
                longitude=float(row["longitude"]),
                population=int(row["population"]),
                station=row["station"],
            )
            for row in csv.DictReader(lines)
        )


def find_town(text: str) -> Town | None:
    """The town that a name in any Estonian case, or in Russian, stands for; None when it is not in the table."""
    wanted = text.casefold().strip()
    for town in load_towns():
        forms = {town.name.casefold(), *(town.genitive.casefold() + ending for ending in _CASE_ENDINGS)}
        russian = (
            wanted.startswith(town.russian_stem) and len(wanted) <= len(town.russian_stem) + _RUSSIAN_ENDING_LETTERS
        )
        if wanted in forms or russian:
            return town
    return None


def distance_km(one: Town, other: Town) -> float:
    """Great-circle distance in kilometres (haversine formula)."""
    latitude, other_latitude = radians(one.latitude), radians(other.latitude)
    across = sin((other_latitude - latitude) / 2) ** 2
    along = cos(latitude) * cos(other_latitude) * sin(radians(other.longitude - one.longitude) / 2) ** 2
    return 2 * _EARTH_RADIUS_KM * asin(sqrt(across + along))


def read_town_and_day(inputs: Inputs) -> tuple[Town, date] | Reply:
    """What services with the inputs town and date (default today) ask about, or a reply that says what is amiss.

    A month stands for its middle.
    """
    place, day_text = inputs.text(0), inputs.text(1)
    town = _read_town(place, "linn")
    if isinstance(town, Reply):
        return town
    span = read_span(day_text, inputs.today) if day_text else (inputs.today, inputs.today)
    if span is None or span[1] - span[0] > _LONGEST_MONTH:
        return odd_day(day_text)
    return town, span[0] + (span[1] - span[0]) // 2


def answer_population(inputs: Inputs) -> Reply:
    """Inputs: town."""
    town = _read_town(inputs.text(0), "linn")
    if isinstance(town, Reply):
        return town
    return Reply(content=f"{town.locative} elab umbes {town.population} inimest (ligikaudne näidisarv).")


def answer_distance(inputs: Inputs) -> Reply:
    """Inputs: two towns."""
    one, other = _read_town(inputs.text(0), "esimene linn"), _read_town(inputs.text(1), "teine linn")
    if isinstance(one, Reply):
        return one
    if isinstance(other, Reply):
        return other
    if one == other:
        return odd("Teine linn", inputs.text(1), "Palun nimetage kaks eri linna.")
    kilometres = round(distance_km(one, other))
    return Reply(content=f"{one.name} ja {other.name}: linnulennult umbes {kilometres} km, mööda teid on maa pikem.")


def _read_town(text: str, role: str) -> Town | Reply:
    if not text:
        return missing(role)
    known = ", ".join(town.name for town in load_towns())
    return find_town(text) or odd("Linn", text, f"Andmed on olemas nende linnade kohta: {known}.")
