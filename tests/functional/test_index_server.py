"""The index in a Qdrant server over real HTTP: round trips, names that are taken, failures and their cures."""

import asyncio
import socket
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from qdrant_client import models

from tests.fakes.embedder import FakeEmbedder
from tests.fakes.loopback import loopback, response
from tests.fakes.qdrant_http_server import QdrantHttpServer
from tests.fakes.services import FakeCatalogue
from tool_classifier.errors import (
    IndexMissingError,
    IndexUnavailableError,
    ServiceIndexError,
    SettingsError,
)
from tool_classifier.index.indexer import Indexer
from tool_classifier.index.points import manifest_id
from tool_classifier.index.qdrant_server import ServerServiceIndex
from tool_classifier.models import Service
from tool_classifier.text.analyzer import analyse_query

FX = Service(id="fx", name="Valuuta", examples=("mis on dollari kurss", "palju on euro"))
RAIN = Service(id="rain", name="Ilm", examples=("kas sajab vihma", "mis ilm homme on"))
POINTS = "/collections/intent_collections/points"


@asynccontextmanager
async def opened(url, **how):
    index = ServerServiceIndex(url=url, **how)
    try:
        yield index
    finally:
        await index.close()


async def publish(index, *services, embedder=None):
    indexer = Indexer(embedder=embedder or FakeEmbedder(), index=index, background=None)
    return await indexer.run(FakeCatalogue(services))


async def search(index, text="mis ilm homme on", embedder=None):
    vector = (await (embedder or FakeEmbedder()).embed([text]))[0]
    return await index.search(vector, analyse_query(text), dense_limit=20, hybrid_limit=20)


def with_server(scenario, server=None):
    server = server or QdrantHttpServer()

    async def in_server():
        async with server.running() as url, opened(url) as index:
            return await scenario(server, index)

    return asyncio.run(in_server())


# ---------------------------------------------------------------------------------------------------- round trips


def test_both_searches_are_one_round_trip():
    async def scenario(server, index):
        await publish(index, FX, RAIN)
        server.requests.clear()
        found = await search(index)
        assert found.dense[0].text == found.hybrid[0].text == "mis ilm homme on"
        assert server.requests == [("POST", f"{POINTS}/query/batch")]

    with_server(scenario)


def test_the_manifest_is_fetched_whole_only_when_it_has_changed():
    async def scenario(server, index):
        report = await publish(index, FX)
        await index.manifest()
        server.requests.clear()
        assert (await index.manifest()).version == report.version
        assert server.requests == [("POST", POINTS)]
        report = await publish(index, FX, RAIN)
        server.requests.clear()
        assert (await index.manifest()).version == report.version
        assert server.requests == [("POST", POINTS)] * 2

    with_server(scenario)


def test_the_manifest_is_never_found_by_a_search():
    async def scenario(server, index):
        await publish(index, FX)
        assert server.store.count("intent_collections").count == 4
        found = await search(index)
        assert (len(found.dense), len(found.hybrid)) == (3, 3)

    with_server(scenario)


def test_the_api_key_is_sent():
    async def scenario():
        async def respond(_request, writer):
            writer.write(response(b'{"result": [], "status": "ok", "time": 0}'))

        async with loopback(respond) as server:
            with pytest.warns(UserWarning, match="insecure connection"):
                index = ServerServiceIndex(url=server.url, api_key="s3cret")
            assert await index.manifest() is None
            await index.close()
            assert server.received[0].headers["api-key"] == "s3cret"

    asyncio.run(scenario())


# ---------------------------------------------------------------------------------------------------- collections


def test_each_embedding_space_has_its_collection_and_the_one_before_is_kept():
    async def scenario(server, index):
        seen = []
        for number in range(3):
            embedder = FakeEmbedder(id=f"embedder-{number}", dimension=32 + number)
            await publish(index, FX, embedder=embedder)
            assert (await search(index, "palju on euro", embedder=embedder)).dense[0].text == "palju on euro"
            [alias] = server.store.get_aliases().aliases
            assert alias.alias_name == "intent_collections"
            seen.append(alias.collection_name)
        kept = {collection.name for collection in server.store.get_collections().collections}
        assert len(set(seen)) == 3
        assert kept == set(seen[1:])

    with_server(scenario)


