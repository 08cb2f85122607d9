"""The remote embedder against a real HTTP server that answers well, badly, late or not at all."""

import asyncio
import json
from urllib.parse import urlsplit

import httpx
import numpy as np
import pytest

from tests.fakes.loopback import loopback, response
from tool_classifier.embedding.openai import OpenAiEmbedder
from tool_classifier.errors import (
    EmbeddingDimensionError,
    EmbeddingError,
    EmbeddingUnavailableError,
    SettingsError,
)

KEY = "sk-secret"
TEXT = "palju maksab"


def body(*vectors, indices=None):
    data = [{"index": i, "embedding": v} for i, v in zip(indices or range(len(vectors)), vectors, strict=True)]
    return json.dumps({"object": "list", "data": data}).encode()


def answering(*answers):
    """Answers in turn; the last one again and again."""
    left = list(answers)

    async def respond(_request, writer):
        answer = left.pop(0) if len(left) > 1 else left[0]
        if answer is None:
            writer.transport.abort()
        else:
            writer.write(answer)

    return respond


async def embed(respond, texts=(TEXT,), *, path="/v1", **options):
    """Returns vectors or the EmbeddingError, what the server received, and the waits between attempts."""
    waits = []

    async def sleep(seconds):
        waits.append(seconds)

    async with loopback(respond) as server, httpx.AsyncClient(trust_env=False) as http:
        settings = {"model": "m", "api_key": KEY, "dimension": 2, "timeout_seconds": 5, **options}
        embedder = OpenAiEmbedder(client=http, url=server.url + path, sleep=sleep, jitter=lambda: 1.0, **settings)
        try:
            result = await embedder.embed(texts)
        except EmbeddingError as error:
            result = error
        if isinstance(result, EmbeddingError):
            assert urlsplit(server.url).netloc in result.message
            assert KEY not in result.message + result.hint
            assert TEXT not in result.message + result.hint
        return result, server.received, waits


def run(respond, texts=(TEXT,), **options):
    return asyncio.run(embed(respond, texts, **options))


OK = response(body([3, 4]))


def test_model_texts_and_key_are_sent_and_unit_vectors_come_back():
    vectors, (received,), waits = run(answering(OK))

    assert vectors.dtype == np.float32
    assert vectors == pytest.approx(np.array([[0.6, 0.8]]))
    assert (received.method, received.target) == ("POST", "/v1/embeddings")
    assert received.headers["authorization"] == f"Bearer {KEY}"
    assert json.loads(received.body) == {"model": "m", "input": [TEXT], "encoding_format": "float"}
    assert waits == []


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("", "/embeddings"),
        ("/v1/", "/v1/embeddings"),
        ("/v1/embeddings", "/v1/embeddings"),
        ("/v1/embeddings/", "/v1/embeddings"),
        ("/deployments/m/embeddings?api-version=1", "/deployments/m/embeddings?api-version=1"),
    ],
)
def test_the_address_may_be_the_base_or_the_endpoint(path, target):
    _, (received,), _ = run(answering(OK), path=path)

    assert received.target == target


@pytest.mark.parametrize("api_key", [None, "", "  "])
def test_without_a_key_no_authorization_is_sent(api_key):
    _, (received,), _ = run(answering(OK), api_key=api_key)

    assert "authorization" not in received.headers


def test_a_key_is_trimmed():
    _, (received,), _ = run(answering(OK), api_key=f" {KEY}\n")

    assert received.headers["authorization"] == f"Bearer {KEY}"


def test_without_texts_nothing_is_sent():
    vectors, received, _ = run(answering(OK), [])

    assert vectors.shape == (0, 2)
    assert received == []


def test_batches_keep_the_order_and_the_index_decides_within_one():
    async def respond(request, writer):
        texts = json.loads(request.body)["input"]
        vectors = [[float(text), 1.0] for text in texts]
        backwards = range(len(texts) - 1, -1, -1)
        writer.write(response(body(*reversed(vectors), indices=backwards)))

    vectors, received, _ = run(respond, [str(n) for n in range(7)], batch_size=3)

    assert [len(json.loads(request.body)["input"]) for request in received] == [3, 3, 1]
    assert (vectors[:, 0] / vectors[:, 1]).tolist() == pytest.approx(range(7))


def test_an_omitted_index_is_the_first():
    data = {"data": [{"embedding": [0, 1], "index": 1}, {"embedding": [1, 0]}]}

    vectors, _, _ = run(answering(response(json.dumps(data).encode())), ["a", "b"])

    assert vectors.tolist() == [[1, 0], [0, 1]]


def test_texts_are_made_fit_to_send():
    async def respond(request, writer):
        count = len(json.loads(request.body)["input"])
        writer.write(response(body(*[[1, 0]] * count)))

    _, (received,), _ = run(respond, ["", "a\0b\ud800", "x" * 24_000, "\ufb01"])

    assert json.loads(received.body)["input"] == [" ", "ab", "x" * 8_000, "fi"]


@pytest.mark.parametrize("trouble", [response(status=429), response(status=500), response(status=503), None])
def test_a_passing_trouble_is_tried_again(trouble):
    vectors, received, waits = run(answering(trouble, trouble, OK))

    assert vectors == pytest.approx(np.array([[0.6, 0.8]]))
    assert len(received) == 3
    assert waits == [0.5, 1.0]


