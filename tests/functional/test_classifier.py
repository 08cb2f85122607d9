"""Classification over the real embedded index, with an embedder without a model."""

import asyncio
from collections.abc import Sequence

import pytest

from tests.fakes.embedder import FakeEmbedder
from tests.fakes.services import FakeCatalogue
from tool_classifier.classification.classifier import Classifier
from tool_classifier.classification.profiles import Profile
from tool_classifier.errors import IndexMismatchError
from tool_classifier.index.indexer import Indexer
from tool_classifier.index.qdrant_edge import EdgeServiceIndex
from tool_classifier.models import Outcome, Rule, Service, Thresholds, Trace
from tool_classifier.text.query import read_query

PROFILE = Profile(thresholds=Thresholds(profile="test", minimum=0.35, high=0.5, gap=0.08), centred=False)
WEATHER = Service(id="weather", name="ilm", examples=("mis ilm on homme", "kas täna sajab vihma"))
RATES = Service(id="rates", name="valuutakursid", examples=("mis on dollari kurss", "palju maksab euro"))
HOURS = Service(id="hours", name="lahtiolekuajad", examples=("mis kell te avate", "kas olete pühapäeval avatud"))


def classify(folder, services: Sequence[Service], *messages: str, embedder=None, asking=None):
    async def run():
        index = EdgeServiceIndex(directory=folder)
        built = embedder or FakeEmbedder(dimension=256)
        if services:
            await Indexer(embedder=built, index=index, background=None).run(FakeCatalogue(services))
        classifier = Classifier(embedder=asking or built, index=index, profile=PROFILE, dense_top_k=3, hybrid_top_k=5)
        traces = [Trace() for _ in messages]
        results = [
            await classifier.classify(read_query(message, default_language="et"), trace)
            for message, trace in zip(messages, traces, strict=True)
        ]
        await index.close()
        return results, traces

    return asyncio.run(run())


def test_a_clear_winner_is_high_confidence_and_every_number_is_its_own(tmp_path):
    [result], [trace] = classify(tmp_path, [WEATHER, RATES, HOURS], "mis on dollari kurss")
    evidence = result.metadata
    assert (evidence.outcome, evidence.rule) == (Outcome.HIGH_CONFIDENCE, Rule.CLEAR_WINNER)
    assert evidence.matched_service_id == evidence.top_results[0].service.id == "rates"
    assert evidence.cosine == pytest.approx(1.0, abs=1e-3)
    assert evidence.cosine == evidence.top_results[0].score == result.confidence
    assert evidence.gap == pytest.approx(evidence.cosine - evidence.top_results[1].score, abs=1e-6)
    assert evidence.top_results[0].best_example == "mis on dollari kurss"
    assert evidence.top_results[0].service.examples == RATES.examples
    assert [stage.name for stage in trace.stages] == ["embed", "search", "decide", "lookup"]
    assert trace.classification is result


def test_an_unrelated_question_is_non_service(tmp_path):
    [result], _ = classify(tmp_path, [WEATHER, RATES, HOURS], "kõrvits ja peet")
    assert (result.workflow, result.metadata.rule) == ("CONTEXT", Rule.BELOW_MINIMUM)
    assert result.metadata.matched_service_id is None
    assert result.confidence == pytest.approx(1 - result.metadata.cosine)


def test_two_services_with_the_same_example_are_ambiguous(tmp_path):
    twin = Service(id="twin", name="kaksik", examples=("mis on dollari kurss",))
    [result], _ = classify(tmp_path, [WEATHER, RATES, twin], "mis on dollari kurss")
    assert (result.metadata.outcome, result.metadata.rule) == (Outcome.AMBIGUOUS, Rule.SMALL_GAP)
    assert {candidate.service.id for candidate in result.metadata.top_results[:2]} == {"rates", "twin"}
    assert result.metadata.needs_llm_confirmation


def test_fifty_examples_do_not_hide_the_runner_up(tmp_path):
    crowd = Service(id="crowd", name="hulk", examples=tuple(f"mis on dollari kurss {n}" for n in range(50)))
    [result], _ = classify(tmp_path, [crowd, RATES, WEATHER], "mis on dollari kurss")
    assert [candidate.service.id for candidate in result.metadata.top_results[:3]] == ["rates", "crowd", "weather"]
    assert result.metadata.gap == pytest.approx(
        result.metadata.top_results[0].score - result.metadata.top_results[1].score, abs=1e-6
    )


def test_a_lone_service_is_not_called_for_everything(tmp_path):
    [right, wrong], _ = classify(tmp_path, [WEATHER], "mis ilm on homme", "kus asub raekoda")
    assert right.metadata.outcome is Outcome.HIGH_CONFIDENCE
    assert wrong.metadata.outcome is Outcome.NON_SERVICE


def test_a_service_without_examples_is_found_by_its_description(tmp_path):
    described = Service(id="described", name="toetused", description="lapsetoetuse ja peretoetuse suurus")
    [result], _ = classify(tmp_path, [WEATHER, described], "lapsetoetuse ja peretoetuse suurus")
    assert result.metadata.matched_service_id == "described"


@pytest.mark.parametrize("message", ["VALUUTAKURSID", "valuutakursid?", " Valuuta\u200bkursid "])
def test_an_exact_name_is_found(tmp_path, message):
    [result], _ = classify(tmp_path, [WEATHER, RATES], message)
    assert (result.metadata.matched_service_id, result.metadata.cosine) == ("rates", 1.0)


def test_nothing_indexed_is_no_evidence(tmp_path):
    [result], [trace] = classify(tmp_path, [], "mis ilm on homme")
    assert (result.workflow, result.metadata) == ("SERVICE", None)
    assert trace.stages == []


def test_an_index_of_another_embedder_is_refused_by_name(tmp_path):
    with pytest.raises(IndexMismatchError, match=r"fake-trigrams-1.*other-model") as caught:
        classify(
            tmp_path,
            [WEATHER],
            "mis ilm on homme",
            embedder=FakeEmbedder(),
            asking=FakeEmbedder(id="other-model", dimension=32),
        )
    assert "dimension 64" in caught.value.message
    assert "dimension 32" in caught.value.message
    assert "tool-classifier index" in caught.value.hint


def search(folder, services: Sequence[Service], text: str, *, limit: int, minimum: float) -> list[str]:
    async def run():
        index = EdgeServiceIndex(directory=folder)
        embedder = FakeEmbedder(dimension=256)
        if services:
            await Indexer(embedder=embedder, index=index, background=None).run(FakeCatalogue(services))
        classifier = Classifier(embedder=embedder, index=index, profile=PROFILE, dense_top_k=3, hybrid_top_k=5)
        found = await classifier.search_services(text, limit=limit, minimum=minimum)
        await index.close()
        return [service.service_id for service in found]

    return asyncio.run(run())


@pytest.mark.parametrize(("limit", "minimum", "expected"), [(10, -1.0, 3), (2, -1.0, 2), (10, 0.9, 1), (10, 1.01, 0)])
def test_semantic_search_keeps_the_best_services_above_the_minimum(tmp_path, limit, minimum, expected):
    found = search(tmp_path, [WEATHER, RATES, HOURS], "mis on dollari kurss", limit=limit, minimum=minimum)
    assert len(found) == expected
    assert found[:1] == ["rates"][:expected]


def test_semantic_search_in_an_empty_index_finds_nothing(tmp_path):
    assert search(tmp_path, [], "mis on dollari kurss", limit=10, minimum=0.2) == []
