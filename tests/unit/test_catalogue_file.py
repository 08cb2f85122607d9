"""The file catalogue: what it reads, and that every fault is reported with file, service and field."""

import asyncio
import json

import pytest

from tool_classifier.errors import CatalogueError
from tool_classifier.index.catalogue.file import FileCatalogue
from tool_classifier.index.catalogue.schema import ServiceDefinition
from tool_classifier.models import Entity, EntityType, HttpMethod, Service


def infer_type(name):
    return EntityType.DATE if name == "when" else EntityType.TEXT


def read(path):
    return asyncio.run(FileCatalogue(path=path, infer_type=infer_type).services())


@pytest.fixture
def read_yaml(tmp_path):
    def write_and_read(text, name="services.yaml"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return read(path)

    return write_and_read


@pytest.fixture
def problems(tmp_path):
    """The problems of a catalogue text, without the file's path that each of them starts with."""

    def write_and_fail(content, name="services.yaml"):
        path = tmp_path / name
        text = content if isinstance(content, str) else json.dumps({"services": content})
        path.write_text(text, encoding="utf-8")
        with pytest.raises(CatalogueError) as caught:
            read(path)
        assert caught.value.hint
        assert str(path) in caught.value.message
        assert all(problem.startswith(f"{path}: ") for problem in caught.value.problems)
        return [problem.removeprefix(f"{path}: ") for problem in caught.value.problems]

    return write_and_fail


def service(**fields):
    return {"id": "a", "name": "A", "examples": ["Mis on a?"], **fields}


# ------------------------------------------------------------------------------------------------ what is read

FULL = """
services:
  - id: weather
    name: " Ilm\u200b homme "
    description: Ilm linnas
    method: get
    entities: [place, when, {name: degrees, type: number, description: Kraadid}]
    examples: [Mis ilm on?, "Kas  sajab?"]
    is_common: true
    active: false
    context: Rohkem juttu
  - id: minimal
    name: Väike
    description: Kirjeldus näidete asemel
"""


def test_every_field_is_read_and_texts_are_normalised(read_yaml):
    assert read_yaml(FULL) == (
        Service(
            id="weather",
            name="Ilm homme",
            description="Ilm linnas",
            method=HttpMethod.GET,
            entities=(
                Entity(name="place", type=EntityType.TEXT),
                Entity(name="when", type=EntityType.DATE),
                Entity(name="degrees", type=EntityType.NUMBER, description="Kraadid"),
            ),
            examples=("Mis ilm on?", "Kas sajab?"),
            is_common=True,
            active=False,
            context="Rohkem juttu",
        ),
        Service(id="minimal", name="Väike", description="Kirjeldus näidete asemel"),
    )


def test_method_defaults_to_post_and_a_service_is_active_and_not_common(read_yaml):
    (read_service,) = read_yaml("- {id: a, name: A, examples: [x]}")
    assert (read_service.method, read_service.active, read_service.is_common) == (HttpMethod.POST, True, False)


@pytest.mark.parametrize("name", ["services.yaml", "services.yml", "SERVICES.YAML"])
def test_a_list_at_the_top_is_a_catalogue_too(read_yaml, name):
    assert [found.id for found in read_yaml("- {id: a, name: A, examples: [x]}", name)] == ["a"]


def test_json_is_read_with_a_byte_order_mark(read_yaml):
    (read_service,) = read_yaml("\ufeff" + json.dumps([service(entities=["when"])]), "services.json")
    assert read_service.entities == (Entity(name="when", type=EntityType.DATE),)


def test_null_is_the_same_as_an_absent_field(read_yaml):
    (read_service,) = read_yaml("- {id: a, name: A, examples: [x], entities: null, description: , method: null}")
    assert read_service == Service(id="a", name="A", examples=("x",))


def test_yaml_anchors_and_merges_are_followed(read_yaml):
    text = "- &base {id: a, name: A, examples: [x]}\n- {<<: *base, id: b, name: B}"
    assert [(found.id, found.name, found.examples) for found in read_yaml(text)] == [
        ("a", "A", ("x",)),
        ("b", "B", ("x",)),
    ]


def test_the_source_is_the_path(tmp_path):
    path = tmp_path / "services.yaml"
    assert FileCatalogue(path=path, infer_type=infer_type).source == str(path)


def test_the_file_is_read_anew_at_every_call(tmp_path):
    path = tmp_path / "services.yaml"
    catalogue = FileCatalogue(path=path, infer_type=infer_type)
    path.write_text("- {id: a, name: A, examples: [x]}")
    before = asyncio.run(catalogue.services())
    path.write_text("- {id: b, name: A, examples: [x]}")
    assert (before[0].id, asyncio.run(catalogue.services())[0].id) == ("a", "b")


def test_an_inactive_service_may_share_a_name_with_another(read_yaml):
    entries = [service(), service(id="c", active=False)]
    assert [found.id for found in read_yaml(json.dumps(entries), "services.json")] == ["a", "c"]


def test_an_anchor_may_be_used_by_many_services(read_yaml):
    lines = ["- &base {id: s, name: S, examples: [x], entities: &all [amount, {name: when, description: Millal}]}"]
    lines += [f"- {{<<: *base, id: s{number}, name: S{number}, entities: *all}}" for number in range(500)]
    found = read_yaml("\n".join(lines))
    assert len(found) == 501
    assert {each.entities for each in found} == {found[0].entities}


# ------------------------------------------------------------------------------------- files that cannot be read


def test_a_missing_file_is_named(tmp_path):
    path = tmp_path / "none.yaml"
    with pytest.raises(CatalogueError) as caught:
        read(path)
    assert caught.value.problems == (
        f"{path}: No such file or directory; check that the file is there and may be read",
    )


def test_a_folder_is_no_catalogue(tmp_path):
    path = tmp_path / "folder.yaml"
    path.mkdir()
    with pytest.raises(CatalogueError, match="Is a directory"):
        read(path)


def test_a_file_that_is_not_utf8_is_named_with_the_byte(tmp_path):
    path = tmp_path / "latin.yaml"
    path.write_bytes("- {id: õ}".encode("latin-1"))
    with pytest.raises(CatalogueError) as caught:
        read(path)
    assert caught.value.problems == (f"{path}: byte 7 is not UTF-8; save the file as UTF-8",)


def test_another_kind_of_file_is_refused(problems):
    assert problems("", "services.toml") == ["a catalogue file ends in .yaml, .yml, .json; rename or convert it"]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("services:\n  - id: [a\n", "line 3, column 1: "),
        ("- id: a\n\tname: b", "line 2, column 1: "),
        ("- id: *nobody", "line 1, column 7: "),
        ("- id: !!python/name:os.system x", "line 1, column 7: "),
        ("? [a]\n: b", "line 1, column 3: "),
        ("[" * 5000, "line 1, column "),
    ],
)
def test_bad_yaml_is_reported_with_line_and_column(problems, text, place):
    (problem,) = problems(text)
    assert problem.startswith(place)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("2026-13-45", "'2026-13-45' cannot be read as timestamp"),
        ("9" * 5000, f"'{'9' * 80}'... cannot be read as int"),
        ('!!int ""', "'' cannot be read as int"),
        ("!!bool maybe", "'maybe' cannot be read as bool"),
        ("!!timestamp soon", "'soon' cannot be read as timestamp"),
        (f"!!float {'1:' * 300}1", f"'{'1:' * 40}'... cannot be read as float"),
    ],
)
def test_a_yaml_value_that_is_not_what_it_looks_like_is_reported_with_its_place(problems, text, cause):
    assert problems(f"- name: A\n  id: {text}") == [f"line 2, column 7: {cause}; correct it, or quote it"]


