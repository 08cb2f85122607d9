import asyncio
import json
from dataclasses import replace
from uuid import UUID

import numpy as np
import pytest

from tests.fakes.embedder import FakeEmbedder
from tool_classifier.errors import IndexMismatchError
from tool_classifier.index import Hit, Manifest, PointType
from tool_classifier.index.points import (
    build_points,
    check_dimension,
    content_hash,
    hits_from,
    manifest_from_payload,
    manifest_id,
    manifest_payload,
    point_id,
    service_from_payload,
    space_of,
    summary_id,
    summary_text,
    texts_of,
)
from tool_classifier.models import Entity, EntityType, HttpMethod, Service
from tool_classifier.text.analyzer import analyse_document

SERVICE = Service(
    id="fx",
    name="Valuuta",
    description="Kursid",
    method=HttpMethod.GET,
    entities=(Entity(name="amount", type=EntityType.NUMBER, description="kui palju"), Entity(name="to")),
    examples=("mis on dollari kurss", " mis on  dollari\u200b kurss ", "", "\u200b", "👍"),
    is_common=True,
    context="keskpanga kurss",
)
IDS = {"embedder_id": "e", "means_id": "m", "analyzer_id": "a"}
MANIFEST = Manifest(
    version="v1",
    embedder_id="e",
    dimension=2,
    analyzer_id="a",
    source="file.yaml",
    content={"b": "2", "a": "1"},
    largest_service=3,
    points=5,
    means_id="m",
    means=((0.1, 1 / 3), (0.0, -1.0)),
)


def points_of(service):
    vectors = asyncio.run(FakeEmbedder().embed(texts_of(service)))
    return build_points(service, vectors, embedder_id="e", content_hash="h", index_version="v7")


def test_texts_are_each_distinct_example_once_and_the_summary():
    assert texts_of(SERVICE) == (
        "mis on dollari kurss",
        "👍",
        "Valuuta Kursid keskpanga kurss amount to mis on dollari kurss mis on dollari kurss 👍",
    )


def test_a_service_without_examples_has_its_summary_alone():
    assert texts_of(Service(id="x", name="Ilm")) == ("Ilm",)


def test_the_summary_ends_with_the_examples_because_embedders_cut_long_texts():
    service = replace(SERVICE, examples=("näide " * 1000,))
    assert summary_text(service).startswith("Valuuta Kursid keskpanga kurss amount to näide")


def test_ids_are_stable_uuids_that_tell_services_texts_and_kinds_apart():
    assert point_id("fx", "tere") == "f9d6248d-813f-59d4-ba14-3d19e032b383"
    ids = {
        point_id("fx", "tere"),
        point_id("fx", "Tere"),
        point_id("f", "xtere"),
        summary_id("fx"),
        summary_id("tere"),
        manifest_id(),
    }
    assert len(ids) == 6
    assert {UUID(identifier).version for identifier in ids} == {5}


def test_one_point_per_text_with_both_vectors():
    first, emoji, summary = points_of(SERVICE)
    vectors = asyncio.run(FakeEmbedder().embed(texts_of(SERVICE)))
    assert [point.dense for point in (first, emoji, summary)] == [tuple(row) for row in vectors.tolist()]
    assert (first.id, first.type, first.text) == (
        point_id("fx", "mis on dollari kurss"),
        PointType.EXAMPLE,
        "mis on dollari kurss",
    )
    assert first.sparse == analyse_document("mis on dollari kurss")
    assert (summary.id, summary.type, summary.text) == (summary_id("fx"), PointType.SUMMARY, summary_text(SERVICE))
    assert summary.sparse == analyse_document(summary_text(SERVICE))
    assert {point.service_id for point in (first, emoji, summary)} == {"fx"}


def test_a_text_without_tokens_has_no_sparse_vector():
    assert [point.sparse is None for point in points_of(SERVICE)] == [False, True, False]


def test_the_payload_holds_the_definition_the_kind_and_where_the_point_comes_from():
    first, _, summary = points_of(SERVICE)
    assert first.payload == {
        "service_id": "fx",
        "name": "Valuuta",
        "description": "Kursid",
        "method": "GET",
        "examples": list(SERVICE.examples),
        "entities": [
            {"name": "amount", "type": "number", "description": "kui palju"},
            {"name": "to", "type": "text", "description": ""},
        ],
        "context": "keskpanga kurss",
        "is_common": True,
        "active": True,
        "point_type": "example",
        "example_text": "mis on dollari kurss",
        "content_hash": "h",
        "embedder_id": "e",
        "dimension": 64,
        "index_version": "v7",
    }
    assert (summary.payload["point_type"], summary.payload["example_text"]) == ("summary", "")


def test_vectors_must_match_the_texts_one_to_one():
    with pytest.raises(ValueError, match="shorter"):
        build_points(SERVICE, np.zeros((2, 4), np.float32), embedder_id="e", content_hash="h", index_version="v")


