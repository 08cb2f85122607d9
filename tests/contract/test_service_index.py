"""What every store of the service index promises. Set QDRANT_URL to run the suite against a real Qdrant server too."""

import asyncio
import os
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from uuid import uuid4

import pytest
from qdrant_client import AsyncQdrantClient

from tests.fakes.embedder import FakeEmbedder
from tests.fakes.qdrant_http_server import QdrantHttpServer
from tool_classifier.errors import IndexMismatchError, IndexMissingError, ServiceIndexError
from tool_classifier.index import Manifest, PointType
from tool_classifier.index.points import build_points, content_hash, texts_of
from tool_classifier.index.qdrant_edge import EdgeServiceIndex
from tool_classifier.index.qdrant_server import ServerServiceIndex
from tool_classifier.models import Entity, EntityType, HttpMethod, Service
from tool_classifier.text.analyzer import ANALYZER_ID, analyse_query

REAL_SERVER = os.environ.get("QDRANT_URL")

CURRENCY = Service(
    id="currency",
    name="Valuutakalkulaator",
    description="Arvutab ühe valuuta teise",
    method=HttpMethod.GET,
    entities=(
        Entity(name="amount", type=EntityType.NUMBER, description="kui palju"),
        Entity(name="target_currency", type=EntityType.CURRENCY),
    ),
    examples=("Palju saan 1 EUR eest THBdes?", "mis on dollari kurss", "mis on dollari kurss", "👍"),
    is_common=True,
    context="Euroopa Keskpanga kursid",
)
WEATHER = Service(id="weather", name="Ilm", examples=("mis ilm homme on", "kas sajab vihma"))
LIBRARY = Service(id="library", name="Raamatukogu", examples=("millal raamatukogu avatakse",))


@asynccontextmanager
async def edge_store(tmp_path):
    yield lambda: EdgeServiceIndex(directory=tmp_path / "index")


@asynccontextmanager
async def fake_server(_tmp_path):
    async with QdrantHttpServer().running() as url:
        yield lambda: ServerServiceIndex(url=url)


@asynccontextmanager
async def real_server(_tmp_path):
    collection = f"contract_{uuid4().hex}"
    yield lambda: ServerServiceIndex(url=REAL_SERVER or "", collection=collection)
    client = AsyncQdrantClient(url=REAL_SERVER)
    for found in (await client.get_collections()).collections:
        if found.name.startswith(collection):
            await client.delete_collection(found.name)
    await client.close()


STORES = [pytest.param(edge_store, id="edge"), pytest.param(fake_server, id="server")]
if REAL_SERVER is not None:
    STORES.append(pytest.param(real_server, id="real-server"))


@pytest.fixture(params=STORES)
def run(request, tmp_path):
    """Runs a scenario, given a function that opens one more index object on the same, at first empty, store."""

    def run_scenario(scenario):
        async def in_store():
            async with request.param(tmp_path) as build, AsyncExitStack() as closing:

                def open_index():
                    index = build()
                    closing.push_async_callback(index.close)
                    return index

                return await scenario(open_index)

        return asyncio.run(in_store())

    return run_scenario


async def made_from(services, *, version="v1", embedder=None, kept=()):
    """A manifest of all `services` and the points of those that are not in `kept`."""
    embedder = embedder or FakeEmbedder()
    ids = {"embedder_id": embedder.id, "means_id": "", "analyzer_id": ANALYZER_ID}
    content = {service.id: content_hash(service, **ids) for service in services}
    points = []
    for service in services:
        if service not in kept:
            vectors = await embedder.embed(texts_of(service))
            points += build_points(
                service,
                vectors,
                embedder_id=embedder.id,
                content_hash=content[service.id],
                index_version=version,
            )
    sizes = [len(texts_of(service)) for service in services]
    manifest = Manifest(
        version=version,
        embedder_id=embedder.id,
        dimension=embedder.dimension,
        analyzer_id=ANALYZER_ID,
        source="contract suite",
        content=content,
        largest_service=max(sizes),
        points=sum(sizes),
        means_id="",
        means=((0.25,) * embedder.dimension, (1 / 3,) * embedder.dimension),
    )
    return manifest, points


async def publish(index, services, *, replaced=(), **how):
    manifest, points = await made_from(services, **how)
    await index.publish(manifest, points, replaced=replaced)
    return manifest


async def search(index, text, *, sparse=True, dense_limit=20, hybrid_limit=20, embedder=None):
    vectors = await (embedder or FakeEmbedder()).embed([text])
    return await index.search(
        vectors[0], analyse_query(text) if sparse else None, dense_limit=dense_limit, hybrid_limit=hybrid_limit
    )


async def texts(index):
    """Every point of the index as (service, type, text), ordered."""
    found = await search(index, "mis", dense_limit=1000)
    return sorted((hit.service_id, hit.type.value, hit.text) for hit in found.dense)


