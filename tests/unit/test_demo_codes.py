"""Registry codes, personal codes and the body mass index."""

from datetime import date
from decimal import Decimal

import pytest

from tool_classifier.local.demo import health
from tool_classifier.local.demo.exchange import Inputs
from tool_classifier.local.demo.registry import (
    answer_company,
    answer_personal_code,
    birth_date,
    is_registry_code,
    load_organisations,
)


def ask(answer, *values):
    return answer(Inputs(values=values, today=date(2026, 12, 2))).content


def test_every_bundled_organisation_has_a_valid_code():
    codes = load_organisations()
    assert len(codes) == 21
    assert all(is_registry_code(code) for code in codes)


@pytest.mark.parametrize("code", ["10421628", "1042162", "104216290", "1042162a", "١٠٤٢١٦٢٩", ""])
def test_a_wrong_registry_code_is_refused(code):
    assert not is_registry_code(code)


def test_a_registry_code_may_need_the_second_round_of_weights():
    # The first round leaves 10 for both; the second leaves a digit for one and 10 again, hence 0, for the other.
    assert is_registry_code("10000062")
    assert is_registry_code("10000640")


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("", "Vastamiseks on puudu: kaheksakohaline registrikood."),
        (" 1042 1629 ", "Registrikood 10421629: Eesti Energia AS (äriregistri ettevõte)."),
        ("12345678", "Registrikood 12345678 on õige (äriregistri ettevõte), kuid näidisandmetes"),
        ("12345679", "Registrikood „12345679“ ei sobi. Õiges koodis on kaheksa numbrit"),
        ("20000002", "Registrikood 20000002 on õige (tundmatu liik), kuid"),
    ],
)
def test_company_answers(code, expected):
    assert ask(answer_company, code).startswith(expected)


@pytest.mark.parametrize(
    ("code", "born"), [("60001019906", date(2000, 1, 1)), ("50001010017", date(2000, 1, 1)), ("49901010017", None)]
)
def test_a_personal_code_holds_a_birth_date(code, born):
    found = birth_date(code)
    assert found == (born or date(1999, 1, 1))


@pytest.mark.parametrize(
    "code",
    [
        "60001019907",  # check digit
        "6000101990",  # too short
        "6000101990a",
        "60013019909",  # thirteenth month
        "00001019900",  # century
    ],
)
def test_a_wrong_personal_code_has_no_birth_date(code):
    assert birth_date(code) is None


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("", "Vastamiseks on puudu: üheteistkohaline isikukood."),
        ("60001019906", "Isikukood on õige: sünnikuupäev 1. jaanuar 2000, naine."),
        ("50001010017", "Isikukood on õige: sünnikuupäev 1. jaanuar 2000, mees."),
        ("12345678901", "See isikukood ei ole õige: vale on numbrite arv, sünnikuupäev või kontrollnumber."),
    ],
)
def test_personal_code_answers_do_not_repeat_the_code(code, expected):
    content = ask(answer_personal_code, code)
    assert content.startswith(expected)
    assert not code or code not in content


@pytest.mark.parametrize(
    ("index", "name"),
    [("18.4", "alakaal"), ("18.5", "normaalkaal"), ("25", "ülekaal"), ("29.9", "ülekaal"), ("30", "rasvumine")],
)
def test_categories_of_the_body_mass_index(index, name):
    assert health.category(Decimal(index)) == name


@pytest.mark.parametrize("height", ["180", "1,80"])
def test_height_is_in_centimetres_or_metres(height):
    assert ask(health.answer, "80", height) == "Kehamassiindeks on 24.7: normaalkaal (täiskasvanute skaala)."


def test_the_body_mass_index_names_what_is_missing():
    assert ask(health.answer, "80").startswith("Vastamiseks on puudu: pikkus.")