def test_a_definition_comes_back_from_a_payload_that_went_through_json():
    payload = json.loads(json.dumps(points_of(SERVICE)[0].payload))
    assert service_from_payload(payload) == SERVICE


def test_half_a_surrogate_pair_becomes_storable():
    broken = replace(SERVICE, description="Kursid \ud83d", examples=("tere \udc4d",))
    point = points_of(broken)[0]
    assert json.dumps(dict(point.payload), ensure_ascii=False).encode()
    assert (point.payload["description"], point.payload["examples"]) == ("Kursid ?", ["tere ?"])
    assert point.text == "tere"


@pytest.mark.parametrize(
    "changed",
    [
        {"name": "Valuutad"},
        {"description": ""},
        {"method": HttpMethod.POST},
        {"entities": SERVICE.entities[::-1]},
        {"entities": (replace(SERVICE.entities[0], description=""), SERVICE.entities[1])},
        {"examples": SERVICE.examples[::-1]},
        {"is_common": False},
        {"context": "x"},
        {"id": "fx2"},
    ],
)
def test_the_content_hash_changes_with_every_field(changed):
    assert content_hash(replace(SERVICE, **changed), **IDS) != content_hash(SERVICE, **IDS)


@pytest.mark.parametrize("changed", IDS)
def test_the_content_hash_changes_with_whatever_makes_vectors(changed):
    assert content_hash(SERVICE, **IDS | {changed: "other"}) != content_hash(SERVICE, **IDS)


def test_the_content_hash_is_the_same_in_every_process():
    assert content_hash(Service(id="x", name="õ🙂"), **IDS) == "5045f63daedeb4ef45f5f1e7660dbe5b"


def test_hits_are_ordered_by_score_then_by_id():
    payload = {"service_id": "fx", "name": "Valuuta", "point_type": "example", "example_text": "tere"}
    hits = hits_from(
        [
            ("c", 0.5, payload),
            ("b", 0.9, payload | {"example_text": "second"}),
            ("a", 0.9, payload | {"point_type": "summary", "example_text": ""}),
        ]
    )
    assert hits == (
        Hit(service_id="fx", name="Valuuta", type=PointType.SUMMARY, text="", score=0.9),
        Hit(service_id="fx", name="Valuuta", type=PointType.EXAMPLE, text="second", score=0.9),
        Hit(service_id="fx", name="Valuuta", type=PointType.EXAMPLE, text="tere", score=0.5),
    )


def test_a_manifest_comes_back_from_json():
    stored = json.dumps(manifest_payload(MANIFEST))
    assert manifest_from_payload(json.loads(stored)) == MANIFEST
    assert list(json.loads(stored)["content"]) == ["a", "b"]


def test_a_manifest_may_hold_more_than_ours_but_not_less():
    payload = manifest_payload(MANIFEST)
    assert manifest_from_payload(payload | {"point_type": "manifest"}) == MANIFEST
    del payload["points"]
    with pytest.raises(KeyError, match="points"):
        manifest_from_payload(payload)


def test_a_manifest_without_means_or_points_comes_back():
    empty = replace(MANIFEST, content={}, largest_service=0, points=0, means_id="", means=())
    assert manifest_from_payload(manifest_payload(empty)) == empty


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[("content", value) for value in ([], None, "", {"a": 1}, {1: "a"})],
        *[(name, value) for name in ("dimension", "largest_service", "points") for value in (None, -5, 2.0, True, "2")],
        ("dimension", 0),
        *[(name, None) for name in ("version", "embedder_id", "analyzer_id", "source", "means_id")],
        *[("means", value) for value in (None, [], 5, [5], [[1, 2], [1]], [[1, 2, 3]], [[1, None]])],
        *[("means", [[1, value]]) for value in (float("nan"), float("inf"), 10**400)],
    ],
)
def test_a_manifest_with_a_value_of_another_kind_is_refused(name, value):
    with pytest.raises((ValueError, TypeError)):
        manifest_from_payload(manifest_payload(MANIFEST) | {name: value})


@pytest.mark.parametrize("payload", [[], None, 5, "manifest"])
def test_what_is_no_mapping_is_no_manifest(payload):
    with pytest.raises(TypeError):
        manifest_from_payload(payload)


@pytest.mark.parametrize("changed", [{"embedder_id": "f"}, {"dimension": 3}, {"means_id": ""}, {"analyzer_id": "b"}])
def test_vectors_of_another_embedder_dimension_background_or_analyzer_are_of_another_space(changed):
    assert space_of(replace(MANIFEST, **changed)) != space_of(MANIFEST)
    assert space_of(replace(MANIFEST, version="v2", source="x", content={})) == space_of(MANIFEST)


def test_a_query_of_another_dimension_is_refused():
    check_dimension(MANIFEST, 2)
    with pytest.raises(IndexMismatchError) as raised:
        check_dimension(MANIFEST, 3)
    assert raised.value.message == "the query's vector has 3 dimensions, the index was built with e (2 dimensions)"