def sparse_order(found):
    """Texts of the examples in the order of the sparse side: its part of an RRF sum is what the dense side leaves."""
    dense_part = {hit.text: 1 / ((rank + 1) / 1.7 + 1) for rank, hit in enumerate(found.dense)}
    left = {hit.text: hit.score - dense_part[hit.text] for hit in found.hybrid if hit.text}
    return sorted((text for text, part in left.items() if part > 1e-4), key=lambda text: -left[text])


# ------------------------------------------------------------------------------------------------------- empty


def test_nothing_published_is_no_manifest_no_services_and_a_clear_error_for_a_search(run):
    async def scenario(open_index):
        index = open_index()
        assert await index.manifest() is None
        assert await index.services(["currency"]) == ()
        assert await index.all_services() == ()
        with pytest.raises(IndexMissingError) as raised:
            await search(index, "mis ilm on")
        assert "tool-classifier index" in raised.value.hint

    run(scenario)


# ------------------------------------------------------------------------------------------------------ search


def test_dense_scores_are_cosines_best_first(run):
    async def scenario(open_index):
        index = open_index()
        await publish(index, [CURRENCY, WEATHER])
        found = await search(index, "mis ilm homme on")

        embedder = FakeEmbedder()
        query = (await embedder.embed(["mis ilm homme on"]))[0]
        vectors = await embedder.embed([*texts_of(CURRENCY), *texts_of(WEATHER)])
        expected = sorted((float(value) for value in vectors @ query), reverse=True)
        assert [hit.score for hit in found.dense] == pytest.approx(expected, abs=1e-5)
        best = found.dense[0]
        assert (best.service_id, best.name, best.type, best.text) == (
            "weather",
            "Ilm",
            PointType.EXAMPLE,
            "mis ilm homme on",
        )

    run(scenario)


def test_a_summary_hit_has_no_example_text(run):
    async def scenario(open_index):
        index = open_index()
        await publish(index, [WEATHER, LIBRARY])
        found = await search(index, "Raamatukogu millal raamatukogu avatakse")
        assert (found.dense[0].service_id, found.dense[0].type, found.dense[0].text) == (
            "library",
            PointType.SUMMARY,
            "",
        )

    run(scenario)


def test_hybrid_scores_are_the_weighted_sum_of_reciprocal_ranks(run):
    async def scenario(open_index):
        index = open_index()
        await publish(index, [CURRENCY, WEATHER, LIBRARY])
        found = await search(index, "mis ilm homme on")
        # First of both sides: 1 / (1 / 1.7 + 1) + 1 / (1 / 1 + 1)
        assert found.hybrid[0].text == "mis ilm homme on"
        assert found.hybrid[0].score == pytest.approx(1 / (1 / 1.7 + 1) + 1 / 2, abs=1e-5)
        scores = [hit.score for hit in found.hybrid]
        assert scores == sorted(scores, reverse=True)

    run(scenario)


def test_without_a_sparse_side_the_hybrid_search_ranks_as_the_dense_one(run):
    async def scenario(open_index):
        index = open_index()
        await publish(index, [CURRENCY, WEATHER, LIBRARY])
        found = await search(index, "kas homme sajab", sparse=False, dense_limit=3, hybrid_limit=3)
        assert [hit.text for hit in found.hybrid] == [hit.text for hit in found.dense]
        assert [hit.score for hit in found.hybrid] == pytest.approx([1 / (n / 1.7 + 1) for n in (1, 2, 3)], abs=1e-5)

    run(scenario)


def test_an_example_without_tokens_is_found_by_the_dense_side_alone(run):
    async def scenario(open_index):
        index = open_index()
        await publish(index, [CURRENCY, WEATHER])
        found = await search(index, "👍")
        assert (found.dense[0].text, found.dense[0].score) == ("👍", pytest.approx(1.0, abs=1e-5))
        assert found.hybrid[0].text == "👍"

    run(scenario)


def test_of_two_texts_with_the_same_term_the_short_one_ranks_first_on_the_sparse_side(run):
    async def scenario(open_index):
        index = open_index()
        long = "saan ma teada kuidas ma pean toimima kui mul on vaja kiiresti uut passi reisile minekuks"
        services = [Service(id="a", name="x", examples=(long,)), Service(id="b", name="y", examples=("uut passi",))]
        await publish(index, [*services, WEATHER])
        ranked = sparse_order(await search(index, "passi"))
        assert ranked.index("uut passi") < ranked.index(long)

    run(scenario)


