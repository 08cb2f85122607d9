"""Towns, and what depends on them: distance, climate, sun. And electricity, which depends on the day alone."""

from datetime import date, timedelta

import pytest

from tool_classifier.local.demo import energy, sun, weather
from tool_classifier.local.demo.exchange import Inputs
from tool_classifier.local.demo.geography import (
    answer_distance,
    answer_population,
    distance_km,
    find_town,
    load_towns,
)

TODAY = date(2026, 12, 2)


def ask(answer, *values):
    return answer(Inputs(values=values, today=TODAY)).content


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Tallinn", "Tallinn"),
        (" tallinnas ", "Tallinn"),
        ("Tallinnasse", "Tallinn"),
        ("Kohtla-Järvel", "Kohtla-Järve"),
        ("Jõgevalt", "Jõgeva"),
        ("OTEPÄÄ", "Otepää"),
        ("Таллинн", "Tallinn"),
        ("Нарве", "Narva"),
        ("Пярну", "Pärnu"),
    ],
)
def test_a_town_is_found_in_any_case_and_in_russian(text, name):
    assert find_town(text).name == name


@pytest.mark.parametrize("text", ["", "Paris", "Tartumaa", "Tallinnfilm", "Тартуский"])
def test_other_places_are_not_taken_for_a_town(text):
    assert find_town(text) is None


def test_towns_are_distinct_lie_in_estonia_and_have_a_climate():
    towns = load_towns()
    assert len({town.name for town in towns}) == len({town.russian_stem for town in towns}) == len(towns) == 28
    assert all(57.5 < town.latitude < 59.7 and 21.7 < town.longitude < 28.3 for town in towns)
    assert {town.station for town in towns} == set(weather.load_climates())
    assert [town.population for town in towns] == sorted((town.population for town in towns), reverse=True)


def test_distance_is_the_great_circle():
    tallinn, tartu = find_town("Tallinn"), find_town("Tartu")
    assert distance_km(tallinn, tartu) == pytest.approx(163.4, abs=0.1)
    assert distance_km(tartu, tallinn) == distance_km(tallinn, tartu)
    assert distance_km(tartu, tartu) == 0


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((), "Vastamiseks on puudu: esimene linn."),
        (("Tartu",), "Vastamiseks on puudu: teine linn."),
        (("Paris", "Tartu"), "Linn „Paris“ ei sobi. Andmed on olemas nende linnade kohta: Tallinn, Tartu,"),
        (("Tartu", "Paris"), "Linn „Paris“ ei sobi."),
        (("Tartu", "Tartus"), "Teine linn „Tartus“ ei sobi. Palun nimetage kaks eri linna."),
    ],
)
def test_distance_needs_two_towns(values, expected):
    assert ask(answer_distance, *values).startswith(expected)


def test_population_of_an_unknown_town():
    assert ask(answer_population, "Paris").startswith("Linn „Paris“ ei sobi.")


# ------------------------------------------------------------------------------------------------------ weather

CLIMATE = weather.Climate(temperatures=(-4, -2, *range(3, 13)), rain=(10,) * 12)


@pytest.mark.parametrize(
    ("when", "temperature"),
    [
        (date(2027, 1, 15), -4),
        (date(2027, 2, 15), -2),
        (date(2027, 1, 31), -4 + 2 * 16 / 31),
        (date(2027, 1, 14), 12 - 16 * 30 / 31),
        (date(2028, 2, 29), -2 + 5 * 14 / 29),
    ],
)
def test_temperature_is_linear_between_the_middles_of_months(when, temperature):
    assert weather.mean_temperature(CLIMATE, when) == pytest.approx(temperature)


@pytest.mark.parametrize("station", sorted(weather.load_climates()))
def test_climates_are_plausible(station):
    climate = weather.load_climates()[station]
    assert len(climate.temperatures) == len(climate.rain) == 12
    assert max(climate.temperatures) == climate.temperatures[6]
    assert 4.5 <= sum(climate.temperatures) / 12 <= 8.5
    assert 550 <= sum(climate.rain) <= 800


