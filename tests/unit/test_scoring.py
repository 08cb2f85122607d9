import dataclasses

import pytest

from tool_classifier.classification.scoring import points_to_fetch, score_services
from tool_classifier.index import Hit, Manifest, PointType


def hit(service_id: str, score: float, text: str = "?", name: str = "") -> Hit:
    return Hit(service_id=service_id, name=name or service_id, type=PointType.EXAMPLE, text=text, score=score)


MANIFEST = Manifest(
    version="1",
    embedder_id="e",
    dimension=2,
    analyzer_id="a",
    source="test",
    content={},
    largest_service=51,
    points=500,
)


def test_many_weak_examples_do_not_outweigh_one_exact_one():
    dense = [hit("exact", 0.95, "the one"), *[hit("weak", 0.4, f"weak {n}") for n in range(20)]]
    services = score_services("q", dense, [])
    assert [(s.service_id, s.score, s.best_example) for s in services] == [
        ("exact", 0.95, "the one"),
        ("weak", 0.4, "weak 0"),
    ]


def test_the_runner_up_is_another_service_not_another_example():
    services = score_services("q", [hit("a", 0.9), hit("a", 0.89), hit("b", 0.3)], [])
    assert [(s.service_id, s.score) for s in services] == [("a", 0.9), ("b", 0.3)]


def test_equal_scores_are_ordered_by_hybrid_score_then_id():
    dense = [hit("c", 0.5), hit("b", 0.5), hit("a", 0.5)]
    assert [s.service_id for s in score_services("q", dense, [hit("c", 0.9)])] == ["c", "a", "b"]


def test_a_query_that_is_a_services_name_scores_one():
    services = score_services("  VALUUTA konverter? ", [hit("a", 0.6)], [hit("fx", 0.5, "", "Valuuta konverter")])
    assert [(s.service_id, s.score, s.best_example) for s in services] == [
        ("fx", 1.0, "Valuuta konverter"),
        ("a", 0.6, "?"),
    ]


def test_a_service_found_by_words_alone_comes_last_without_a_score():
    services = score_services("q", [hit("a", -0.4)], [hit("b", 0.5), hit("a", 0.4)])
    assert [(s.service_id, s.score, s.fused) for s in services] == [("a", -0.4, 0.4), ("b", None, 0.5)]


@pytest.mark.parametrize(("services", "expected"), [(1, 1), (3, 103), (50, 500)])
def test_enough_points_are_fetched_to_see_past_large_services(services, expected):
    assert points_to_fetch(MANIFEST, services=services) == expected


def test_points_to_fetch_of_one_point_services():
    assert points_to_fetch(dataclasses.replace(MANIFEST, largest_service=2), services=5) == 9