def test_a_yaml_fault_without_a_place_is_reported_too(problems):
    (problem,) = problems("- id: \x01")
    assert "control characters are not allowed" in problem


def test_bad_json_is_reported_with_line_and_column(problems):
    assert problems('{"services": [\n,]}', "services.json") == ["line 2, column 1: Expecting value"]


LEVELS = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 10))
BOMB = f"a0: &a0 [x]\n{LEVELS}"
MERGES = "".join(f"- &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}\n" for n in range(1, 10))


@pytest.mark.parametrize(
    "text",
    [
        f"{BOMB}services: *a9",
        f"{BOMB}services: [{{id: a, name: A, examples: *a9}}]",
        f"{BOMB}services: [{{id: a, name: A, examples: [x], method: *a9, is_common: *a9, context: *a9}}]",
        f"{BOMB}? *a9\n: 1",
        f"- &a0 {{id: a}}\n{MERGES}",
        f"- &long {'x' * 10_000}\n{'- *long' + chr(10)}" + "- *long\n" * 200,
        "- &a0 [x]\n" + "".join(f"- &a{n} [*a{n - 1}]\n" for n in range(1, 2_000)),
        "&all [*all]",
        "- &all {id: a, examples: {b: *all}}",
    ],
    ids=["services", "examples", "fields", "key", "merges", "long text", "deep", "itself", "itself deeper"],
)
def test_aliases_that_unfold_without_measure_are_refused(problems, text):
    (problem,) = problems(text)
    assert problem.startswith("its aliases (*name) repeat more than 1000000 characters or a part of itself; ")


