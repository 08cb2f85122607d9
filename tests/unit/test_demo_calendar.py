"""Holidays, working days and week numbers."""

from datetime import date

import pytest

from tool_classifier.local.demo.exchange import Inputs
from tool_classifier.local.demo.holidays import (
    answer_public_holidays,
    answer_school_holidays,
    answer_week_number,
    answer_working_days,
    easter_sunday,
    public_holidays,
    working_days,
)

TODAY = date(2026, 12, 2)


def ask(answer, *values, today=TODAY):
    return answer(Inputs(values=values, today=today)).content


@pytest.mark.parametrize(
    "easter",
    [date(1961, 4, 2), date(2000, 4, 23), date(2024, 3, 31), date(2025, 4, 20), date(2026, 4, 5), date(2038, 4, 25)],
)
def test_easter_falls_where_the_church_calendar_says(easter):
    assert easter_sunday(easter.year) == easter


def test_a_year_has_twelve_public_holidays_in_order():
    holidays = public_holidays(2026)
    assert len(holidays) == 12
    assert list(holidays) == sorted(holidays)
    assert holidays[date(2026, 4, 3)] == "suur reede"
    assert holidays[date(2026, 5, 24)] == "nelipühade 1. püha"


@pytest.mark.parametrize(
    ("first", "last", "count"),
    [
        (date(2026, 12, 24), date(2026, 12, 26), 0),
        (date(2026, 12, 5), date(2026, 12, 6), 0),
        (date(2026, 12, 7), date(2026, 12, 7), 1),
        (date(2026, 12, 31), date(2027, 1, 4), 2),
        (date(2027, 1, 1), date(2027, 12, 31), 254),
    ],
)
def test_working_days_leave_out_weekends_and_holidays(first, last, count):
    assert working_days(first, last) == count


@pytest.mark.parametrize("value", ["", "24", "varsti"])
def test_public_holidays_without_a_year_are_those_of_this_year(value):
    assert ask(answer_public_holidays, value).startswith("2026. aasta riigipühad: 1.01 uusaasta; 24.02")


def test_public_holidays_of_another_year():
    assert ask(answer_public_holidays, "2027").startswith("2027. aasta riigipühad: 1.01 uusaasta; 24.02")


@pytest.mark.parametrize("value", ["1850", "1918", "2101", "3000"])
def test_public_holidays_of_a_year_without_data_are_refused_with_the_range(value):
    expected = f"Aasta „{value}“ ei sobi. Palun kirjutage aasta vahemikus 1919 kuni 2100."
    assert ask(answer_public_holidays, value) == expected


def test_the_next_holiday_may_be_today_or_next_year():
    assert ask(answer_public_holidays, today=date(2026, 12, 26)).endswith("26. detsember 2026, teine jõulupüha.")
    assert ask(answer_public_holidays, today=date(2026, 12, 27)).endswith("1. jaanuar 2027, uusaasta.")


def test_a_school_holiday_that_is_on_is_told_first():
    assert ask(answer_school_holidays, today=date(2026, 12, 24)).startswith(
        "Praegu on jõuluvaheaeg, see kestab kuni 3. jaanuar 2027. Tulevad koolivaheajad: talvevaheaeg 22. veebruar 2027"
    )


def test_the_last_known_school_holiday_has_none_after_it():
    assert (
        ask(answer_school_holidays, today=date(2027, 8, 1)) == "Praegu on suvevaheaeg, see kestab kuni 31. august 2027."
    )


def test_school_holidays_that_are_not_known_yet_are_not_invented():
    expected = "Järgmise õppeaasta koolivaheaegu minu andmetes veel ei ole."
    assert ask(answer_school_holidays, today=date(2027, 9, 1)) == expected


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (("2026-12-01", "2026-12-31"), "1. detsember 2026 – 31. detsember 2026: 21 tööpäeva"),
        (("2026-12-31", "2026-12-01"), "1. detsember 2026 – 31. detsember 2026: 21 tööpäeva"),
        (("", "2026-12-31"), "2. detsember 2026 – 31. detsember 2026: 20 tööpäeva"),
        (("2026-12",), "1. detsember 2026 – 31. detsember 2026: 21 tööpäeva"),
        (("2027",), "1. jaanuar 2027 – 31. detsember 2027: 254 tööpäeva"),
        (("2026-12", "2027-01"), "1. detsember 2026 – 31. jaanuar 2027: 41 tööpäeva"),
        (("1. detsember 2027", "15. jaanuar"), "1. detsember 2027 – 15. jaanuar 2028: 32 tööpäeva"),
        ((), "Vastamiseks on puudu: viimane päev."),
        (("31. veebruaril", "2027-03-31"), "Päev „31. veebruaril“ ei sobi."),
        (("2026-12-01",), "Vastamiseks on puudu: viimane päev."),
        (("varsti", "2026-12-01"), "Päev „varsti“ ei sobi."),
        (("2026-12-01", "hiljem"), "Päev „hiljem“ ei sobi."),
        (("1950", "2050"), "Ajavahemik „1950-01-01 – 2050-12-31“ ei sobi."),
    ],
)
def test_working_days_between_two_days_or_in_a_month(values, expected):
    assert ask(answer_working_days, *values).startswith(expected)


def test_week_number_of_a_day_that_is_none():
    assert ask(answer_week_number, "varsti").startswith("Päev „varsti“ ei sobi.")


def test_week_number_belongs_to_the_iso_year():
    assert ask(answer_week_number, "2027-01-03") == "3. jaanuaril 2027 on 2026. aasta 53. nädal, pühapäev."
