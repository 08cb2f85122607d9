"""Values found in a query reach the right entities of a service."""

from datetime import date

import pytest

from tool_classifier.intent.extractors import extract
from tool_classifier.intent.extractors.assignment import side_of
from tool_classifier.intent.extractors.extraction import Side
from tool_classifier.models import Entity, EntityType

TODAY = date(2026, 3, 11)


def found(text, *names_and_types, language="et"):
    entities = [Entity(name=name, type=kind) for name, kind in names_and_types]
    return dict(extract(text, language, entities, today=TODAY))


SOURCE = ("source_currency", EntityType.CURRENCY)
TARGET = ("target_currency", EntityType.CURRENCY)
CURRENCY = ("valuuta", EntityType.CURRENCY)
AMOUNT = ("amount", EntityType.NUMBER)
PLACE = ("asukoht", EntityType.PLACE)
ORIGIN, DESTINATION = ("origin", EntityType.PLACE), ("destination", EntityType.PLACE)
START, END = ("start_date", EntityType.DATE), ("end_date", EntityType.DATE)
DATE = ("kuupäev", EntityType.DATE)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Palju saan 1 EUR eest THBdes?", {"amount": "1", "source_currency": "EUR", "target_currency": "THB"}),
        ("How much is 100 EUR in USD?", {"amount": "100", "source_currency": "EUR", "target_currency": "USD"}),
        ("Сколько стоит доллар в евро?", {"source_currency": "USD", "target_currency": "EUR"}),
        ("mitu jeeni saab ühe euro eest", {"amount": "1", "source_currency": "EUR", "target_currency": "JPY"}),
        ("euro ja dollari kurss", {"source_currency": "EUR", "target_currency": "USD"}),
        ("dollari kurss", {"target_currency": "USD"}),
        ("$100", {"amount": "100", "source_currency": "USD"}),
        ("mitme euro eest saab 30 dollarit", {"amount": "30", "source_currency": "USD", "target_currency": "EUR"}),
        ("50 senti dollarites", {"amount": "0.5", "target_currency": "USD"}),
        ("2 eurot 50 senti dollarites", {"amount": "2.5", "source_currency": "EUR", "target_currency": "USD"}),
        ("null eurot dollarites", {"amount": "0", "source_currency": "EUR", "target_currency": "USD"}),
        ("1e3 EUR dollarites", {"amount": "1e3", "source_currency": "EUR", "target_currency": "USD"}),
        ("10-20 eurot dollarites", {"amount": "10-20", "source_currency": "EUR", "target_currency": "USD"}),
        (f"{'9' * 29} eurot dollarites", {"amount": "9" * 29, "source_currency": "EUR", "target_currency": "USD"}),
        ("USD 1e3 eurodes", {"amount": "1e3", "source_currency": "USD", "target_currency": "EUR"}),
        ("5.10 eurot dollarites", {"amount": "5.1", "source_currency": "EUR", "target_currency": "USD"}),
        ("and in yen?", {"target_currency": "JPY"}),
        ("tere", {}),
    ],
)
def test_currencies_and_amount_of_an_exchange(text, values):
    # The declared order is not the order of the text.
    assert found(text, TARGET, AMOUNT, SOURCE) == values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Palju saan 1 EUR eest THBdes?", {"target_currency": "THB"}),
        ("dollari kurss", {"target_currency": "USD"}),
        ("Palju saan 100 euro eest?", {}),
    ],
)
def test_a_service_with_only_a_target_takes_no_source(text, values):
    assert found(text, TARGET) == values


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Palju saan 1 EUR eest THBdes?", "THB"),
        ("100 dollarit eurodes", "USD"),
        ("50 naela jeenides", "JPY"),
        ("naela ja jeeni kurss", "GBP"),
        ("euro kurss", "EUR"),
    ],
)
def test_a_single_currency_is_the_foreign_one_then_the_wanted_one(text, value):
    assert found(text, CURRENCY) == {"valuuta": value}


def test_two_currencies_without_sides_share_in_the_order_of_the_text():
    first, second = ("currency1", EntityType.CURRENCY), ("currency2", EntityType.CURRENCY)

    assert found("mitu jeeni saab ühe euro eest", first, second) == {"currency1": "JPY", "currency2": "EUR"}


def test_from_and_to_of_a_journey():
    assert found("Viimane buss Tallinnast Tartusse", DESTINATION, ORIGIN) == {
        "destination": "Tartu",
        "origin": "Tallinn",
    }
    assert found("buss Tallinn Tartu", ORIGIN, DESTINATION) == {"origin": "Tallinn", "destination": "Tartu"}
    assert found("buss Tallinnast Tartu", ORIGIN, DESTINATION) == {"origin": "Tallinn", "destination": "Tartu"}
    assert found("buss Tallinn Tartusse", ORIGIN, DESTINATION) == {"origin": "Tallinn", "destination": "Tartu"}
    assert found("buss Tallinn", ORIGIN, DESTINATION) == {"destination": "Tallinn"}
    assert found("Tallinnast", DESTINATION) == {}


