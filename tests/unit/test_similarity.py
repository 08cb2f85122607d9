import asyncio

import pytest

from tests.fakes.embedder import FakeEmbedder
from tool_classifier.classification.similarity import ExampleScorer
from tool_classifier.models import Service

WEATHER = Service(id="weather", name="ilm", examples=("mis ilm on homme", "kas täna sajab"))
DESCRIBED = Service(id="described", name="toetused", description="peretoetuse suurus")
NAMED = Service(id="named", name="lahtiolekuajad")
EMPTY = Service(id="empty", name="")


def scores(scorer: ExampleScorer, text: str, *services: Service) -> list[float]:
    return asyncio.run(scorer.scores(text, services))


def test_a_service_scores_as_its_best_text():
    scorer = ExampleScorer(embedder=FakeEmbedder(dimension=256), background=None)
    assert scores(scorer, "kas täna sajab", WEATHER, DESCRIBED)[0] == pytest.approx(1.0, abs=1e-5)
    assert scores(scorer, "peretoetuse suurus", WEATHER, DESCRIBED)[1] == pytest.approx(1.0, abs=1e-5)
    assert scores(scorer, "lahtiolekuajad", NAMED) == [pytest.approx(1.0, abs=1e-5)]


def test_a_service_without_any_text_scores_nothing():
    assert scores(ExampleScorer(embedder=FakeEmbedder(), background=None), "ilm", EMPTY, WEATHER)[0] == 0.0


def test_the_background_is_embedded_once_and_subtracted():
    embedder = FakeEmbedder(dimension=256)
    scorer = ExampleScorer(embedder=embedder, background={"et": ("tere", "mis on elu mõte")})
    plain = ExampleScorer(embedder=FakeEmbedder(dimension=256), background=None)
    first = scores(scorer, "mis ilm on", WEATHER)
    assert first != scores(plain, "mis ilm on", WEATHER)
    assert scores(scorer, "mis ilm on", WEATHER) == first
    assert embedder.texts.count("tere") == 1