def test_a_long_key_around_many_values_is_no_long_path_for_each(problems):
    text = f"? {'k' * 100_000}\n: [{'[], ' * 50_000}{{a: 1, a: 2}}]"
    assert problems(text)[0] == f"line 2: {'k' * 300}: is written twice; remove one"
    json_text = f'{{"{"k" * 100_000}": [{"[], " * 50_000}{{"a": 1, "a": 2}}]}}'
    assert problems(json_text, "services.json")[0] == f"{'k' * 300}[50000].a: is written twice; remove one"


def test_keys_written_twice_among_very_many_are_found(problems):
    keys = ", ".join(f'"{number}": 1' for number in range(50_000))
    assert problems(f'{{{keys}, "7": 2}}', "services.json")[0] == "7: is written twice; remove one"


def test_json_nested_too_deeply_is_refused(problems):
    assert problems("[" * 100_000, "services.json") == ["is nested too deeply"]


# ---------------------------------------------------------------------------------------- faults around services


@pytest.mark.parametrize("text", ["", "[]", "services:", "services: []"])
def test_a_catalogue_without_services_is_refused(problems, text):
    assert problems(text) == ["services: there are none; describe at least one"]


@pytest.mark.parametrize("text", ["5", "services: {a: 1}", "services: abc"])
def test_services_that_are_no_list_are_refused(problems, text):
    assert problems(text) == ["services: is not a list; start each service with '- '"]


def test_an_unknown_top_level_field_is_reported(problems):
    assert problems("service: []") == [
        "service: is not a known field; the top level has only 'services'",
        "services: is missing; list the services under 'services:'",
    ]


def test_keys_written_twice_are_reported_with_the_line(problems):
    text = (
        "services:\n  - id: a\n    name: A\n    name: B\n    examples: [x]\n    entities:\n      - {name: e, name: f}"
    )
    assert problems(text) == [
        "line 4: services[0].name: is written twice; remove one",
        "line 7: services[0].entities[0].name: is written twice; remove one",
    ]


def test_keys_written_twice_in_json_are_reported(problems):
    text = (
        '{"services": [{"id": "a", "id": "b", "name": "A", "entities": [{"name": "e", "name": "f"}], "context": "x"}]}'
    )
    assert problems(text, "services.json") == [
        "services[0].id: is written twice; remove one",
        "services[0].entities[0].name: is written twice; remove one",
        "services[0] 'b': examples: there is none, nor a description; write at least one example question",
    ]