def test_a_single_place_is_the_settlement_then_the_destination_then_the_first():
    assert found("Eestis Tartus", PLACE) == {"asukoht": "Tartu"}
    assert found("buss Tallinnast Tartusse", PLACE) == {"asukoht": "Tartu"}
    assert found("Võru või Valga ilm", PLACE) == {"asukoht": "Võru"}


def test_start_and_end_of_a_period():
    assert found("10.-12. aprill", START, END) == {"start_date": "2026-04-10", "end_date": "2026-04-12"}
    assert found("homme", START, END) == {"start_date": "2026-03-12"}
    assert found("kuni 5. aprillini", START, END) == {"end_date": "2026-04-05"}
    assert found("10.06.2026 kuni 20.07.2026", END, START) == {"start_date": "2026-06-10", "end_date": "2026-07-20"}
    assert found("28. veebruar \u2013 3. märts", START, END) == {"start_date": "2026-02-28", "end_date": "2026-03-03"}


@pytest.mark.parametrize("text", ["1.03.2027-31.03.2027", "1.3.27-31.3.27", "1.03-31.03.2027", "1.03.-31.03.2027"])
def test_a_period_in_digits_needs_no_spaces(text):
    assert found(text, START, END) == {"start_date": "2027-03-01", "end_date": "2027-03-31"}


def test_a_period_to_the_end_of_the_year_has_an_end_only():
    assert found("Mitu tööpäeva jääb aasta lõpuni?", START, END) == {"end_date": "2026-12-31"}


def test_of_two_dates_none_is_taken_for_one_entity_but_what_is_written():
    assert found("ilm homme või ülehomme Tartus", DATE) == {"kuupäev": "homme või ülehomme"}
    assert found("10.-12. aprill", DATE) == {"kuupäev": "10.-12. aprill"}


def test_a_date_that_cannot_be_read_reaches_the_service_as_written():
    assert found("ilm 31. veebruaril", DATE) == {"kuupäev": "31. veebruaril"}
    assert found("1. märtsist 31. juunini 2027", START, END) == {
        "start_date": "2027-03-01",
        "end_date": "31. juunini 2027",
    }


def test_a_whole_date_is_taken_before_a_month():
    assert found("detsembris, 24.12.2026", DATE) == {"kuupäev": "2026-12-24"}


def test_numbers_inside_dates_are_no_amounts_and_money_comes_first():
    assert found("3 inimest, 24. detsember 2026, 50 eurot", AMOUNT) == {"amount": "50"}
    assert found("inflatsioon aastal 2020", AMOUNT) == {}
    assert found("USD 20 ja 3 inimest", AMOUNT) == {"amount": "20"}


WEIGHT, HEIGHT = ("weight", EntityType.NUMBER), ("pikkus", EntityType.NUMBER)
LOAN, RATE, YEARS = ("laenusumma", EntityType.NUMBER), ("interest", EntityType.NUMBER), ("years", EntityType.NUMBER)


@pytest.mark.parametrize(
    ("text", "language", "values"),
    [
        ("olen 180 cm pikk ja kaalun 80 kg", "et", {"weight": "80", "pikkus": "180"}),
        ("pikkus 180, kaal 80", "et", {"weight": "80", "pikkus": "180"}),
        ("my height is 1.8 m, weight 80", "en", {"weight": "80", "pikkus": "1.8"}),
        ("мой рост 180 см, вес 80 кг", "ru", {"weight": "80", "pikkus": "180"}),
        ("80 ja 180", "et", {"weight": "80", "pikkus": "180"}),
        ("80 ja 180 cm", "et", {"weight": "80", "pikkus": "180"}),
        ("180 cm", "et", {"pikkus": "180"}),
        ("25 eurot", "et", {}),
        ("180 pounds and 6 feet", "en", {}),
        ("100 kilomeetrit", "et", {}),
        ("0,1 tonni", "et", {}),
    ],
)
def test_a_number_goes_to_the_entity_of_its_quantity(text, language, values):
    assert found(text, WEIGHT, HEIGHT, language=language) == values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("30 aastat, 4% ja 100 000 eurot", {"laenusumma": "100000", "interest": "4", "years": "30"}),
        ("20000-eurose laenu intress", {"laenusumma": "20000"}),
        ("$5000 10 years", {"laenusumma": "5000", "years": "10"}),
        ("5000 USD kümneks, 3 protsenti", {"laenusumma": "5000", "interest": "3"}),
        ("laen 5000", {"laenusumma": "5000"}),
        ("10000 eur for 36 months at 10%", {"laenusumma": "10000", "interest": "10"}),
        ("10000 eurot 36 kuuks", {"laenusumma": "10000"}),
    ],
)
def test_money_percent_and_years_are_told_apart(text, values):
    assert found(text, RATE, LOAN, YEARS) == values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("net salary of 2500 a month", {"gross": "2500"}),
        ("45k per year", {}),
        ("30000 eurot aastas", {}),
        ("15 € tunnis", {}),
        ("annual salary of 45000", {}),
        ("45000 в год", {}),
    ],
)
def test_what_is_earned_in_another_period_is_no_monthly_salary(text, values):
    salary = Entity(name="gross", type=EntityType.NUMBER, description="Brutopalk kuus, eurot")

    assert extract(text, "en", [salary], today=TODAY) == values


