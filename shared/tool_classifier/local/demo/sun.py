"""Sunrise and sunset, computed as in NOAA's solar calculator, which follows Meeus, Astronomical Algorithms.

Source: gml.noaa.gov/grad/solcalc/calcdetails.html. The sun's place is taken at noon, which costs up to two minutes.
"""

from datetime import UTC, date, datetime, timedelta
from math import acos, asin, cos, degrees, radians, sin, tan
from zoneinfo import ZoneInfo

from tool_classifier.local.demo.estonian import on_day
from tool_classifier.local.demo.exchange import Inputs, Reply
from tool_classifier.local.demo.geography import Town, read_town_and_day

_ZENITH_DEGREES = 90.833  # the sun's upper edge on the horizon, with refraction


def sunrise_and_sunset(town: Town, when: date) -> tuple[datetime, datetime]:
    """Both in Estonian time, to the minute."""
    declination, equation_of_time = _sun_at_noon(when)
    latitude = radians(town.latitude)
    # The sun rises and sets on every day of the year in Estonia, so the arc cosine always exists.
    half_day = degrees(
        acos(cos(radians(_ZENITH_DEGREES)) / (cos(latitude) * cos(declination)) - tan(latitude) * tan(declination))
    )
    midnight = datetime(when.year, when.month, when.day, tzinfo=UTC)
    sunrise, sunset = (
        midnight + timedelta(minutes=round(720 - 4 * (town.longitude + hour_angle) - equation_of_time))
        for hour_angle in (half_day, -half_day)
    )
    zone = ZoneInfo("Europe/Tallinn")
    return sunrise.astimezone(zone), sunset.astimezone(zone)


def _sun_at_noon(when: date) -> tuple[float, float]:
    """Declination in radians and equation of time in minutes at 12:00 UTC."""
    century = (when - date(2000, 1, 1)).days / 36525
    longitude = radians(280.46646 + century * (36000.76983 + century * 0.0003032))
    anomaly = radians(357.52911 + century * (35999.05029 - century * 0.0001537))
    eccentricity = 0.016708634 - century * (0.000042037 + century * 0.0000001267)
    centre = (
        sin(anomaly) * (1.914602 - century * (0.004817 + century * 0.000014))
        + sin(2 * anomaly) * (0.019993 - century * 0.000101)
        + sin(3 * anomaly) * 0.000289
    )
    node = radians(125.04 - 1934.136 * century)
    apparent_longitude = longitude + radians(centre - 0.00569 - 0.00478 * sin(node))
    obliquity = radians(23.439291 - 0.0130042 * century + 0.00256 * cos(node))
    half_tangent = tan(obliquity / 2) ** 2
    equation_of_time = 4 * degrees(
        half_tangent * sin(2 * longitude)
        - 2 * eccentricity * sin(anomaly)
        + 4 * eccentricity * half_tangent * sin(anomaly) * cos(2 * longitude)
        - half_tangent**2 / 2 * sin(4 * longitude)
        - 1.25 * eccentricity**2 * sin(2 * anomaly)
    )
    return asin(sin(obliquity) * sin(apparent_longitude)), equation_of_time


def answer(inputs: Inputs) -> Reply:
    """Inputs: town, date (default today)."""
    found = read_town_and_day(inputs)
    if isinstance(found, Reply):
        return found
    town, when = found
    sunrise, sunset = sunrise_and_sunset(town, when)
    hours, minutes = divmod((sunset - sunrise) // timedelta(minutes=1), 60)
    return Reply(
        content=f"{town.locative} tõuseb päike {on_day(when)} kell {sunrise:%H:%M} ja loojub kell {sunset:%H:%M}; "
        f"päev on {hours} h {minutes} min pikk."
    )