def test_of_two_texts_the_one_with_the_rarer_term_ranks_first_on_the_sparse_side(run):
    async def scenario(open_index):
        index = open_index()
        common = [Service(id=f"c{n}", name="x", examples=(f"rehvid {n}",)) for n in range(4)]
        await publish(index, [*common, Service(id="rare", name="x", examples=("passid 9",))])
        ranked = sparse_order(await search(index, "rehvid passid"))
        assert ranked[0] == "passid 9"
        assert set(ranked[1:5]) == {"rehvid 0", "rehvid 1", "rehvid 2", "rehvid 3"}

    run(scenario)


def test_many_examples_of_one_service_do_not_hide_another_within_the_limits_of_the_manifest(run):
    async def scenario(open_index):
        index = open_index()
        crowd = Service(id="crowd", name="Rahvas", examples=tuple(f"mis ilm homme on {n}" for n in range(50)))
        single = Service(id="single", name="Üksik", examples=("mis ilm täna õhtul on",))
        manifest = await publish(index, [crowd, single])
        assert (manifest.largest_service, manifest.points) == (51, 53)

        found = await search(
            index,
            "mis ilm homme on",
            dense_limit=manifest.largest_service + 1,
            hybrid_limit=manifest.largest_service + 1,
        )
        assert {hit.service_id for hit in found.dense} == {"crowd", "single"}
        assert {hit.service_id for hit in found.hybrid} == {"crowd", "single"}

    run(scenario)


def test_limits_count_points_of_each_search(run):
    async def scenario(open_index):
        index = open_index()
        await publish(index, [CURRENCY, WEATHER, LIBRARY])
        found = await search(index, "mis ilm homme on", dense_limit=2, hybrid_limit=3)
        assert (len(found.dense), len(found.hybrid)) == (2, 3)

    run(scenario)


def test_the_same_query_has_the_same_answer_from_any_reader_and_after_any_history(run):
    async def scenario(open_index):
        writer = open_index()
        await publish(writer, [CURRENCY, LIBRARY], version="v1")
        await publish(writer, [CURRENCY, LIBRARY, WEATHER], version="v2", kept=[CURRENCY, LIBRARY])
        once = await search(writer, "mis kurss homme on")
        assert await search(writer, "mis kurss homme on") == once
        assert await search(open_index(), "mis kurss homme on") == once
        await publish(writer, [CURRENCY, LIBRARY, WEATHER], version="v3", replaced=["currency", "library", "weather"])
        again = await search(writer, "mis kurss homme on")
        assert [hit.text for hit in again.dense] == [hit.text for hit in once.dense]
        assert [hit.score for hit in again.dense] == [hit.score for hit in once.dense]

    run(scenario)


def test_a_vector_of_another_dimension_is_refused_naming_both(run):
    async def scenario(open_index):
        index = open_index()
        await publish(index, [WEATHER])
        with pytest.raises(IndexMismatchError) as raised:
            await search(index, "ilm", embedder=FakeEmbedder(dimension=32))
        assert "32 dimensions" in raised.value.message
        assert "fake-trigrams-1 (64 dimensions)" in raised.value.message
        assert "tool-classifier index" in raised.value.hint

    run(scenario)


# ------------------------------------------------------------------------------------------------- definitions


def test_definitions_come_back_equal_to_what_was_published(run):
    async def scenario(open_index):
        index = open_index()
        await publish(index, [WEATHER, CURRENCY, LIBRARY])
        assert await index.services(["weather", "nobody", "currency"]) == (WEATHER, CURRENCY)
        assert await index.services([]) == ()
        assert await index.all_services() == (CURRENCY, LIBRARY, WEATHER)

    run(scenario)


def test_all_services_are_listed_when_there_are_more_than_a_page_of_them(run):
    async def scenario(open_index):
        index = open_index()
        many = [Service(id=f"s{n:03}", name=f"Teenus {n}") for n in range(210)]
        await publish(index, many)
        assert await index.all_services() == tuple(many)

    run(scenario)


def test_the_manifest_comes_back_equal_to_what_was_published(run):
    async def scenario(open_index):
        manifest = await publish(open_index(), [CURRENCY, WEATHER])
        assert await open_index().manifest() == manifest

    run(scenario)


# -------------------------------------------------------------------------------------------------- publishing


def test_points_of_replaced_services_go_and_others_stay(run):
    async def scenario(open_index):
        index = open_index()
        await publish(index, [CURRENCY, WEATHER, LIBRARY])
        renewed = replace(WEATHER, examples=("kas sajab vihma", "kui soe on"))
        await publish(index, [CURRENCY, renewed], version="v2", kept=[CURRENCY], replaced=["weather", "library"])
        assert await texts(index) == [
            ("currency", "example", "Palju saan 1 EUR eest THBdes?"),
            ("currency", "example", "mis on dollari kurss"),
            ("currency", "example", "👍"),
            ("currency", "summary", ""),
            ("weather", "example", "kas sajab vihma"),
            ("weather", "example", "kui soe on"),
            ("weather", "summary", ""),
        ]
        assert await index.all_services() == (CURRENCY, renewed)

    run(scenario)