@pytest.mark.parametrize(
    ("text", "language", "year"),
    [
        ("public holidays next year", "en", "2027"),
        ("riigipühad järgmisel aastal", "et", "2027"),
        ("праздники в следующем году", "ru", "2027"),
        ("3000. aasta riigipühad", "et", "3000"),
        ("riigipühad 1850", "et", "1850"),
    ],
)
def test_a_year_may_be_named_from_this_year_or_lie_far_away(text, language, year):
    assert found(text, ("year", EntityType.NUMBER), language=language) == {"year": year}


def test_a_quantity_is_also_read_from_an_entitys_description():
    entities = [
        Entity(name="x", type=EntityType.NUMBER, description="Täismass, kg"),
        Entity(name="y", type=EntityType.NUMBER, description="CO2 eriheide, g/km"),
    ]

    assert extract("CO2 150 g/km ja 1900 kg", "et", entities, today=TODAY) == {"x": "1900", "y": "150"}


def test_entities_of_no_known_quantity_share_numbers_in_the_order_of_the_text():
    first, second = ("a", EntityType.NUMBER), ("b", EntityType.NUMBER)

    assert found("7 kg ja 3", first, second) == {"a": "7", "b": "3"}
    assert found("7 kg", first, second) == {"a": "7"}
    assert found("1 2 5 eurot", first, second) == {"a": "1", "b": "5"}


def test_quoted_text_goes_to_text_entities_in_order():
    title, body = ("title", EntityType.TEXT), ("body", EntityType.TEXT)

    assert found('saada "Tere" ja „Head aega“', title, body) == {"title": "Tere", "body": "Head aega"}
    assert found("отправь «привет»", title) == {"title": "привет"}
    assert found("saada “ tere ”", title) == {"title": "tere"}
    assert found("saada tere", title) == {}


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("registrikood", "Leia firma registrikoodiga 10000000", "10000000"),
        ("registry_code", "company 12345678", "12345678"),
        ("isikukood", "isik 38001085718", "38001085718"),
        ("car_plate", "auto 123abc", "123ABC"),
        ("reg_number", "auto 456 DEF", "456DEF"),
        ("numbrimärk", "numbrimärk 12 ABC", "12ABC"),
        ("tracking_code", "pakk rr123456789ee", "RR123456789EE"),
        ("saadetise_number", "pakk RR123456789EE", "RR123456789EE"),
        ("document_number", "pass AS0012345", "AS0012345"),
        ("email", "kirjuta Mari@naide.ee", "Mari@naide.ee"),
    ],
)
def test_codes_are_found_by_the_entitys_name(name, text, value):
    assert found(text, (name, EntityType.TEXT)) == {name: value}
    assert found("tere", (name, EntityType.TEXT)) == {}


def test_a_year_is_found_by_the_entitys_name():
    year = ("by_year", EntityType.NUMBER)

    assert found("Palun 2012 jaanuar tarbijahinna indeksit", year) == {"by_year": "2012"}
    assert found("milline on 2024 inflatsioonimäär 5 protsenti", year, AMOUNT) == {"by_year": "2024", "amount": "5"}


def test_values_come_in_the_services_order():
    assert list(found("Tartus 5 EUR homme", DATE, PLACE, AMOUNT, CURRENCY)) == [
        "kuupäev",
        "asukoht",
        "amount",
        "valuuta",
    ]


@pytest.mark.parametrize(
    ("name", "side"),
    [
        ("source_currency", Side.SOURCE),
        ("fromCurrency", Side.SOURCE),
        ("lähtevaluuta", Side.SOURCE),
        ("alguskuupäev", Side.SOURCE),
        ("target_currency", Side.TARGET),
        ("to", Side.TARGET),
        ("sihtvaluuta", Side.TARGET),
        ("lõppkuupäev", Side.TARGET),
        ("valuuta", None),
        ("", None),
    ],
)
def test_a_side_is_read_from_an_entitys_name(name, side):
    assert side_of(name) is side


def test_the_other_side_of_each_side():
    assert (Side.SOURCE.other, Side.TARGET.other) == (Side.TARGET, Side.SOURCE)
