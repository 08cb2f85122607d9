"""Numbers in queries of three languages."""

import pytest

from tool_classifier.intent.extractors.extraction import Extraction
from tool_classifier.intent.extractors.number import find_numbers


def values(text, language="et"):
    return [number.value for number in find_numbers(text, language)]


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("1 000", "et", "1000"),
        ("1\u00a0234\u00a0567", "ru", "1234567"),
        ("1'000'000", "en", "1000000"),
        ("1.000,50 eurot", "et", "1000.5"),
        ("1 000 000,5", "et", "1000000.5"),
        ("1,000.50 dollars", "en", "1000.5"),
        ("1.000.000", "et", "1000000"),
        ("2,5", "et", "2.5"),
        ("2,5", "en", "2.5"),
        ("10.50", "et", "10.5"),
        ("1,000", "en", "1000"),
        ("1,000", "et", "1"),
        ("2.500 eurot", "et", "2500"),
        ("2.500", "en", "2.5"),
        ("0.500", "et", "0.5"),
        ("007", "et", "7"),
        ("-5 kraadi", "et", "-5"),
        ("\u22125", "et", "-5"),
        ("10k", "en", "10000"),
        ("10 K", "et", "10000"),
        ("1,5k", "et", "1500"),
        ("100EUR", "et", "100"),
        ("100eurot", "et", "100"),
        ("50kg", "et", "50"),
        ("5 m", "et", "5"),
        ("15%", "et", "15"),
        ("buss number 17.", "et", "17"),
        ("$100", "en", "100"),
    ],
)
def test_digits_are_read_with_the_languages_separators(text, language, value):
    assert values(text, language) == [value]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("ühe euro eest", "1"),
        ("null eurot", "0"),
        ("50 senti", "0.5"),
        ("20 cents", "0.2"),
        ("30 копеек", "0.3"),
        ("2 eurot 50 senti", "2.5"),
        ("2 EUR ja 5 senti", "2.05"),
        ("3€ 20 senti", "3.2"),
        ("50 sentimeetrit", "50"),
        ("kaks päeva", "2"),
        ("kolme inimesega", "3"),
        ("üheteistkümne", "11"),
        ("viisteist", "15"),
        ("kakskümmend viis", "25"),
        ("kahekümne viie", "25"),
        ("sada", "100"),
        ("saja euro eest", "100"),
        ("sada kaks", "102"),
        ("kakssada viiskümmend", "250"),
        ("viiesaja", "500"),
        ("tuhande euro eest", "1000"),
        ("kolm tuhat kakssada", "3200"),
        ("5 tuhat", "5000"),
        ("2,5 tuhat", "2500"),
        ("kaks miljonit", "2000000"),
        ("poolteist miljonit", "1500000"),
        ("pool tundi", "0.5"),
        ("kuus eurot", "6"),
        ("viis inimest", "5"),
        ("one", "1"),
        ("twelve", "12"),
        ("twenty-one", "21"),
        ("two hundred and fifty", "250"),
        ("a hundred dollars", "100"),
        ("three thousand five hundred", "3500"),
        ("один доллар", "1"),
        ("за одного человека", "1"),
        ("двадцать пять", "25"),
        ("двести пятьдесят тысяч", "250000"),
        ("семьсот двадцать один", "721"),
        ("10 тыс рублей", "10000"),
        ("полтора миллиона", "1500000"),
        ("трёх", "3"),
    ],
)
def test_number_words_are_read_in_their_forms(text, value):
    assert values(text) == [value]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("kolm või neli", ["3", "4"]),
        ("2 3", ["2", "3"]),
        ("ten five", ["10", "5"]),
        ("twenty seventeen", ["20", "17"]),
        ("kakskümmend ja kolm", ["20", "3"]),
        ("sada 5", ["100", "5"]),
        ("tuhat sada", ["1000", "100"]),
        ("5 kaks", ["5", "2"]),
        ("2 inimest 50 senti", ["2", "0.5"]),
    ],
)
def test_numbers_that_do_not_belong_together_stay_apart(text, found):
    assert values(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "AS0012345",
        "RR123456789EE",
        "123ABC",
        "2-21-1234",
        "10-12",
        "10\u201312",
        "kell 9",
        "kell 16:30",
        "24.12.2026",
        "1.2.3",
        "1,23,4",
        "1.23,456,7",
        "3. klass",
        "4th",
        "1st place",
        "3a",
        "1e5",
        "+372 5555 1234",
        "#123",
        "file_7",
        "7_up",
        "9" * 30,
        "which one",
        "palju maksab kuus",
        "mis viisil",
        "sel viis on",
        "",
    ],
)
def test_codes_times_dates_ordinals_and_ranges_are_no_numbers(text):
    assert values(text) == []


def test_what_is_taken_is_left_out():
    taken = (Extraction(value="2026-12-24", start=0, end=13, text="24. detsember"),)

    assert [number.value for number in find_numbers("24. detsember 5 inimest", "et", taken=taken)] == ["5"]


def test_a_number_says_where_it_stands():
    text = "vaheta kakskümmend viis eurot"
    (number,) = find_numbers(text, "et")

    assert (number.text, text[number.start : number.end]) == ("kakskümmend viis", "kakskümmend viis")


def test_ten_thousand_digits_are_no_number_and_no_crash():
    assert values("1" * 10_000 + " sada") == ["100"]
