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


def test_a_common_service_and_an_inactive_one_may_share_a_name_with_another(read_yaml):
    entries = [service(), service(id="b", is_common=True), service(id="c", active=False)]
    assert [found.id for found in read_yaml(json.dumps(entries), "services.json")] == ["a", "b", "c"]


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
    [("- id: \x01", "control characters are not allowed"), ("- id: 2026-13-45", "month must be in 1..12")],
)
def test_yaml_faults_without_a_place_are_reported_too(problems, text, cause):
    (problem,) = problems(text)
    assert cause in problem


def test_bad_json_is_reported_with_line_and_column(problems):
    assert problems('{"services": [\n,]}', "services.json") == ["line 2, column 1: Expecting value"]


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


def test_a_node_that_contains_itself_is_no_endless_loop(problems):
    assert problems("&all [*all]") == ["services[0]: is a list; write its fields as a mapping"]


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
        (
            "abc",
            "services[0]: is a text; write its fields as a mapping",
        ),
    ],
)
def test_a_fault_is_reported_with_service_and_field(problems, entry, expected):
    assert problems([entry], "services.json") == [expected]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
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
    assert problems("- {id: a, name: A, examples: [x], no: 1}") == [
        "services[0] 'a': has the field name False, which is not text; remove it, or quote it"
    ]


def test_a_service_id_used_twice_names_both_positions(problems):
    entries = [service(), service(id="b", name="B"), service(name="C", id=" a ")]
    assert problems(entries, "services.json") == [
        "services[0] and services[2]: id: both are 'a'; give one of them another id"
    ]


def test_names_that_lead_to_one_address_name_both_positions(problems):
    entries = [service(name="Ilm homme"), service(id="b", name="Ilm_homme")]
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


def test_the_message_counts_the_problems(tmp_path):
    path = tmp_path / "services.json"
    path.write_text(json.dumps([service(method="PUT"), service(id="b", name=5)]))
    with pytest.raises(CatalogueError) as caught:
        read(path)
    assert str(caught.value).splitlines()[0] == f"{path} cannot be used: 2 problems"
