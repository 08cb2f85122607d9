"""Numbers, dates and wording of the demo services."""

from datetime import date
from decimal import Decimal

import pytest

from tool_classifier.local.demo.estonian import day, money, number, odd, on_day
from tool_classifier.local.demo.exchange import Inputs, Reply
from tool_classifier.local.demo.reading import Measure, read_date, read_measures, read_number, read_span

TODAY = date(2026, 12, 2)  # a Wednesday


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("100", "100"),
        ("1,5", "1.5"),
        ("1.5", "1.5"),
        ("0.125", "0.125"),
        ("1 000", "1000"),
        ("1 000 000,50", "1000000.5"),
        ("1,000", "1000"),
        ("1.000.000", "1000000"),
        ("1,000.50", "1000.5"),
        ("1.000,50", "1000.5"),
        ("2000-eurone palk", "2000"),
        ("umbes 20 eurot", "20"),
        ("10 20", "10"),
        ("-5", "-5"),
        ("150 g/km.", "150"),
    ],
)
def test_a_number_is_read_with_either_decimal_mark(text, value):
    assert read_number(text) == Decimal(value)


@pytest.mark.parametrize("text", ["", "palju", "€", "9" * 13, "1e3", "12e3", "10-20", "1/2"])
def test_a_text_without_a_usable_number_has_none(text):
    assert read_number(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-12-24", date(2026, 12, 24)),
        ("2026-12-24T10:00:00", date(2026, 12, 24)),
        ("24.12.2025", date(2025, 12, 24)),
        ("24. 12. 2025", date(2025, 12, 24)),
        ("24.12", date(2026, 12, 24)),
        ("1.3.", date(2027, 3, 1)),
        ("2.12", TODAY),
        ("24. detsember", date(2026, 12, 24)),
        ("24. detsembril 2028", date(2028, 12, 24)),
        ("15 mai", date(2027, 5, 15)),
        ("29. veebruar 2028", date(2028, 2, 29)),
        ("Täna", TODAY),
        ("homme", date(2026, 12, 3)),
        ("ülehomme", date(2026, 12, 4)),
        ("eile", date(2026, 12, 1)),
        ("tomorrow", date(2026, 12, 3)),
        ("завтра", date(2026, 12, 3)),
        ("laupäeval", date(2026, 12, 5)),
        ("esmaspäev", date(2026, 12, 7)),
        ("kolmapäeval", date(2026, 12, 9)),
    ],
)
def test_a_date_is_read(text, expected):
    assert read_date(text, TODAY) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("", "varsti", "31.2.2026", "2026-13-01", "29.2", "2 päeva", "24.12.1066", "2026", "2026-12", "0000-00-00"),
        *(
            "12",
            "31. veebruaril",
            "29. veebruar 2027",
            "31.06.2027",
            "03/04/2027",
            "nädalavahetusel",
            "järgmisel reedel",
        ),
        *("24.12.2026 või 25.12.2026", "24. detsember, 25. detsember", "reedel või laupäeval", "homme või ülehomme"),
    ],
)
def test_what_is_no_date_is_none(text):
    assert read_date(text, TODAY) is None


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2026-12", date(2026, 12, 1), date(2026, 12, 31)),
        ("2028-02", date(2028, 2, 1), date(2028, 2, 29)),
        ("2027", date(2027, 1, 1), date(2027, 12, 31)),
        ("homme", date(2026, 12, 3), date(2026, 12, 3)),
    ],
)
def test_a_span_is_a_day_a_month_or_a_year(text, first, last):
    assert read_span(text, TODAY) == (first, last)


@pytest.mark.parametrize("text", ["2026-13", "1066", "varsti"])
def test_what_is_no_span_is_none(text):
    assert read_span(text, TODAY) is None


MEASURES = (Measure(name="laius", least=1, most=10), Measure(name="kõrgus", least=1, most=10))


def measured(*values):
    return read_measures(Inputs(values=values, today=TODAY), MEASURES)


def test_measures_are_read_in_order():
    assert measured("2", "3,5", "99") == (Decimal(2), Decimal("3.5"))


def test_missing_measures_are_all_named():
    assert measured() == Reply(content="Vastamiseks on puudu: laius, kõrgus. Palun lisage see oma küsimusele.")
    assert measured("2", "") == Reply(content="Vastamiseks on puudu: kõrgus. Palun lisage see oma küsimusele.")


@pytest.mark.parametrize("value", ["0", "11", "lai"])
def test_an_odd_measure_is_named_with_its_range(value):
    assert measured(value, "3") == Reply(content=f"Laius „{value}“ ei sobi. Palun kirjutage arv vahemikus 1 kuni 10.")


def test_a_long_odd_value_is_shortened():
    assert odd("Linn", "a" * 41, "Palun.").content == f"Linn „{'a' * 40}…“ ei sobi. Palun."


@pytest.mark.parametrize(
    ("month", "written", "on"),
    [
        (1, "1. jaanuar 2026", "1. jaanuaril 2026"),
        (3, "1. märts 2026", "1. märtsil 2026"),
        (5, "1. mai 2026", "1. mail 2026"),
        (10, "1. oktoober 2026", "1. oktoobril 2026"),
        (12, "1. detsember 2026", "1. detsembril 2026"),
    ],
)
def test_dates_are_written_in_estonian(month, written, on):
    when = date(2026, month, 1)
    assert (day(when), on_day(when)) == (written, on)


@pytest.mark.parametrize(
    ("value", "text"), [("37.683", "37.68"), ("24", "24"), ("578.4", "578.40"), ("0.0049321", "0.004932"), ("0", "0")]
)
def test_sums_have_two_decimals_none_when_whole_and_more_when_tiny(value, text):
    assert money(Decimal(value)) == text


@pytest.mark.parametrize(
    ("value", "places", "text"), [(24.66, 1, "24.7"), (31.0, 1, "31"), (-0.4, 0, "0"), (120, 0, "120")]
)
def test_numbers_are_rounded_without_trailing_zeros(value, places, text):
    assert number(value, places=places) == text
