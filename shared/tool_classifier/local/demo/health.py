"""The body mass index of adults."""

from decimal import Decimal

from tool_classifier.local.demo.estonian import number
from tool_classifier.local.demo.exchange import Inputs, Reply
from tool_classifier.local.demo.reading import Measure, read_measures

_MEASURES = (Measure(name="kehakaal kilogrammides", least=20, most=400), Measure(name="pikkus", least=1, most=250))
_TALLEST_IN_METRES = 3  # a height up to here was given in metres, above in centimetres
# Upper ends of the World Health Organization's categories for adults.
_CATEGORIES = ((Decimal("18.5"), "alakaal"), (Decimal(25), "normaalkaal"), (Decimal(30), "ülekaal"))


def body_mass_index(weight: Decimal, height: Decimal) -> Decimal:
    """Weight in kilograms by the square of the height in metres."""
    return weight / height**2


def category(index: Decimal) -> str:
    """The World Health Organization's category of an index, in Estonian."""
    return next((name for below, name in _CATEGORIES if index < below), "rasvumine")


def answer(inputs: Inputs) -> Reply:
    """Inputs: weight in kilograms, height in centimetres or metres."""
    values = read_measures(inputs, _MEASURES)
    if isinstance(values, Reply):
        return values
    weight, height = values
    metres = height if height <= _TALLEST_IN_METRES else height / 100
    index = round(body_mass_index(weight, metres), 1)
    return Reply(content=f"Kehamassiindeks on {number(index, places=1)}: {category(index)} (täiskasvanute skaala).")
