"""What every embedder promises, whichever way it computes its vectors."""

import asyncio
import json
from contextlib import asynccontextmanager

import httpx
import numpy as np
import pytest

from tests.fakes.embedder import FakeEmbedder
from tests.fakes.loopback import loopback, response
from tool_classifier.embedding.e5 import E5Embedder
from tool_classifier.embedding.openai import OpenAiEmbedder

TEXTS = ["Palju saan 1 EUR eest THBdes?", "What is the weather?", "Какая погода?", "北京", "👍", "C++"]
HOSTILE = {
    "empty": "",
    "spaces": " \n\t ",
    "NUL": "tere\0tulemast",
    "lone surrogate": "tere \ud83d tulemast",
    "ten U+FDFA": "\ufdfa" * 10,
    "24 kB of one word": "sõna " * 4_000,
    "bidi and tags": "\u202eabc\u2066\U000e0041",
    "unassigned": "\U0001fbff\U000dffff",
}


@asynccontextmanager
async def fake():
    yield FakeEmbedder()


@asynccontextmanager
async def e5():
    yield E5Embedder()


@asynccontextmanager
async def openai():
    model = FakeEmbedder()

    async def respond(request, writer):
        asked = json.loads(request.body)
        vectors = await model.embed(asked["input"])
        data = [{"index": n, "embedding": (7 * vector).tolist()} for n, vector in enumerate(vectors)]
        writer.write(response(json.dumps({"data": data, "model": asked["model"]}).encode()))

    async with loopback(respond) as server, httpx.AsyncClient(trust_env=False) as client:
        yield OpenAiEmbedder(
            client=client, url=server.url, model="m", api_key=None, dimension=model.dimension, batch_size=4
        )


@pytest.fixture(params=[fake, e5, openai], ids=lambda build: build.__name__)
def embed(request):
    """Embeds several lists of texts with one embedder; returns its dimension, then their vectors."""

    async def embed_all(lists):
        async with request.param() as embedder:
            assert embedder.id
            return [embedder.dimension, *[await embedder.embed(texts) for texts in lists]]

    return lambda *lists: asyncio.run(embed_all(lists))


def test_rows_are_float32_of_length_one(embed):
    dimension, vectors = embed(TEXTS)

    assert vectors.dtype == np.float32
    assert vectors.shape == (len(TEXTS), dimension)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=1e-5)


def test_no_texts_give_no_rows(embed):
    dimension, vectors = embed([])

    assert vectors.dtype == np.float32
    assert vectors.shape == (0, dimension)


def test_rows_come_in_the_order_of_the_texts(embed):
    _, forwards, backwards = embed(TEXTS, TEXTS[::-1])

    assert np.array_equal(forwards, backwards[::-1])
    assert len({vector.tobytes() for vector in forwards}) == len(TEXTS)


def test_the_same_text_has_the_same_vector_in_every_call_and_in_every_batch(embed):
    _, batch, again, *singles = embed(TEXTS, TEXTS, *[[text] for text in TEXTS])

    assert np.array_equal(batch, again)
    assert np.array_equal(batch, np.concatenate(singles))


def test_texts_may_be_any_sequence(embed):
    _, from_tuple, from_list = embed(tuple(TEXTS), TEXTS)

    assert np.array_equal(from_tuple, from_list)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_text_has_a_unit_vector_and_leaves_its_neighbours_alone(embed, text):
    dimension, vectors, (neighbour,) = embed([TEXTS[0], text, TEXTS[0]], TEXTS[:1])

    assert vectors.shape == (3, dimension)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(3), abs=1e-5)
    assert np.array_equal(vectors[[0, 2]], np.stack([neighbour, neighbour]))