# ------------------------------------------------------------------------------------------- faults of a service


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ({"name": "A", "examples": ["x"]}, "services[0] 'A': id: is missing; add it"),
        ({"id": "a", "examples": ["x"]}, "services[0] 'a': name: is missing; add it"),
        (
            {"id": "a", "name": "A"},
            "services[0] 'a': examples: there is none, nor a description; write at least one example question",
        ),
        (
            service(examples=[], description=" "),
            "services[0] 'a': examples: there is none, nor a description; write at least one example question",
        ),
        (service(id=""), "services[0] 'A': id: is empty (only spaces or invisible characters); write a text"),
        (
            service(name="\u200b\u00ad "),
            "services[0] 'a': name: is empty (only spaces or invisible characters); write a text",
        ),
        (
            service(name=".."),
            "services[0] 'a': name: is only dots, which cannot be an address; write a name with letters",
        ),
        (
            service(examples=["x", "\u200b"]),
            "services[0] 'a': examples[1]: is empty (only spaces or invisible characters); write a text",
        ),
        (service(examples="Mis?"), "services[0] 'a': examples: is a text; write a list"),
        (service(examples={"a": "b"}), "services[0] 'a': examples: is a mapping; write a list"),
        (
            service(examples=[{"Küsimus": "Mis?"}]),
            "services[0] 'a': examples[0]: was read as a mapping; quote a text that has a colon and a space in it",
        ),
        (service(examples=[None]), "services[0] 'a': examples[0]: is empty; write a text"),
        (service(examples=[["a"]]), "services[0] 'a': examples[0]: is a list; write a text"),
        (service(method="PATCH"), "services[0] 'a': method: is 'PATCH'; write 'GET' or 'POST'"),
        (service(method=5), "services[0] 'a': method: is 5; write 'GET' or 'POST'"),
        (service(is_common="yes"), "services[0] 'a': is_common: is 'yes'; write true or false, without quotes"),
        (service(active=1), "services[0] 'a': active: is 1; write true or false, without quotes"),
        (service(exampels=[]), "services[0] 'a': exampels: is not a known field; did you mean 'examples'?"),
        (
            service(url="http://x"),
            f"services[0] 'a': url: is not one of {', '.join(ServiceDefinition.model_fields)}",
        ),
        (service(entities=["e", "f", "e"]), "services[0] 'a': entities: has 'e' twice, at 0 and 2; remove one"),
        (
            service(entities=[{"name": "e", "type": "money"}]),
            "services[0] 'a': entities[0].type: is 'money'; write 'text', 'number', 'currency', 'date' or 'place'",
        ),
        (service(entities=[{"type": "text"}]), "services[0] 'a': entities[0].name: is missing; add it"),
        (
            service(entities=[{"name": "e", "typ": "text"}]),
            "services[0] 'a': entities[0].typ: is not a known field; did you mean 'type'?",
        ),
        (service(entities=[5]), "services[0] 'a': entities[0]: is 5; write its fields as a mapping"),
        (service(method=["GET"]), "services[0] 'a': method: is a list; write 'GET' or 'POST'"),
        (service(active=[1]), "services[0] 'a': active: is a list; write true or false, without quotes"),
        (
            service(entities=[{"name": "e", "type": {}}]),
            "services[0] 'a': entities[0].type: is a mapping; write 'text', 'number', 'currency', 'date' or 'place'",
        ),
        (
            service(method="P" * 100),
            f"services[0] 'a': method: is '{'P' * 80}'...; write 'GET' or 'POST'",
        ),
        (
            "abc",
            "services[0]: is a text; write its fields as a mapping",
        ),
    ],
)
def test_a_fault_is_reported_with_service_and_field(problems, entry, expected):
    assert problems([entry], "services.json") == [expected]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ('"id": %s', "id: was read as a number too large to show; quote it"),
        ('"id": "a", "method": %s', "method: is a number too large to show; write 'GET' or 'POST'"),
        ('"id": "a", "active": %s', "active: is a number too large to show; write true or false, without quotes"),
        ('"id": "a", "entities": [%s]', "entities[0]: is a number too large to show; write its fields as a mapping"),
    ],
)
@pytest.mark.parametrize("number", ["9" * 5000, "-" + "9" * 5000, "9" * 4000, "1e999"])
def test_a_json_number_of_any_length_is_reported_with_its_field(problems, fields, expected, number):
    text = f'[{{"name": "A", "examples": ["x"], {fields % number}}}]'
    (problem,) = problems(text, "services.json")
    assert problem.endswith(f": {expected}")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (f"id: 0x{'f' * 50_000}", "id: was read as a number too large to show; quote it"),
        ("id: .inf", "id: was read as a number too large to show; quote it"),
        ("id: no", "id: was read as the boolean false; unquoted yes, no, on and off are booleans: quote it"),
        ("id: 2024", 'id: was read as the number 2024; quote it: "2024"'),
        ("id: 1.50", 'id: was read as the number 1.5; quote it: "1.5"'),
        ("id: 2024-01-01", 'id: was read as the date 2024-01-01; quote it: "2024-01-01"'),
        ("id:", "id: is missing; add it"),
    ],
)
def test_values_that_yaml_turns_into_something_else_get_a_clear_message(problems, line, expected):
    assert problems(f"- name: A\n  examples: [x]\n  {line}") == [f"services[0] 'A': {expected}"]


