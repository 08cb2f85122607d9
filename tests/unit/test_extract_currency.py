"""Currencies in queries of three languages: which, and which way round."""

import pytest

from tool_classifier.intent.extractors.currency import find_currencies
from tool_classifier.intent.extractors.extraction import Side
from tool_classifier.intent.extractors.number import find_numbers


def find(text, language="et"):
    return find_currencies(text, find_numbers(text, language))


def codes(text):
    return [currency.value for currency in find(text)]


def sides(text):
    found = {currency.side: currency.value for currency in find(text)}
    return found.get(Side.SOURCE), found.get(Side.TARGET)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        # codes, alone and with Estonian endings
        ("EUR", "EUR"),
        ("thb", "THB"),
        ("Usd", "USD"),
        ("THBdes", "THB"),
        ("USD-des", "USD"),
        ("USD'des", "USD"),
        ("EURides", "EUR"),
        ("eurides", "EUR"),
        ("SEKi", "SEK"),
        ("100EUR", "EUR"),
        ("USD100", "USD"),
        ("ALL", "ALL"),
        # signs
        ("$5", "USD"),
        ("A$5", "AUD"),
        ("5€", "EUR"),
        ("£", "GBP"),
        ("¥", "JPY"),
        ("5 ₽", "RUB"),
        ("5 zł", "PLN"),
        # Estonian
        ("eurodes", "EUR"),
        ("eurosid", "EUR"),
        ("dollarit", "USD"),
        ("dollarite", "USD"),
        ("dollareid", "USD"),
        ("USA dollarites", "USD"),
        ("Kanada dollarites", "CAD"),
        ("kroonides", "SEK"),
        ("Rootsi krooni", "SEK"),
        ("Norra kroonides", "NOK"),
        ("taani kroonid", "DKK"),
        ("Tšehhi kroonides", "CZK"),
        ("tsehhi kroon", "CZK"),
        ("Islandi kroonideks", "ISK"),
        ("Eesti krooni", "EEK"),
        ("jeenides", "JPY"),
        ("naela", "GBP"),
        ("Inglise naeltes", "GBP"),
        ("naelsterlingit", "GBP"),
        ("rublades", "RUB"),
        ("Valgevene rublades", "BYN"),
        ("bahtides", "THB"),
        ("Tai baati", "THB"),
        ("zlottides", "PLN"),
        ("frankides", "CHF"),
        ("Šveitsi frangi", "CHF"),
        ("jüaanides", "CNY"),
        ("juaanides", "CNY"),
        ("grivnades", "UAH"),
        ("Saksa marka", "DEM"),
        ("Lõuna-Korea vonnides", "KRW"),
        ("dollarikurss", "USD"),
        ("Rootsi kroonikurssi", "SEK"),
        # English
        ("US dollars", "USD"),
        ("U.S. dollars", "USD"),
        ("Canadian dollars", "CAD"),
        ("Swiss francs", "CHF"),
        ("Swedish kronor", "SEK"),
        ("Swedish crowns", "SEK"),
        ("the Norwegian krone", "NOK"),
        ("Czech koruna", "CZK"),
        ("pounds sterling", "GBP"),
        ("pounds", "GBP"),
        ("bucks", "USD"),
        ("yen", "JPY"),
        ("zlotys", "PLN"),
        ("hryvnias", "UAH"),
        ("South Korean won", "KRW"),
        ("South African rand", "ZAR"),
        # Russian
        ("долларов", "USD"),
        ("доллара США", "USD"),
        ("канадских долларах", "CAD"),
        ("евро", "EUR"),
        ("в рублях", "RUB"),
        ("рублей", "RUB"),
        ("белорусских рублей", "BYN"),
        ("иен", "JPY"),
        ("йены", "JPY"),
        ("фунтов стерлингов", "GBP"),
        ("фунтах", "GBP"),
        ("шведской кроны", "SEK"),
        ("норвежских кронах", "NOK"),
        ("швейцарского франка", "CHF"),
        ("юаней", "CNY"),
        ("злотых", "PLN"),
        ("польского злотого", "PLN"),
        ("гривен", "UAH"),
        ("тайских батов", "THB"),
        ("руб.", "RUB"),
    ],
)
def test_a_currency_is_found_as_code_sign_or_name(text, code):
    assert codes(text) == [code]


@pytest.mark.parametrize(
    "text",
    [
        "see on all, try the top pen and cup, won a real mark",
        "rand ja mark ja latt",
        "seks ja sekte",
        "sekundites",
        "eest",
        "льва вон лей",
        "LBP2900B printer",
        "KMD aruanne",
        "MÕTLE ALL TRY TOP",
        "rubriik",
        "eurooplane",
        "",
    ],
)
def test_everyday_words_are_no_currencies(text):
    assert codes(text) == []


