"""An index packed into one file and unpacked elsewhere: the same answers, and clear words when the file is bad."""

import asyncio
import gzip
import json

import pytest

from tests.fakes.embedder import FakeEmbedder
from tests.fakes.services import FakeCatalogue
from tool_classifier.errors import IndexMissingError, IndexUnavailableError
from tool_classifier.index.indexer import Indexer
from tool_classifier.index.packed import pack, unpack
from tool_classifier.index.qdrant_edge import EdgeServiceIndex
from tool_classifier.index.seeded import SeededIndex
from tool_classifier.models import Entity, EntityType, Service
from tool_classifier.settings import IndexSettings
from tool_classifier.text.analyzer import analyse_query
from tool_classifier.wiring.resources import build_index

FX = Service(
    id="fx",
    name="Valuuta",
    entities=(Entity(name="amount", type=EntityType.NUMBER),),
    examples=("mis on dollari kurss", "palju on euro", "💱"),
)
RAIN = Service(id="rain", name="Ilm", examples=("kas sajab vihma", "mis ilm homme on"))
BACKGROUND = {"et": ("tere hommikust", "kuidas läheb"), "en": ("good morning",)}
QUESTIONS = ("mis ilm homme on", "dollari kurss", "palju on sada eurot")  # with no two points at the same distance


async def search(index, text):
    vector = (await FakeEmbedder().embed([text]))[0]
    return await index.search(vector, analyse_query(text), dense_limit=10, hybrid_limit=10)


async def publish(index, *services):
    indexer = Indexer(embedder=FakeEmbedder(), index=index, background=BACKGROUND)
    return await indexer.run(FakeCatalogue(services))


def opening(directory):
    return EdgeServiceIndex(directory=directory)


@pytest.fixture
def packed(tmp_path):
    """The file, and all that its index says."""

    async def build():
        index = opening(tmp_path / "built")
        await publish(index, FX, RAIN)
        await pack(index, tmp_path / "packed" / "index.bin")
        said = await everything(index)
        await index.close()
        return said

    return tmp_path / "packed" / "index.bin", asyncio.run(build())


async def everything(index):
    return (
        await index.manifest(),
        await index.all_services(),
        [await search(index, question) for question in QUESTIONS],
    )


def test_an_unpacked_index_gives_exactly_the_same_results(packed, tmp_path):
    path, said = packed

    async def scenario():
        index = opening(tmp_path / "unpacked")
        manifest = await unpack(path, index)
        exported = await index.export()
        found = await everything(index)
        await index.close()
        return manifest, exported, found

    manifest, (exported_manifest, points), found = asyncio.run(scenario())
    assert found == said
    assert manifest == exported_manifest == said[0]
    assert len(points) == manifest.points == 7
    assert [point.id for point in points] == sorted(point.id for point in points)
    assert next(point for point in points if point.text == "💱").sparse is None


def test_the_same_index_makes_the_same_bytes_in_every_round(packed, tmp_path):
    path, _ = packed

    async def scenario():
        index = opening(tmp_path / "unpacked")
        await unpack(path, index)
        await pack(index, tmp_path / "again.bin")
        await index.close()

    asyncio.run(scenario())
    assert (tmp_path / "again.bin").read_bytes() == path.read_bytes()


def test_unpacking_takes_the_place_of_what_was_published(packed, tmp_path):
    path, said = packed

    async def scenario():
        index = opening(tmp_path / "other")
        await publish(index, Service(id="library", name="Raamatukogu", examples=("millal avatakse",)))
        await unpack(path, index)
        found = await everything(index)
        await index.close()
        return found

    assert asyncio.run(scenario()) == said


def test_an_empty_index_cannot_be_packed(tmp_path):
    with pytest.raises(IndexMissingError):
        asyncio.run(pack(opening(tmp_path / "empty"), tmp_path / "index.bin"))
    assert not (tmp_path / "index.bin").exists()


def test_a_place_that_cannot_be_written_is_named(packed, tmp_path):
    (tmp_path / "file").write_text("in the way", "utf-8")
    with pytest.raises(IndexUnavailableError, match=r"file/index\.bin"):
        asyncio.run(pack(opening(tmp_path / "built"), tmp_path / "file" / "index.bin"))


def lines_of(path):
    return gzip.decompress(path.read_bytes()).decode().splitlines()


def rewrite(path, change):
    lines = [json.loads(line) for line in lines_of(path)]
    change(lines)
    path.write_bytes(gzip.compress("".join(json.dumps(line) + "\n" for line in lines).encode()))


