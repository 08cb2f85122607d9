"""The embedded index on disk: several processes, publishers that meet, folders that are damaged."""

import asyncio
import fcntl
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.fakes.embedder import FakeEmbedder
from tests.fakes.services import FakeCatalogue
from tool_classifier.errors import IndexLockedError, IndexUnavailableError
from tool_classifier.index.indexer import Indexer
from tool_classifier.index.points import build_points, texts_of
from tool_classifier.index.qdrant_edge import EdgeServiceIndex
from tool_classifier.models import Service
from tool_classifier.text.analyzer import analyse_query

FX = Service(id="fx", name="Valuuta", examples=("mis on dollari kurss", "palju on euro"))
RAIN = Service(id="rain", name="Ilm", examples=("kas sajab vihma", "mis ilm homme on"))

READER = """
import asyncio, sys
from pathlib import Path
from tests.fakes.embedder import FakeEmbedder
from tool_classifier.index.qdrant_edge import EdgeServiceIndex
from tool_classifier.text.analyzer import analyse_query

async def main():
    index = EdgeServiceIndex(directory=Path(sys.argv[1]))
    vector = (await FakeEmbedder().embed(["mis ilm homme on"]))[0]
    versions = set()
    print("reading", flush=True)
    while not (Path(sys.argv[1]) / "stop").exists():
        versions.add((await index.manifest()).version)
        found = await index.search(vector, analyse_query("mis ilm homme on"), dense_limit=3, hybrid_limit=3)
        assert (len(found.dense), len(found.hybrid)) == (3, 3), found
        assert found.dense[0].text == "mis ilm homme on", found
        if len(versions) == 1:
            print("answered", flush=True)
    versions.add((await index.manifest()).version)
    await index.close()
    print(len(versions), max(versions))

asyncio.run(main())
"""


def publish(directory, *services):
    async def once():
        index = EdgeServiceIndex(directory=directory)
        report = await Indexer(embedder=FakeEmbedder(), index=index, background=None).run(FakeCatalogue(services))
        await index.close()
        return report

    return asyncio.run(once())


async def search(index, text="mis ilm homme on"):
    vector = (await FakeEmbedder().embed([text]))[0]
    return await index.search(vector, analyse_query(text), dense_limit=10, hybrid_limit=10)


def find(directory):
    async def once():
        index = EdgeServiceIndex(directory=directory)
        try:
            return await search(index)
        finally:
            await index.close()

    return asyncio.run(once())


def versions(directory):
    return sorted(path.name for path in (directory / "versions").iterdir())


# --------------------------------------------------------------------------------------------- several processes