def test_points_that_stay_score_as_before_on_both_sides(run):
    async def scenario(open_index):
        index = open_index()
        await publish(index, [CURRENCY, WEATHER])
        before = await search(index, "dollari kurss")
        await publish(index, [CURRENCY, replace(WEATHER, is_common=True)], version="v2", kept=[CURRENCY])
        after = await search(index, "dollari kurss")
        assert after == before

    run(scenario)


def test_publishing_the_same_again_changes_nothing(run):
    async def scenario(open_index):
        index = open_index()
        manifest = await publish(index, [CURRENCY, WEATHER])
        before = await search(index, "mis ilm homme on")
        await publish(index, [CURRENCY, WEATHER])
        assert await index.manifest() == manifest
        assert await search(index, "mis ilm homme on") == before

    run(scenario)


def test_everything_can_be_replaced_by_points_of_another_dimension_and_back(run):
    async def scenario(open_index):
        index, reader = open_index(), open_index()
        other = FakeEmbedder(id="other-2", dimension=96)
        everyone = ["currency", "weather"]
        await publish(index, [CURRENCY, WEATHER])
        first = await search(reader, "mis ilm homme on")
        await publish(index, [CURRENCY, WEATHER], version="v2", embedder=other, replaced=everyone)
        found = await search(reader, "mis ilm homme on", embedder=other)
        assert (found.dense[0].text, found.dense[0].score) == ("mis ilm homme on", pytest.approx(1.0, abs=1e-5))
        assert (await reader.manifest()).dimension == 96
        await publish(index, [CURRENCY, WEATHER], version="v3", replaced=everyone)
        assert await search(reader, "mis ilm homme on") == first

    run(scenario)


def test_a_failed_publish_leaves_everything_as_it_was(run):
    async def scenario(open_index):
        index = open_index()
        published = await publish(index, [CURRENCY, WEATHER])
        before = await search(index, "mis ilm homme on")
        manifest, points = await made_from([CURRENCY, LIBRARY], version="v2", kept=[CURRENCY])
        points[-1] = replace(points[-1], dense=(1.0, 0.0))
        with pytest.raises(ServiceIndexError):
            await index.publish(manifest, points, replaced=["weather"])
        for reader in (index, open_index()):
            assert await reader.manifest() == published
            assert await search(reader, "mis ilm homme on") == before
            assert await reader.all_services() == (CURRENCY, WEATHER)

    run(scenario)


def test_a_first_publish_that_fails_leaves_nothing(run):
    async def scenario(open_index):
        manifest, points = await made_from([WEATHER])
        points[0] = replace(points[0], dense=(1.0, 0.0))
        with pytest.raises(ServiceIndexError):
            await open_index().publish(manifest, points, replaced=())
        assert await open_index().manifest() is None
        await publish(open_index(), [WEATHER])
        assert await open_index().all_services() == (WEATHER,)

    run(scenario)


def test_a_reader_sees_a_new_version_without_being_reopened(run):
    async def scenario(open_index):
        writer, reader = open_index(), open_index()
        assert await reader.manifest() is None
        for version, services in (("v1", [WEATHER]), ("v2", [WEATHER, LIBRARY]), ("v3", [WEATHER, LIBRARY, CURRENCY])):
            await publish(writer, services, version=version, kept=services[:-1])
            assert (await reader.manifest()).version == version
            assert {hit.service_id for hit in (await search(reader, "mis")).dense} == {s.id for s in services}

    run(scenario)


def test_queries_during_ten_publishes_neither_fail_nor_come_back_empty(run):
    async def scenario(open_index):
        writer, reader = open_index(), open_index()
        await publish(writer, [CURRENCY, WEATHER], version="v00")
        done = asyncio.Event()

        async def publish_repeatedly():
            for n in range(1, 11):
                changed = replace(WEATHER, examples=(f"mis ilm homme on {n}", "kas sajab vihma"))
                await publish(writer, [CURRENCY, changed], version=f"v{n:02}", kept=[CURRENCY], replaced=["weather"])
            done.set()

        async def ask_repeatedly():
            answers = 0
            while not done.is_set():
                found = await search(reader, "mis ilm homme on", dense_limit=3, hybrid_limit=3)
                assert len(found.dense) == 3
                assert len(found.hybrid) == 3
                assert found.dense[0].service_id == "weather"
                assert (await reader.services(["weather"]))[0].name == "Ilm"
                answers += 1
            return answers

        async with asyncio.TaskGroup() as group:
            group.create_task(publish_repeatedly())
            asking = [group.create_task(ask_repeatedly()) for _ in range(2)]
        assert all(task.result() > 0 for task in asking)
        assert (await reader.manifest()).version == "v10"

    run(scenario)