@pytest.mark.parametrize(
    ("retry_after", "wait"),
    [
        ("3", 3.0),
        ("0", 0.5),
        ("3600", 8.0),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 8.0),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0.5),
        ("soon", 0.5),
    ],
)
def test_the_servers_wish_to_wait_is_honoured_up_to_a_bound(retry_after, wait):
    busy = response(status=429, headers={"Retry-After": retry_after})

    _, _, waits = run(answering(busy, OK))

    assert waits == [wait]


def test_a_lasting_trouble_gives_up_after_the_attempts():
    error, received, waits = run(answering(response(status=500)))

    assert type(error) is EmbeddingUnavailableError
    assert "HTTP 500" in error.message
    assert (len(received), len(waits)) == (3, 2)


def test_a_connection_that_always_breaks_gives_up_after_the_attempts():
    error, received, waits = run(answering(None), attempts=2)

    assert type(error) is EmbeddingUnavailableError
    assert "cannot be reached" in error.message
    assert "EMBEDDING_URL" in error.hint
    assert (len(received), len(waits)) == (2, 1)


def test_nobody_listening_is_unavailable():
    async def scenario():
        async with loopback(answering(OK)) as server:
            pass
        async with httpx.AsyncClient(trust_env=False) as http:
            embedder = OpenAiEmbedder(
                client=http, url=server.url, model="m", api_key=None, dimension=2, sleep=lambda _: asyncio.sleep(0)
            )
            await embedder.embed([TEXT])

    with pytest.raises(EmbeddingUnavailableError, match="ConnectError"):
        asyncio.run(scenario())


def test_a_slow_endpoint_is_unavailable_after_one_attempt():
    async def drip(_request, writer):
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            writer.write(b" ")
            await writer.drain()
            await asyncio.sleep(0.02)

    error, received, _ = run(drip, timeout_seconds=0.2)

    assert type(error) is EmbeddingUnavailableError
    assert "within 0.2 s" in error.message
    assert len(received) == 1


@pytest.mark.parametrize(
    ("status", "kind", "hint"),
    [
        (400, EmbeddingError, "EMBEDDING_MODEL"),
        (413, EmbeddingError, "EMBEDDING_MODEL"),
        (401, EmbeddingUnavailableError, "EMBEDDING_API_KEY"),
        (403, EmbeddingUnavailableError, "EMBEDDING_API_KEY"),
        (404, EmbeddingUnavailableError, "EMBEDDING_MODEL"),
        (302, EmbeddingUnavailableError, "EMBEDDING_URL"),
        (204, EmbeddingUnavailableError, "EMBEDDING_URL"),
    ],
)
def test_a_refusal_is_not_tried_again_and_names_status_and_setting(status, kind, hint):
    error, received, _ = run(answering(response(status=status, headers={"Location": "/v1/embeddings"})))

    assert type(error) is kind
    assert f"HTTP {status}" in error.message
    assert hint in error.hint
    assert len(received) == 1


def test_another_dimension_names_both_and_the_setting():
    error, _, _ = run(answering(response(body([1, 2, 3]))))

    assert type(error) is EmbeddingDimensionError
    assert "dimension 3" in error.message
    assert "EMBEDDING_DIMENSION is 2" in error.message


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"not json",
        b"{}",
        b'{"data": [{"index": 0, "embedding": "AACAPw=="}]}',
        b'{"data": [{"index": 0, "embedding": [1, null]}]}',
        b'{"data": [{"index": 0, "embedding": ["palju maksab", 1]}]}',
        body(),
        body([1, 0], [0, 1]),
        body([1, 0], indices=[1]),
        body([float("nan"), 1]),
        body([float("inf"), 1]),
        body([1e300, 1e300]),
        body([0, 0]),
    ],
)
def test_an_unusable_answer_is_refused(answer):
    error, received, _ = run(answering(response(answer)))

    assert type(error) is EmbeddingError
    assert len(received) == 1


def test_a_second_vector_for_the_same_index_is_refused():
    error, _, _ = run(answering(response(body([1, 0], [0, 1], indices=[0, 0]))), ["a", "b"])

    assert type(error) is EmbeddingError


def test_the_id_names_model_and_dimension():
    embedder = OpenAiEmbedder(
        client=httpx.AsyncClient(), url="https://host/v1", model="text-embedding-3-large", api_key=None, dimension=3072
    )

    assert (embedder.id, embedder.dimension) == ("text-embedding-3-large@3072", 3072)


@pytest.mark.parametrize(
    "url", ["", "host/v1", "ftp://host/v1", "http://", "http://host:port/v1", "http://host:70000/v1"]
)
def test_an_address_that_cannot_be_used_names_its_setting(url):
    with pytest.raises(SettingsError, match="EMBEDDING_URL"):
        OpenAiEmbedder(client=httpx.AsyncClient(), url=url, model="m", api_key=None, dimension=2)


@pytest.mark.parametrize("api_key", ["sk-õ", "sk-a\nb"])
def test_a_key_that_no_header_can_carry_is_refused_without_being_shown(api_key):
    with pytest.raises(SettingsError, match="EMBEDDING_API_KEY") as caught:
        OpenAiEmbedder(client=httpx.AsyncClient(), url="http://host", model="m", api_key=api_key, dimension=2)
    assert "sk-" not in caught.value.message