def test_a_second_process_reads_while_this_one_publishes(tmp_path):
    directory = tmp_path / "index"
    publish(directory, FX, RAIN)
    paths = os.pathsep.join((str(Path(__file__).parents[2]), *filter(None, sys.path)))
    reader = subprocess.Popen(
        [sys.executable, "-c", READER, str(directory)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": paths},
    )
    try:
        assert reader.stdout.readline() == "reading\n"
        assert reader.stdout.readline() == "answered\n"
        for number in range(6):
            last = publish(directory, replace(FX, examples=(f"mis on kurss {number}",)), RAIN)
        (directory / "stop").touch()
        output, _ = reader.communicate(timeout=60)
    finally:
        reader.kill()
        reader.wait()
    assert reader.returncode == 0
    seen, newest = output.splitlines()[-1].split()
    assert int(seen) >= 2
    assert newest == last.version


def test_a_second_publisher_is_turned_away_and_told_why(tmp_path):
    publish(tmp_path, FX)
    with (tmp_path / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(IndexLockedError) as raised:
            publish(tmp_path, FX, RAIN)
    assert raised.value.message == f"another process is publishing to the index in {tmp_path}"
    assert "Wait" in raised.value.hint
    assert publish(tmp_path, FX, RAIN).added == ("rain",)


def test_of_two_publishers_at_once_one_publishes_and_the_other_does_no_harm(tmp_path):
    async def both():
        runs = []
        for _ in range(2):
            index = EdgeServiceIndex(directory=tmp_path)
            indexer = Indexer(embedder=FakeEmbedder(), index=index, background=None)
            runs.append(indexer.run(FakeCatalogue([FX, RAIN])))
        return await asyncio.gather(*runs, return_exceptions=True)

    results = asyncio.run(both())
    published = [result for result in results if not isinstance(result, BaseException)]
    turned_away = [result for result in results if isinstance(result, BaseException)]
    assert published
    assert {type(error) for error in turned_away} <= {IndexLockedError}
    assert publish(tmp_path, FX, RAIN).unchanged == ("fx", "rain")


def test_a_publish_based_on_an_index_that_has_been_replaced_is_refused(tmp_path):
    """What the lock alone does not see: another publisher came and went after this one read the manifest."""

    async def scenario():
        ours, theirs = EdgeServiceIndex(directory=tmp_path), EdgeServiceIndex(directory=tmp_path)
        indexer = Indexer(embedder=FakeEmbedder(), index=theirs, background=None)
        await indexer.run(FakeCatalogue([FX]))
        before = await ours.manifest()
        await indexer.run(FakeCatalogue([FX, RAIN]))
        serving = await ours.manifest()
        vectors = await FakeEmbedder().embed(texts_of(FX))
        points = build_points(FX, vectors, embedder_id=before.embedder_id, content_hash="new", index_version="v")
        stale = replace(before, version="v", content={"fx": "new"})
        with pytest.raises(IndexLockedError) as raised:
            await ours.publish(stale, points, replaced=["fx"])
        assert f"the index in {tmp_path} is no longer the one that this run started from" in raised.value.message
        assert await ours.manifest() == serving
        await ours.close()
        await theirs.close()

    asyncio.run(scenario())
    assert len(versions(tmp_path)) == 2


class Overtaken(EdgeServiceIndex):
    """A reader that is slow to open: two versions are published between its reading the pointer and the files."""

    def _open(self, folder):
        if not self.__dict__.get("overtaken"):
            self.overtaken = True
            for number in range(2):
                publish(self._directory, replace(RAIN, context=str(number)))
        return super()._open(folder)


def test_a_reader_that_is_overtaken_while_opening_follows_the_pointer_again(tmp_path):
    publish(tmp_path, FX)

    async def scenario():
        index = Overtaken(directory=tmp_path)
        services = await index.all_services()
        await index.close()
        return services

    assert asyncio.run(scenario()) == (replace(RAIN, context="1"),)


# ---------------------------------------------------------------------------------------------- what is on disk


def test_the_published_version_and_the_one_before_it_are_kept(tmp_path):
    reports = [publish(tmp_path, replace(FX, context=str(number))) for number in range(4)]
    assert [name.rpartition(".")[0] for name in versions(tmp_path)] == [report.version for report in reports[-2:]]
    assert (tmp_path / "current").read_text() == versions(tmp_path)[-1]


def test_what_a_killed_publisher_left_behind_goes_with_the_next_publish(tmp_path):
    publish(tmp_path, FX)
    (tmp_path / "versions" / "20200101T000000.000000Z-dead.1" / "shard").mkdir(parents=True)
    (tmp_path / "current.new").write_text("20200101T000000.000000Z-dead.1")
    publish(tmp_path, FX, RAIN)
    assert "dead" not in "".join(versions(tmp_path))
    assert find(tmp_path).dense[0].text == "mis ilm homme on"


def test_an_index_grown_step_by_step_answers_as_one_built_at_once(tmp_path):
    publish(tmp_path / "grown", FX)
    publish(tmp_path / "grown", FX, replace(RAIN, examples=("midagi muud",)))
    publish(tmp_path / "grown", FX, RAIN)
    publish(tmp_path / "built", FX, RAIN)
    assert find(tmp_path / "grown") == find(tmp_path / "built")


def test_an_index_of_more_points_than_a_page_is_carried_over_whole(tmp_path):
    many = [Service(id=f"s{n:04}", name=f"Teenus {n}") for n in range(1050)]
    publish(tmp_path, *many)
    report = publish(tmp_path, *many[1:], RAIN)
    assert (report.texts_embedded, report.points) == (3, 1052)

    async def scenario():
        index = EdgeServiceIndex(directory=tmp_path)
        services = await index.all_services()
        await index.close()
        return services

    assert asyncio.run(scenario()) == (RAIN, *many[1:])


def test_closing_an_index_that_was_never_opened_does_nothing(tmp_path):
    asyncio.run(EdgeServiceIndex(directory=tmp_path).close())
    assert list(tmp_path.iterdir()) == []


def test_an_index_whose_folder_was_removed_is_empty_again(tmp_path):
    async def scenario():
        index = EdgeServiceIndex(directory=tmp_path)
        await Indexer(embedder=FakeEmbedder(), index=index, background=None).run(FakeCatalogue([FX]))
        assert await index.manifest() is not None
        (tmp_path / "current").unlink()
        assert await index.manifest() is None
        await index.close()

    asyncio.run(scenario())


# -------------------------------------------------------------------------------------------------------- damage


def truncate(path):
    path.write_bytes(b"")


def overwrite(path):
    path.write_bytes(b"\xff" * path.stat().st_size)


DAMAGE = {
    "manifest gone": ("manifest.json", Path.unlink),
    "manifest is not JSON": ("manifest.json", truncate),
    "manifest of another layout": ("manifest.json", lambda path: path.write_text(json.dumps({"version": "v1"}))),
    "shard's configuration cut off": ("shard/edge_config.json", truncate),
    "segment's state gone": ("shard/segments/*/segment.json", Path.unlink),
    "points lost without an error": ("shard/segments/*/mutable_id_tracker.mappings", truncate),
    "panics while loading": ("shard/segments/*/vector_storage-dense/vectors/status.dat", truncate),
    "payloads overwritten": ("shard/segments/*/payload_storage/tracker.dat", overwrite),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_index_is_reported_with_its_folder_and_the_cure(tmp_path, damage):
    directory = tmp_path / "index"
    publish(directory, FX, RAIN)
    pattern, harm = DAMAGE[damage]
    [path] = (directory / "versions").glob(f"*/{pattern}")
    harm(path)
    with pytest.raises(IndexUnavailableError) as raised:
        find(directory)
    assert raised.value.message.startswith(f"the index in {directory} cannot be used: ")
    assert f"remove {directory} and run `tool-classifier index`" in raised.value.hint


@pytest.mark.parametrize("lost", ["chunk_0.mmap", "status.dat"])
def test_vectors_that_come_back_as_zeros_are_damage_not_an_answer(tmp_path, lost):
    publish(tmp_path, FX, RAIN)
    [path] = tmp_path.glob(f"versions/*/shard/segments/*/vector_storage-dense/vectors/{lost}")
    path.unlink()
    with pytest.raises(IndexUnavailableError, match="cannot be used") as caught:
        find(tmp_path)
    assert "tool-classifier index" in caught.value.hint


def test_the_cure_for_a_damaged_index_works(tmp_path):
    publish(tmp_path / "index", FX)
    (tmp_path / "index" / "current").write_text("nowhere")
    with pytest.raises(IndexUnavailableError, match="nowhere"):
        publish(tmp_path / "index", FX)
    (tmp_path / "index").rename(tmp_path / "removed")
    publish(tmp_path / "index", FX)
    assert find(tmp_path / "index").dense[0].service_id == "fx"


def test_a_pointer_that_cannot_be_read_is_reported(tmp_path):
    (tmp_path / "current").mkdir()
    with pytest.raises(IndexUnavailableError, match="Is a directory"):
        find(tmp_path)


def test_a_folder_that_cannot_be_made_is_reported(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(IndexUnavailableError) as raised:
        publish(tmp_path / "file" / "index", FX)
    assert "Not a directory" in raised.value.message
    assert "writable" in raised.value.hint


def test_an_interrupt_is_not_taken_for_damage(tmp_path):
    index = EdgeServiceIndex(directory=tmp_path)
    with pytest.raises(KeyboardInterrupt), index._translated():
        raise KeyboardInterrupt