DAMAGE = {
    "missing": (lambda path: path.unlink(), "No such file"),
    "empty": (lambda path: path.write_bytes(b""), "not a tool-classifier packed index of version 1"),
    "no gzip": (lambda path: path.write_bytes(b"plain text"), "gzip"),
    "cut off": (lambda path: path.write_bytes(path.read_bytes()[:-200]), "ended before"),
    "bits turned": (lambda path: path.write_bytes(path.read_bytes()[:-8] + bytes(8)), "CRC"),
    "no JSON": (lambda path: path.write_bytes(gzip.compress(b"[not json")), "Expecting"),
    "no text": (lambda path: path.write_bytes(gzip.compress(b"\xff\xfe")), "utf-8"),
    "not an object": (lambda path: path.write_bytes(gzip.compress(b"[]\n")), "list"),
    "newer": (lambda path: rewrite(path, lambda lines: lines[0].update(version=2)), "of version 1"),
    "too few points": (lambda path: rewrite(path, lambda lines: lines.pop()), "6 points instead of 7"),
    "short vector": (lambda path: rewrite(path, lambda lines: lines[1].update(dense="AAAA")), "buffer|dimensions"),
    "other dimension": (lambda path: rewrite(path, lambda lines: lines[1].update(dense="AAAAAA==")), "of 1 dim"),
    "no base64": (lambda path: rewrite(path, lambda lines: lines[1].update(dense="ä")), "ASCII"),
    "no payload": (lambda path: rewrite(path, lambda lines: lines[1].pop("payload")), "payload"),
}


@pytest.mark.parametrize(("damage", "cause"), DAMAGE.values(), ids=DAMAGE)
def test_a_bad_file_is_refused_with_path_and_cure_and_the_index_stays(packed, tmp_path, damage, cause):
    path, said = packed
    damage(path)

    async def scenario():
        index = opening(tmp_path / "built")
        with pytest.raises(IndexUnavailableError, match=cause) as caught:
            await unpack(path, index)
        left = await everything(index)
        await index.close()
        return caught.value, left

    error, left = asyncio.run(scenario())
    assert str(path) in error.message
    assert "make build" in error.hint
    assert left == said


def test_a_seeded_index_starts_from_the_file_once_however_many_ask_at_a_time(packed, tmp_path):
    path, said = packed

    async def scenario():
        index = SeededIndex(index=opening(tmp_path / "fresh"), seed=path)
        together = await asyncio.gather(*(index.manifest() for _ in range(5)))
        found = await everything(index)
        services = await index.services(["rain", "unknown"])
        await index.close()
        return together, found, services

    together, found, services = asyncio.run(scenario())
    assert together == [said[0]] * 5
    assert found == said
    assert services == (RAIN,)
    assert len(list((tmp_path / "fresh" / "versions").iterdir())) == 1


def test_a_seeded_index_leaves_what_is_published_alone(packed, tmp_path):
    path, _ = packed

    async def scenario():
        index = SeededIndex(index=opening(tmp_path / "fresh"), seed=path)
        await publish(index, RAIN)
        path.unlink()
        await index.close()
        again = SeededIndex(index=opening(tmp_path / "fresh"), seed=path)
        services = await again.all_services()
        await again.close()
        return services

    assert asyncio.run(scenario()) == (RAIN,)


def test_publishing_to_a_seeded_index_embeds_only_what_the_seed_has_not(packed, tmp_path):
    path, _ = packed

    async def scenario():
        index = SeededIndex(index=opening(tmp_path / "fresh"), seed=path)
        report = await publish(index, FX, RAIN, Service(id="new", name="Uus", examples=("midagi uut",)))
        await index.close()
        return report

    report = asyncio.run(scenario())
    assert (report.added, report.unchanged, report.texts_embedded) == (("new",), ("fx", "rain"), 2)


def test_a_seed_that_cannot_be_used_is_tried_again(packed, tmp_path):
    path, said = packed
    away = path.rename(tmp_path / "away.bin")

    async def scenario():
        index = SeededIndex(index=opening(tmp_path / "fresh"), seed=path)
        with pytest.raises(IndexUnavailableError, match="No such file"):
            await index.manifest()
        away.rename(path)
        found = await everything(index)
        await index.close()
        return found

    assert asyncio.run(scenario()) == said


def test_wiring_seeds_the_embedded_index_when_told_to(packed, tmp_path):
    path, said = packed

    async def scenario(**places):
        index = build_index(IndexSettings(index_dir=tmp_path / "wired", **places))
        manifest = await index.manifest()
        await index.close()
        return manifest

    assert asyncio.run(scenario()) is None
    assert asyncio.run(scenario(index_seed=path)) == said[0]