def test_weather_says_that_it_is_an_average_and_no_forecast():
    assert ask(weather.answer, "Kuressaare", "2027-01-15") == (
        "Kuressaares on 15. jaanuaril 2027 keskmiselt 0 °C, jaanuaris sajab keskmiselt 55 mm. "
        "See on pikaajaline keskmine, mitte ilmaprognoos."
    )


def test_a_month_stands_for_its_middle():
    assert ask(weather.answer, "Võru", "2027-01").startswith("Võrus on 16. jaanuaril 2027 keskmiselt -4 °C,")


@pytest.mark.parametrize("answer", [weather.answer, sun.answer])
@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((), "Vastamiseks on puudu: linn."),
        (("Paris",), "Linn „Paris“ ei sobi."),
        (("Tartu", "varsti"), "Päev „varsti“ ei sobi."),
        (("Tartu", "2027"), "Päev „2027“ ei sobi."),
    ],
)
def test_weather_and_sun_name_what_is_missing_or_odd(answer, values, expected):
    assert ask(answer, *values).startswith(expected)


# ---------------------------------------------------------------------------------------------------------- sun


@pytest.mark.parametrize(
    ("town", "when", "sunrise", "sunset"),
    [
        ("Tallinn", date(2026, 3, 20), "06:22", "18:35"),
        ("Tallinn", date(2026, 6, 21), "04:03", "22:42"),
        ("Tallinn", date(2026, 12, 21), "09:17", "15:20"),
    ],
)
def test_sunrise_and_sunset_agree_with_published_times_to_two_minutes(town, when, sunrise, sunset):
    times = sun.sunrise_and_sunset(find_town(town), when)
    for computed, published in zip(times, (sunrise, sunset), strict=True):
        hour, minute = map(int, published.split(":"))
        assert computed.date() == when
        assert abs(
            computed.replace(tzinfo=None) - computed.replace(tzinfo=None, hour=hour, minute=minute)
        ) <= timedelta(minutes=2)


def test_the_sun_rises_and_sets_every_day_and_noon_is_later_in_the_west():
    narva, kuressaare = find_town("Narva"), find_town("Kuressaare")
    for offset in range(366):
        when = date(2028, 1, 1) + timedelta(days=offset)
        sunrise, sunset = sun.sunrise_and_sunset(narva, when)
        assert timedelta(hours=6) < sunset - sunrise < timedelta(hours=19)
        western_sunrise, western_sunset = sun.sunrise_and_sunset(kuressaare, when)
        lag = ((western_sunrise - sunrise) + (western_sunset - sunset)) / 2
        assert lag == pytest.approx(timedelta(minutes=4 * (28.190 - 22.485)), abs=timedelta(minutes=1))


# -------------------------------------------------------------------------------------------------- electricity


def test_prices_are_the_same_for_a_date_every_time_and_differ_between_dates():
    prices = energy.hourly_prices(TODAY)
    assert prices == energy.hourly_prices(date(2026, 12, 2))
    assert prices != energy.hourly_prices(date(2026, 12, 3))
    assert len(prices) == 24
    assert all(1 < price < 40 for price in prices)


def test_nights_are_cheaper_than_evenings_and_weekends_cheaper_than_weekdays_on_the_whole():
    days = [date(2026, 1, 1) + timedelta(days=offset) for offset in range(365)]
    prices = {when: energy.hourly_prices(when) for when in days}
    assert all(sum(hours[0:5]) < sum(hours[17:22]) for hours in prices.values())
    means = {when: sum(hours) / 24 for when, hours in prices.items()}
    weekend = [mean for when, mean in means.items() if when.weekday() >= 5]
    workday = [mean for when, mean in means.items() if when.weekday() < 5]
    assert sum(weekend) / len(weekend) < sum(workday) / len(workday)


def test_prices_are_labelled_as_a_model():
    assert ask(energy.answer).endswith("Hinnad on arvutatud näidismudeliga, need ei ole börsihinnad.")


def test_prices_of_a_day_that_is_none():
    assert ask(energy.answer, "varsti").startswith("Päev „varsti“ ei sobi.")