def test_collections_that_are_not_ours_are_never_removed():
    server = QdrantHttpServer()
    vectors = models.VectorParams(size=2, distance=models.Distance.DOT)
    for name in ("intent_collections_prod", "other_0123abcd", "intent_collections_0123abcd_copy"):
        server.store.create_collection(name, vectors_config=vectors)

    async def scenario(server, index):
        for number in range(3):
            await publish(index, FX, embedder=FakeEmbedder(id=f"embedder-{number}"))
        names = {collection.name for collection in server.store.get_collections().collections}
        assert {"intent_collections_prod", "other_0123abcd", "intent_collections_0123abcd_copy"} < names
        assert len(names) == 3 + 2

    with_server(scenario, server)


def test_a_collection_of_somebody_else_is_neither_read_nor_written():
    server = QdrantHttpServer()
    vectors = models.VectorParams(size=2, distance=models.Distance.DOT)
    server.store.create_collection("intent_collections", vectors_config=vectors)

    async def scenario(server, index):
        assert await index.manifest() is None
        with pytest.raises(IndexMissingError):
            await search(index)
        with pytest.raises(ServiceIndexError) as raised:
            await publish(index, FX)
        assert "already has a collection named intent_collections" in raised.value.message
        assert "QDRANT_COLLECTION" in raised.value.hint
        assert [collection.name for collection in server.store.get_collections().collections] == ["intent_collections"]

    with_server(scenario, server)


def test_an_alias_of_somebody_else_is_left_alone():
    server = QdrantHttpServer()
    server.store.create_collection("theirs", vectors_config=models.VectorParams(size=2, distance=models.Distance.DOT))
    alias = models.CreateAlias(collection_name="theirs", alias_name="intent_collections")
    server.store.update_collection_aliases([models.CreateAliasOperation(create_alias=alias)])

    async def scenario(server, index):
        with pytest.raises(ServiceIndexError, match="an alias intent_collections of the collection theirs"):
            await publish(index, FX)
        assert server.store.get_aliases().aliases[0].collection_name == "theirs"

    with_server(scenario, server)


def test_a_manifest_of_another_layout_is_reported_with_the_cure():
    async def scenario(server, index):
        await publish(index, FX)
        server.store.overwrite_payload("intent_collections", payload={"version": "v9"}, points=[manifest_id()])
        with pytest.raises(ServiceIndexError) as raised:
            await index.manifest()
        assert "holds what this version cannot read" in raised.value.message
        assert "QDRANT_COLLECTION" in raised.value.hint

    with_server(scenario)


# ------------------------------------------------------------------------------------------------- broken publish


def texts(server):
    records, _ = server.store.scroll("intent_collections", limit=1000)
    return sorted(record.payload["example_text"] for record in records if record.id != manifest_id())


@pytest.mark.parametrize(
    ("method", "path_end", "passing"),
    [("GET", "/aliases", 0), ("PUT", "/points", 0), ("POST", "/points/delete", 0), ("PUT", "/points", 1)],
    ids=["at the start", "writing points", "removing points", "writing the manifest"],
)
def test_a_publish_that_breaks_off_serves_on_and_the_next_one_mends_it(method, path_end, passing):
    async def scenario(server, index):
        before = await publish(index, FX, RAIN)
        changed = replace(RAIN, examples=("kui soe on",))
        added = Service(id="books", name="Raamatukogu", examples=("millal raamatukogu avatakse",))
        for status in (*[200] * passing, 500):
            server.refuse(method, path_end, status=status)
        with pytest.raises(IndexUnavailableError):
            await publish(index, FX, changed, added)
        assert (await index.manifest()).version == before.version
        found = await search(index, "mis on dollari kurss")
        assert found.dense[0].text == found.hybrid[0].text == "mis on dollari kurss"

        # Meanwhile an editor has thought better of it: what the broken run left of `added` must go too.
        after = await publish(index, changed)
        assert (after.changed, after.removed) == (("rain",), ("fx",))
        assert await index.all_services() == (changed,)
        assert texts(server) == ["", "kui soe on"]

    with_server(scenario)