def test_a_field_name_that_is_not_text_is_reported(problems):
    huge = f"? 0x{'f' * 50_000}\n  : 1"
    text = f"- id: a\n  name: A\n  examples: [x]\n  no: 1\n  2024-01-01: 1\n  {huge}\n  !!binary YQ==: 1"
    assert problems(text) == [
        f"services[0] 'a': has the field name {name}, which is not text; remove it, or quote it"
        for name in ("False", "datetime.date(2024, 1, 1)", "a number too large to show", "b'a'")
    ]
    assert problems(f"? 0x{'f' * 50_000}\n: 1\nservices: [{{id: a, name: A, examples: [x]}}]") == [
        "a number too large to show: is not a known field; the top level has only 'services'"
    ]


def test_collections_that_only_yaml_has_are_named_not_written_out(problems):
    assert problems("- {id: a, name: A, examples: !!pairs [a: 1], method: !!set {x}}") == [
        "services[0] 'a': method: is of the type set; write 'GET' or 'POST'",
        "services[0] 'a': examples[0]: is of the type tuple; write a text",
    ]


def test_a_service_id_used_twice_names_both_positions(problems):
    entries = [service(), service(id="b", name="B"), service(name="C", id=" a ")]
    assert problems(entries, "services.json") == [
        "services[0] and services[2]: id: both are 'a'; give one of them another id"
    ]


@pytest.mark.parametrize("common", [(False, False), (True, True), (False, True), (True, False)])
def test_names_that_lead_to_one_address_name_both_positions(problems, common):
    first, second = common  # without a base URL of their own, common services share that of the others
    entries = [service(name="Ilm homme", is_common=first), service(id="b", name="Ilm_homme", is_common=second)]
    assert problems(entries, "services.json") == [
        "services[0] and services[1]: name: both are called at 'Ilm_homme'; rename one of them or make it inactive"
    ]


def test_all_faults_are_reported_at_once(problems):
    text = (
        "extra: 1\nservices:\n"
        "  - {id: a, name: 2024, examples: [x]}\n"
        "  - {id: a, name: A, name: B, method: PUT, examples: [x]}\n"
        "  - {id: c, name: B}\n"
    )
    assert problems(text) == [
        "line 4: services[1].name: is written twice; remove one",
        "extra: is not a known field; the top level has only 'services'",
        "services[0] 'a': name: was read as the number 2024; quote it: \"2024\"",
        "services[1] 'a': method: is 'PUT'; write 'GET' or 'POST'",
        "services[2] 'c': examples: there is none, nor a description; write at least one example question",
        "services[0] and services[1]: id: both are 'a'; give one of them another id",
        "services[1] and services[2]: name: both are called at 'B'; rename one of them or make it inactive",
    ]


def test_very_many_and_very_long_problems_are_cut_and_counted(problems):
    entries = [service(id=str(number), name=f"N{number}", **{"x" * 10_000: 1}) for number in range(1_000)]
    found = problems(entries, "services.json")
    assert len(found) == 51
    assert found[0].startswith("services[0] '0': xxx")
    assert found[49].startswith("services[49] '49': xxx")
    assert {len(problem) for problem in found[:50]} <= {500, 501, 502, 503, 504, 505}
    assert all(problem.endswith("x...") for problem in found[:50])
    assert found[50] == "... and 950 more"


def test_the_message_counts_the_problems(tmp_path):
    path = tmp_path / "services.json"
    path.write_text(json.dumps([service(method="PUT"), service(id="b", name=5)]))
    with pytest.raises(CatalogueError) as caught:
        read(path)
    assert str(caught.value).splitlines()[0] == f"{path} cannot be used: 2 problems"
