"""Entity values against a service's declaration, and types from names."""

from datetime import date
from decimal import Decimal

import pytest

from tool_classifier.intent.entities import to_input, validate
from tool_classifier.intent.entity_types import infer_type
from tool_classifier.models import Entity, EntityType, Service

RATES = Service(id="rates", name="rates", entities=(Entity(name="amount"), Entity(name="target_currency")))


def test_values_come_back_in_the_services_order():
    validation = validate(RATES, {"target_currency": "THB", "amount": "1"})

    assert list(validation.values.items()) == [("amount", "1"), ("target_currency", "THB")]
    assert to_input(RATES, validation) == ("1", "THB")
    assert validation.missing_entities == validation.extra_entities == validation.warnings == ()
    assert validation.is_valid


def test_a_missing_and_a_null_value_become_empty_strings_and_are_listed():
    validation = validate(RATES, {"amount": None})

    assert to_input(RATES, validation) == ("", "")
    assert validation.missing_entities == ("amount", "target_currency")
    assert validation.warnings == ()
    assert validation.is_valid


def test_an_undeclared_value_is_dropped_and_listed():
    validation = validate(RATES, {"amount": "1", "colour": "red", "target_currency": "USD"})

    assert validation.values == {"amount": "1", "target_currency": "USD"}
    assert validation.extra_entities == ("colour",)


@pytest.mark.parametrize("blank", ["", "  ", "\t"])
def test_a_blank_value_is_sent_as_it_is_with_a_warning(blank):
    validation = validate(RATES, {"amount": blank, "target_currency": "USD"})

    assert to_input(RATES, validation) == (blank, "USD")
    assert validation.missing_entities == ()
    assert validation.warnings == ("entity 'amount' is empty",)
    assert validation.is_valid


@pytest.mark.parametrize(
    ("value", "sent"),
    [
        (100, "100"),
        (100.0, "100"),
        (-3.0, "-3"),
        (2.5, "2.5"),
        (0.1, "0.1"),
        (1e-7, "0.0000001"),
        (1e20, "100000000000000000000"),
        (True, "true"),
        ({"city": "Võru"}, '{"city": "Võru"}'),
        (["EUR", 1], '["EUR", 1]'),
        (date(2026, 3, 11), '"2026-03-11"'),
        ("007", "007"),
    ],
)
def test_values_of_any_kind_are_sent_as_strings(value, sent):
    assert validate(RATES, {"amount": value}).values["amount"] == sent


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_a_number_that_is_none_is_missing(value):
    validation = validate(RATES, {"amount": value, "target_currency": "USD"})

    assert validation.values["amount"] == ""
    assert validation.missing_entities == ("amount",)


def test_a_service_without_entities_gets_no_input():
    service = Service(id="s", name="s")

    assert to_input(service, validate(service, {"amount": Decimal(1)})) == ()


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("target_currency", EntityType.CURRENCY),
        ("targetCurrency", EntityType.CURRENCY),
        ("currency_from", EntityType.CURRENCY),
        ("valuuta", EntityType.CURRENCY),
        ("sihtvaluuta", EntityType.CURRENCY),
        ("Valuuta kood", EntityType.CURRENCY),
        ("kuupäev", EntityType.DATE),
        ("alguskuupäev", EntityType.DATE),
        ("date", EntityType.DATE),
        ("start_date", EntityType.DATE),
        ("currency_date", EntityType.DATE),
        ("date_of_birth", EntityType.DATE),
        ("linn", EntityType.PLACE),
        ("asukoht", EntityType.PLACE),
        ("sihtkoht", EntityType.PLACE),
        ("city", EntityType.PLACE),
        ("city_name", EntityType.PLACE),
        ("place", EntityType.PLACE),
        ("maakond", EntityType.PLACE),
        ("town", EntityType.PLACE),
        ("summa", EntityType.NUMBER),
        ("kogusumma", EntityType.NUMBER),
        ("amount", EntityType.NUMBER),
        ("arv", EntityType.NUMBER),
        ("kogus", EntityType.NUMBER),
        ("by_year", EntityType.NUMBER),
        ("aasta", EntityType.NUMBER),
        ("gross_salary", EntityType.NUMBER),
        ("brutopalk", EntityType.NUMBER),
        ("interest_rate", EntityType.NUMBER),
        ("number", EntityType.NUMBER),
        ("number_of_rooms", EntityType.NUMBER),
        ("document_number", EntityType.TEXT),
        ("telefoni number", EntityType.TEXT),
        ("by_month", EntityType.TEXT),
        ("update", EntityType.TEXT),
        ("candidate", EntityType.TEXT),
        ("capacity", EntityType.TEXT),
        ("töökoht", EntityType.TEXT),
        ("", EntityType.TEXT),
        ("🙂", EntityType.TEXT),
    ],
)
def test_a_type_is_read_from_a_name(name, kind):
    assert infer_type(name) is kind
