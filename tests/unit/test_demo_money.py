"""Currency, taxes and loans."""

from datetime import date
from decimal import Decimal

import pytest

from tool_classifier.local.demo import currency
from tool_classifier.local.demo.exchange import Inputs
from tool_classifier.local.demo.loans import answer as answer_loan
from tool_classifier.local.demo.loans import monthly_payment
from tool_classifier.local.demo.taxes import answer_car_tax, answer_net_salary, car_tax, net_salary


def ask(answer, *values):
    return answer(Inputs(values=values, today=date(2026, 12, 2))).content


def test_the_bundled_rates_are_one_day_of_the_central_bank():
    rates = currency.load_rates()
    assert rates.day == date(2026, 10, 30)
    assert len(rates.per_euro) == 30
    assert set(rates.names) == set(rates.per_euro)
    assert (rates.per_euro["EUR"], rates.per_euro["THB"]) == (1, Decimal("37.683"))


def test_conversion_goes_through_the_euro():
    rates = currency.load_rates()
    assert currency.convert(Decimal(100), "USD", "GBP", rates) == pytest.approx(Decimal("74.633"), abs=Decimal("0.001"))
    assert currency.convert(Decimal(5), "SEK", "SEK", rates) == pytest.approx(Decimal(5))


@pytest.mark.parametrize(
    ("text", "code"),
    [("usd", "USD"), ("€", "EUR"), ("£", "GBP"), ("Rootsi KROON", "SEK"), ("XYZ", None), ("dollar", None)],
)
def test_a_currency_is_a_code_a_symbol_or_its_full_name(text, code):
    assert currency.find_currency(text, currency.load_rates()) == code


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (("", "EUR", "THB"), "1 EUR = 37.68 THB (EKP kurss 2026-10-30)"),
        (("100", "", "USD"), "100 EUR = 111.72 USD (EKP kurss 2026-10-30)"),
        (("100", "USD"), "100 USD = 89.51 EUR (EKP kurss 2026-10-30)"),
        (("1000", "IDR", "EUR"), "1000 IDR = 0.04932 EUR (EKP kurss 2026-10-30)"),
        (("1,5", "SEK", "JPY"), "1.50 SEK = 24 JPY (EKP kurss 2026-10-30)"),
        (("3", "EUR", "EUR"), "3 EUR = 3 EUR (EKP kurss 2026-10-30)"),
        ((), "Vastamiseks on puudu: lähtevaluuta, sihtvaluuta. Palun lisage see oma küsimusele."),
        (("5", "EUR"), "Vastamiseks on puudu: teine valuuta. Palun lisage see oma küsimusele."),
        (("0", "EUR", "USD"), "0 EUR = 0 USD (EKP kurss 2026-10-30)"),
        (("1e3", "EUR", "USD"), "Summa „1e3“ ei sobi. Palun kirjutage see numbritega, näiteks 100."),
        (("palju", "EUR", "USD"), "Summa „palju“ ei sobi. Palun kirjutage see numbritega, näiteks 100."),
    ],
)
def test_currency_answers(values, expected):
    assert ask(currency.answer, *values) == expected


@pytest.mark.parametrize("values", [("1", "XYZ", "EUR"), ("1", "EUR", "XYZ")])
def test_an_unknown_currency_is_named_with_the_known_ones(values):
    assert ask(currency.answer, *values).startswith(
        "Valuuta „XYZ“ ei sobi. Euroopa Keskpanga kursid on valuutadele AUD, BRL,"
    )


@pytest.mark.parametrize(
    ("gross", "net", "tax"), [("2000", "1657.84", "270.16"), ("700", "674.80", "0.00"), ("1000", "905.92", "58.08")]
)
def test_net_salary_is_what_remains_after_tax_insurance_and_pension(gross, net, tax):
    salary = net_salary(Decimal(gross))
    assert (salary.net, salary.income_tax) == (Decimal(net), Decimal(tax))
    assert salary.net + salary.income_tax + salary.unemployment_insurance + salary.pension == Decimal(gross)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("", "Vastamiseks on puudu: brutopalk."),
        ("palju", "Brutopalk „palju“ ei sobi."),
        ("0", "Brutopalk „0“ ei sobi."),
    ],
)
def test_salary_names_what_is_missing_or_odd(value, expected):
    assert ask(answer_net_salary, value).startswith(expected)


@pytest.mark.parametrize(
    ("co2", "mass", "tax"),
    [
        (100, 1500, 50),
        (117, 2000, 50),
        (118, 2000, 53),
        (150, 1990, 149),
        (196, 2350, 450),
        (299, 2860, 1064),
        (350, 1500, 924),
        (0, 3500, 450),
    ],
)
def test_car_tax_adds_base_emissions_and_mass(co2, mass, tax):
    assert car_tax(Decimal(co2), Decimal(mass)) == tax


def test_car_tax_names_what_is_missing():
    assert ask(answer_car_tax) == "Vastamiseks on puudu: CO2 eriheide, täismass. Palun lisage see oma küsimusele."
    assert ask(answer_car_tax, "5000", "1900").startswith("CO2 eriheide „5000“ ei sobi.")


@pytest.mark.parametrize(
    ("amount", "interest", "years", "payment"),
    [("100000", "4", "30", "477.42"), ("12000", "0", "1", "1000"), ("10000", "12", "1", "888.49")],
)
def test_an_annuity_is_paid_in_equal_parts(amount, interest, years, payment):
    computed = monthly_payment(Decimal(amount), Decimal(interest), Decimal(years))
    assert round(computed, 2) == Decimal(payment)


def test_a_loan_names_what_is_missing():
    assert ask(answer_loan, "1000").startswith("Vastamiseks on puudu: intress, tähtaeg.")
