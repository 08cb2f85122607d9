"""Places in queries of three languages, by their Estonian nominative."""

import pytest

from tool_classifier.intent.extractors.extraction import Side
from tool_classifier.intent.extractors.place import find_places


def values(text):
    return [place.value for place in find_places(text)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("tallinn", "Tallinn"),
        ("Tallinna ilm", "Tallinn"),
        ("TALLINNAS", "Tallinn"),
        ("Tallinnasse", "Tallinn"),
        ("Tallinnani", "Tallinn"),
        ("Tallinnata", "Tallinn"),
        ("Tallinnaga", "Tallinn"),
        ("ilm tartus", "Tartu"),
        ("Narvast", "Narva"),
        ("Pärnusse", "Pärnu"),
        ("parnu", "Pärnu"),
        ("Kohtla-Järvel", "Kohtla-Järve"),
        ("kohtla järvel", "Kohtla-Järve"),
        ("Võrus", "Võru"),
        ("voru", "Võru"),
        ("Võrru", "Võru"),
        ("Rakveres", "Rakvere"),
        ("Rakverre", "Rakvere"),
        ("Haapsallu", "Haapsalu"),
        ("Kuressaarde", "Kuressaare"),
        ("Kõrvekülla", "Kõrveküla"),
        ("tapal", "Tapa"),
        ("saue", "Saue"),
        ("sindis", "Sindi"),
        ("Põltsamaal", "Põltsamaa"),
        ("karksi nuias", "Karksi-Nuia"),
        ("kilingi-nõmmel", "Kilingi-Nõmme"),
        ("Narva-Jõesuus", "Narva-Jõesuu"),
        ("Laagris", "Laagri"),
        ("Saaremaal", "Saaremaa"),
        ("lääne virumaa", "Lääne-Virumaa"),
        ("lääne-virumaal", "Lääne-Virumaa"),
        ("Ida-Viru", "Ida-Virumaa"),
        ("Harju maakonnas", "Harjumaa"),
        ("tartu maakond", "Tartumaa"),
        ("Harju County", "Harjumaa"),
        ("in Tallinn", "Tallinn"),
        ("Tallinn's weather", "Tallinn"),
        ("в Таллинне", "Tallinn"),
        ("Таллина", "Tallinn"),
        ("в Нарве", "Narva"),
        ("в Тарту", "Tartu"),
        ("Пярну", "Pärnu"),
        ("в Йыхви", "Jõhvi"),
        ("ilm Soomes", "Soome"),
        ("Hiinast", "Hiina"),
        ("Uus-Meremaal", "Uus-Meremaa"),
        ("Küproses", "Küpros"),
        ("Iraagis", "Iraak"),
        ("Lätti", "Läti"),
        ("USA-s", "Ameerika Ühendriigid"),
        ("Ameerika Ühendriikides", "Ameerika Ühendriigid"),
        ("in the United States", "Ameerika Ühendriigid"),
        ("в США", "Ameerika Ühendriigid"),
        ("weather in Germany", "Saksamaa"),
        ("погода в Германии", "Saksamaa"),
        ("в Южной Корее", "Lõuna-Korea"),
        ("в Соединённых Штатах", "Ameerika Ühendriigid"),
        ("Riias", "Riia"),
        ("в Риге", "Riia"),
        ("Londonis", "London"),
        ("New Yorkis", "New York"),
        ("Rooma ilm", "Rooma"),
        ("Viinis", "Viin"),
        ("Islandil", "Island"),
        ("islandil", "Island"),
        ("Tapas", "Tapa"),
        ("Nõos", "Nõo"),
        ("в Санкт-Петербурге", "Peterburi"),
        ("St. Petersburg", "Peterburi"),
        ("в Париже", "Pariis"),
        ("в Китае", "Hiina"),
        ("в Минске", "Minsk"),
    ],
)
def test_a_place_is_found_in_its_forms(text, value):
    assert values(text) == [value]


@pytest.mark.parametrize(
    "text",
    [
        "viin ja laagri vari",
        "rooma number",
        "turkey on long island, tapas and a tail",
        "nool ja noot, lati all",
        "самое вкусное у того",
        "Tartlane",
        "Pärnumaalane",
        "Uus, Meremaal, aga mitte riik",
        "",
    ],
)
def test_everyday_words_are_no_places(text):
    assert values(text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Viimane buss Tallinnast Tartusse", [("Tallinn", Side.SOURCE), ("Tartu", Side.TARGET)]),
        ("rong Tapale", [("Tapa", Side.TARGET)]),
        ("Riiga", [("Riia", Side.TARGET)]),
        ("train from Tallinn to Narva", [("Tallinn", Side.SOURCE), ("Narva", Side.TARGET)]),
        ("из Таллинна в Нарву", [("Tallinn", Side.SOURCE), ("Narva", Side.TARGET)]),
        ("в Нарве", [("Narva", None)]),
        ("в Выру", [("Võru", None)]),
        ("автобус до Тарту", [("Tartu", Side.TARGET)]),
        ("Tallinn-Tartu buss", [("Tallinn", None), ("Tartu", None)]),
    ],
)
def test_endings_and_prepositions_tell_from_and_to(text, found):
    assert [(place.value, place.side) for place in find_places(text)] == found


def test_a_place_named_twice_is_found_once():
    assert values("Tartu, Tartus ja Tartusse") == ["Tartu"]


def test_a_country_that_only_says_where_a_city_lies_is_left_out():
    assert values("Pariis, Prantsusmaa") == ["Pariis"]
    assert values("Prantsusmaa, Pariis") == ["Prantsusmaa", "Pariis"]
    assert values("Pariis ja Prantsusmaa") == ["Pariis", "Prantsusmaa"]


def test_a_place_says_where_it_stands():
    text = "mis ilm on lääne virumaal?"
    (place,) = find_places(text)

    assert (place.text, text[place.start : place.end]) == ("lääne virumaal", "lääne virumaal")