def test_shouting_makes_no_codes_of_words_but_keeps_the_codes():
    assert sides("PALJU SAAN 1 EUR EEST THBDES") == ("EUR", "THB")


@pytest.mark.parametrize(
    ("text", "source", "target"),
    [
        # Estonian
        ("Palju saan 1 EUR eest THBdes?", "EUR", "THB"),
        ("kui palju on 100 dollarit eurodes", "USD", "EUR"),
        ("mitu jeeni saab ühe euro eest", "EUR", "JPY"),
        ("mitu eurot on 1 000 jeeni", "JPY", "EUR"),
        ("Palju ma oma dollarite eest eurosid saan?", "USD", "EUR"),
        ("Kuidas seisab zlott täna euro vastu?", "PLN", "EUR"),
        ("Rootsi krooni vahetuskurss euro suhtes", "SEK", "EUR"),
        ("vaheta 100 eurot Rootsi kroonideks", "EUR", "SEK"),
        ("osta 100 dollarit eurode eest", "EUR", "USD"),
        ("vaheta eurodest naeladesse", "EUR", "GBP"),
        ("eurolt dollarile", "EUR", "USD"),
        ("100 euroga saab dollareid", "EUR", "USD"),
        ("mitu dollarit ühe euro kohta", "EUR", "USD"),
        ("euro ja dollari kurss", None, None),
        ("eurod THBdes", "EUR", "THB"),
        # English
        ("How much is 100 EUR in USD?", "EUR", "USD"),
        ("Convert 50 pounds to Swiss francs", "GBP", "CHF"),
        ("How many euros do I get for 50 pounds?", "GBP", "EUR"),
        ("how many euros in 50 pounds", "GBP", "EUR"),
        ("how many dollars are in a euro", "EUR", "USD"),
        ("exchange pounds for euros", "GBP", "EUR"),
        ("buy dollars for euros", "EUR", "USD"),
        ("from USD to the euro", "USD", "EUR"),
        ("dollars per euro", "EUR", "USD"),
        ("yen against the dollar", "JPY", "USD"),
        ("$50 in euros", "USD", "EUR"),
        ("£20 in zł", "GBP", "PLN"),
        ("USD 100 to EUR", "USD", "EUR"),
        # Russian
        ("Сколько стоит доллар в евро?", "USD", "EUR"),
        ("50 фунтов в рублях", "GBP", "RUB"),
        ("Сколько долларов я получу за 200 евро?", "EUR", "USD"),
        ("сколько рублей в одном долларе", "USD", "RUB"),
        ("сколько рублей в долларе", "USD", "RUB"),
        ("обменять 5 тысяч рублей на евро", "RUB", "EUR"),
        ("обменяю доллары за рубли", "USD", "RUB"),
        ("курс доллара к евро", "USD", "EUR"),
        ("из евро в доллары", "EUR", "USD"),
        # mixed
        ("palju on 100 eurot in dollars", "EUR", "USD"),
    ],
)
def test_of_two_currencies_one_is_given_and_the_other_wanted(text, source, target):
    assert sides(text) == (source, target)


def test_a_pair_written_as_one_word_is_two_currencies():
    assert codes("EURUSD") == ["EUR", "USD"]
    assert codes("USD/EUR") == ["USD", "EUR"]
    assert codes("ABCUSD") == []
    assert codes("XXX ja USD") == ["USD"]


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("dollari kurss", None),
        ("50 dollarit", Side.SOURCE),
        ("$100", Side.SOURCE),
        ("dollari eest", Side.SOURCE),
        ("and in yen?", Side.TARGET),
        ("в рублях", Side.TARGET),
    ],
)
def test_a_lone_currency_has_a_side_when_it_is_marked(text, side):
    assert [currency.side for currency in find(text)] == [side]


def test_a_currency_named_twice_is_found_once_with_its_better_mark():
    (euro,) = find("euro, saan euro eest")

    assert (euro.value, euro.side) == ("EUR", Side.SOURCE)


def test_of_three_currencies_each_keeps_its_own_side():
    found = [(currency.value, currency.side) for currency in find("EUR, USD ja 5 naela jeenides")]

    assert found == [("EUR", None), ("USD", None), ("GBP", Side.SOURCE), ("JPY", Side.TARGET)]


def test_a_number_belongs_to_the_currency_right_after_it():
    assert sides("THB 100 EUR") == ("EUR", "THB")
    assert [currency.side for currency in find("5 EUR 6")] == [Side.SOURCE]


def test_a_currency_says_where_it_stands():
    text = "100 Rootsi krooni eest"
    (krona,) = find(text)

    assert (krona.text, text[krona.start : krona.end]) == ("Rootsi krooni", "Rootsi krooni")