def test_a_first_publish_that_breaks_off_leaves_nothing_and_can_be_repeated():
    async def scenario(server, index):
        server.refuse("POST", "/collections/aliases", status=503)
        with pytest.raises(IndexUnavailableError):
            await publish(index, FX, RAIN)
        assert await index.manifest() is None
        assert (await publish(index, FX)).added == ("fx",)
        assert await index.all_services() == (FX,)
        assert len(server.store.get_collections().collections) == 1

    with_server(scenario)


# ------------------------------------------------------------------------------------------------------- failures


@pytest.mark.parametrize(
    ("status", "headers", "kind", "cause", "cure"),
    [
        (500, {}, IndexUnavailableError, "(HTTP 500)", "QDRANT_URL"),
        (503, {}, IndexUnavailableError, "(HTTP 503)", "QDRANT_URL"),
        (429, {}, IndexUnavailableError, "(HTTP 429)", "QDRANT_URL"),
        (429, {"Retry-After": "3"}, IndexUnavailableError, "too many requests", "QDRANT_URL"),
        (408, {}, IndexUnavailableError, "(HTTP 408)", "QDRANT_URL"),
        (401, {}, ServiceIndexError, "401", "QDRANT_API_KEY"),
        (403, {}, ServiceIndexError, "403", "QDRANT_API_KEY"),
        (200, {}, IndexUnavailableError, "ValidationError", "QDRANT_URL"),
    ],
)
def test_an_http_failure_names_the_server_and_the_cure(status, headers, kind, cause, cure):
    async def scenario():
        async def respond(_request, writer):
            writer.write(response(b"[]", status=status, headers=headers))

        async with loopback(respond) as server, opened(server.url) as index:
            for ask in (index.manifest(), search(index), index.services(["fx"]), index.all_services()):
                with pytest.raises(kind) as raised:
                    await ask
                assert server.url in raised.value.message
                assert cause in raised.value.message
                assert cure in raised.value.hint

    asyncio.run(scenario())


@pytest.mark.parametrize("attempt", ["manifest", "search", "publish"])
def test_a_server_that_is_not_there_is_named_without_credentials(attempt):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound but not listening: connections are refused
        port = taken.getsockname()[1]

        async def scenario():
            async with opened(f"http://root:s3cret@127.0.0.1:{port}") as index:
                attempts = {
                    "manifest": index.manifest,
                    "search": lambda: search(index),
                    "publish": lambda: publish(index, FX),
                }
                with pytest.raises(IndexUnavailableError) as raised:
                    await attempts[attempt]()
                assert raised.value.message.startswith(
                    f"Qdrant at http://127.0.0.1:{port} does not answer (ConnectError"
                )
                assert "s3cret" not in str(raised.value)

        asyncio.run(scenario())


def test_a_server_that_does_not_answer_in_time_is_given_up():
    async def scenario():
        async def never(_request, _writer):
            await asyncio.Event().wait()

        async with loopback(never) as server, opened(server.url, timeout_seconds=0.1) as index:
            with pytest.raises(IndexUnavailableError, match="ReadTimeout"):
                await index.manifest()

    asyncio.run(scenario())


def test_a_refused_search_on_a_good_index_says_what_the_server_said():
    async def scenario(server, index):
        await publish(index, FX)
        server.refuse("POST", "/query/batch", status=400)
        with pytest.raises(ServiceIndexError) as raised:
            await search(index)
        assert type(raised.value) is ServiceIndexError
        assert "scripted" in raised.value.message
        assert "1.17" in raised.value.hint

    with_server(scenario)


@pytest.mark.parametrize("url", ["ftp://qdrant:6333", "http://qdrant:port"])
def test_an_address_that_cannot_be_one_is_refused_at_start(url):
    with pytest.raises(SettingsError) as raised:
        ServerServiceIndex(url=url)
    assert raised.value.message.startswith(f"{url} is not the address of a Qdrant server")
    assert "QDRANT_URL" in raised.value.hint
