"""One catalogue, indexed through both stores: whoever changes the store must not change the answers."""

import asyncio

import numpy as np

from tests.fakes.embedder import FakeEmbedder
from tests.fakes.qdrant_http_server import QdrantHttpServer
from tests.fakes.services import FakeCatalogue
from tool_classifier.embedding.centring import Centring, load_background
from tool_classifier.index.indexer import Indexer
from tool_classifier.index.qdrant_edge import EdgeServiceIndex
from tool_classifier.index.qdrant_server import ServerServiceIndex
from tool_classifier.models import Service
from tool_classifier.text.analyzer import analyse_query

SERVICES = (
    Service(id="fx", name="Valuuta", examples=("mis on dollari kurss", "palju saan 1 EUR eest THBdes", "👍")),
    Service(id="rain", name="Ilm", description="Ilmateade", examples=("kas sajab vihma", "mis ilm homme on")),
    Service(id="books", name="Raamatukogu", examples=("millal raamatukogu avatakse", "when does the library open")),
    Service(id="tax", name="Налоги", examples=("когда платить налог", "сколько налог на машину")),
)
QUESTIONS = ("mis ilm täna on", "палю налог", "library open hours", "palju saan dollareid", "👍", "raamat kurss")


def test_both_stores_give_the_same_answers(tmp_path):
    async def scenario():
        answers = []
        embedder = FakeEmbedder()
        async with QdrantHttpServer().running() as url:
            for index in (EdgeServiceIndex(directory=tmp_path), ServerServiceIndex(url=url)):
                indexer = Indexer(embedder=embedder, index=index, background=load_background())
                await indexer.run(FakeCatalogue(SERVICES[:2]))
                report = await indexer.run(FakeCatalogue(SERVICES))
                assert (report.added, report.unchanged, report.points) == (("books", "tax"), ("fx", "rain"), 13)
                manifest = await index.manifest()
                means = Centring(id=manifest.means_id, means=np.array(manifest.means, np.float32))
                found = []
                for question in QUESTIONS:
                    vector = means.apply((await embedder.embed([question]))[0])
                    result = await index.search(vector, analyse_query(question), dense_limit=13, hybrid_limit=13)
                    found.append((rounded(result.dense), rounded(result.hybrid)))
                answers.append((found, await index.all_services(), await index.services(["tax", "fx"])))
                await index.close()
        return answers

    edge, server = asyncio.run(scenario())
    assert edge == server
    assert edge[1] == tuple(sorted(SERVICES, key=lambda service: service.id))
    assert [hybrid[0][0] for _, hybrid in edge[0]] == ["rain", "tax", "books", "fx", "fx", "books"]


def rounded(hits):
    return [(hit.service_id, hit.type, hit.text, round(hit.score, 4)) for hit in hits]


def test_a_service_can_be_taken_out_of_either_store_down_to_the_last_one(tmp_path):
    async def scenario():
        async with QdrantHttpServer().running() as url:
            for index in (EdgeServiceIndex(directory=tmp_path), ServerServiceIndex(url=url)):
                indexer = Indexer(embedder=FakeEmbedder(), index=index, background=None)
                assert not await indexer.remove("fx")
                await indexer.run(FakeCatalogue(SERVICES[:2]))
                assert not await indexer.remove("books")

                assert await indexer.remove("fx")
                assert await index.all_services() == (SERVICES[1],)
                manifest = await index.manifest()
                assert (tuple(manifest.content), manifest.points) == (("rain",), 3)

                assert await indexer.remove("rain")
                assert await index.all_services() == ()
                assert (await index.manifest()).points == 0
                vector = (await FakeEmbedder().embed(["ilm"]))[0]
                found = await index.search(vector, analyse_query("ilm"), dense_limit=5, hybrid_limit=5)
                assert (found.dense, found.hybrid) == ((), ())

                report = await indexer.run(FakeCatalogue(SERVICES[:2]))
                assert report.added == ("fx", "rain")
                await index.close()

    asyncio.run(scenario())
