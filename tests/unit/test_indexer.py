import asyncio
from dataclasses import replace

import numpy as np
import pytest

from tests.fakes.embedder import FakeEmbedder
from tests.fakes.services import FakeCatalogue
from tool_classifier.embedding.centring import background_id, fit_centring
from tool_classifier.errors import (
    CatalogueError,
    CatalogueUnavailableError,
    EmbeddingError,
    IndexLockedError,
    IndexMismatchError,
)
from tool_classifier.index.indexer import Failure, Indexer
from tool_classifier.index.points import texts_of
from tool_classifier.models import Service

FX = Service(id="fx", name="Valuuta", examples=("mis on dollari kurss", "palju on euro"))
RAIN = Service(id="rain", name="Ilm", examples=("kas sajab vihma",))
BOOKS = Service(id="books", name="Raamatukogu", examples=("millal raamatukogu avatakse",))
BACKGROUND = {"et": ("tere päevast", "kuidas läheb"), "en": ("good morning",)}


class FakeIndex:
    """The publishing half of ServiceIndex: remembers every publish."""

    def __init__(self):
        self.published = None
        self.publishes = []
        self.locked = False

    async def manifest(self):
        return self.published

    async def publish(self, manifest, points, *, replaced):
        if self.locked:
            raise IndexLockedError("locked")
        self.published = manifest
        self.publishes.append((manifest, tuple(points), tuple(replaced)))


def make(*, index=None, embedder=None, background=None):
    embedder, index = embedder or FakeEmbedder(), index or FakeIndex()
    return Indexer(embedder=embedder, index=index, background=background), embedder, index


def run(indexer, *services, **how):
    return asyncio.run(indexer.run(FakeCatalogue(services), **how))


def outcome(report):
    return report.added, report.changed, report.removed, report.unchanged


# ---------------------------------------------------------------------------------------------- what is embedded


def test_a_first_run_embeds_every_distinct_text_once_and_publishes_all_points():
    indexer, embedder, index = make()
    report = run(indexer, RAIN, FX, replace(BOOKS, examples=("kas sajab vihma",)))
    assert outcome(report) == (("books", "fx", "rain"), (), (), ())
    assert sorted(embedder.texts) == sorted({*texts_of(FX), *texts_of(RAIN), "Raamatukogu kas sajab vihma"})
    assert (report.texts_embedded, report.points, report.dry_run, report.source) == (6, 7, False, "fake catalogue")
    assert report.seconds > 0

    [(manifest, points, replaced)] = index.publishes
    assert (len(points), replaced) == (7, ())
    assert (manifest.points, manifest.largest_service, manifest.source) == (7, 3, "fake catalogue")
    assert (manifest.embedder_id, manifest.dimension) == ("fake-trigrams-1", 64)
    assert list(manifest.content) == ["books", "fx", "rain"]
    assert (manifest.means_id, manifest.means) == ("", ())
    assert manifest.version == report.version
    assert {point.payload["index_version"] for point in points} == {report.version}
    assert {point.payload["content_hash"] for point in points} == set(manifest.content.values())


def test_a_second_run_embeds_nothing_and_publishes_nothing():
    indexer, embedder, index = make(background=BACKGROUND)
    first = run(indexer, FX, RAIN)
    embedded = embedder.embedded
    second = run(indexer, FX, RAIN)
    assert outcome(second) == ((), (), (), ("fx", "rain"))
    assert (second.texts_embedded, second.points, second.version) == (0, 5, first.version)
    assert embedder.embedded == embedded
    assert len(index.publishes) == 1


def test_only_new_and_changed_services_are_embedded():
    indexer, embedder, index = make(background=BACKGROUND)
    run(indexer, FX, RAIN)
    embedder.texts.clear()
    changed = replace(RAIN, examples=("kas sajab vihma", "kui soe on"))
    report = run(indexer, FX, changed, BOOKS)
    assert outcome(report) == (("books",), ("rain",), (), ("fx",))
    assert sorted(embedder.texts) == sorted((*texts_of(BOOKS), *texts_of(changed)))
    manifest, points, replaced = index.publishes[-1]
    assert {point.service_id for point in points} == {"books", "rain"}
    assert replaced == ("rain",)
    assert (manifest.points, manifest.largest_service) == (8, 3)
    assert manifest.means == index.publishes[0][0].means
    assert manifest.version > index.publishes[0][0].version


@pytest.mark.parametrize("catalogue", [(FX,), (FX, replace(RAIN, active=False))])
def test_a_service_that_is_gone_or_inactive_is_removed(catalogue):
    indexer, embedder, index = make()
    run(indexer, FX, RAIN)
    embedder.texts.clear()
    report = run(indexer, *catalogue)
    assert outcome(report) == ((), (), ("rain",), ("fx",))
    assert (report.texts_embedded, embedder.texts, report.points) == (0, [], 3)
    manifest, points, replaced = index.publishes[-1]
    assert (points, replaced, tuple(manifest.content)) == ((), ("rain",), ("fx",))


def test_an_inactive_service_is_not_indexed():
    indexer, _, index = make()
    assert run(indexer, FX, replace(RAIN, active=False)).added == ("fx",)
    assert {point.service_id for point in index.publishes[0][1]} == {"fx"}


def test_a_change_of_the_definition_alone_is_a_change():
    indexer, _, _ = make()
    run(indexer, FX)
    assert run(indexer, replace(FX, is_common=True)).changed == ("fx",)


# ---------------------------------------------------------------------------------------------------- migration


@pytest.mark.parametrize(
    "other", [FakeEmbedder(id="other-1"), FakeEmbedder(dimension=32), FakeEmbedder(id="other-1", dimension=32)]
)
def test_another_embedder_embeds_everything_anew_and_replaces_all(other):
    indexer, _, index = make(background=BACKGROUND)
    run(indexer, FX, RAIN)
    other.texts.clear()
    indexer, _, _ = make(embedder=other, index=index, background=BACKGROUND)
    report = run(indexer, FX, BOOKS)
    assert outcome(report) == (("books",), ("fx",), ("rain",), ())
    assert report.texts_embedded == other.embedded == 3 + 3 + 2
    manifest, points, replaced = index.publishes[-1]
    assert (manifest.embedder_id, manifest.dimension) == (other.id, other.dimension)
    assert sorted(replaced) == ["fx", "rain"]
    assert {len(point.dense) for point in points} == {other.dimension}
    assert {len(row) for row in manifest.means} == {other.dimension}


def test_an_index_of_another_embedder_is_refused_naming_both_and_the_cure():
    indexer, embedder, index = make()
    run(indexer, FX)
    index.published.check_embedder(embedder.id, embedder.dimension)
    for other in (("e5-1", 384), (embedder.id, 384), ("e5-1", 64)):
        with pytest.raises(IndexMismatchError) as raised:
            index.published.check_embedder(*other)
        assert "fake-trigrams-1 (dimension 64)" in raised.value.message
        assert f"{other[0]} (dimension {other[1]})" in raised.value.message
        assert "tool-classifier index" in raised.value.hint


@pytest.mark.parametrize("background", [None, {"et": ("hoopis teine jutt",)}])
def test_another_background_embeds_everything_anew(background):
    indexer, _, index = make(background=BACKGROUND)
    run(indexer, FX)
    indexer, embedder, _ = make(index=index, background=background)
    report = run(indexer, FX)
    assert report.changed == ("fx",)
    assert report.texts_embedded == embedder.embedded == (3 if background is None else 4)
    assert index.published.means_id == ("" if background is None else background_id(background))
    assert len(index.published.means) == (0 if background is None else 1)


# ---------------------------------------------------------------------------------------------------- background


def test_the_background_means_are_subtracted_from_every_vector_and_published():
    indexer, _, index = make(background=BACKGROUND)
    report = run(indexer, FX)
    assert report.texts_embedded == 3 + 3

    async def expected():
        embedder = FakeEmbedder()
        centring = await fit_centring(embedder, BACKGROUND)
        return centring, centring.apply(await embedder.embed(texts_of(FX)))

    centring, vectors = asyncio.run(expected())
    manifest, points, _ = index.publishes[0]
    assert np.array([point.dense for point in points], np.float32).tolist() == vectors.tolist()
    assert (manifest.means_id, np.array(manifest.means, np.float32).tolist()) == (centring.id, centring.means.tolist())


# ------------------------------------------------------------------------------------------------------- dry run


def test_a_dry_run_says_what_would_be_done_and_does_nothing():
    indexer, embedder, index = make(background=BACKGROUND)
    report = run(indexer, FX, RAIN, dry_run=True)
    assert outcome(report) == (("fx", "rain"), (), (), ())
    assert (report.texts_embedded, report.points, report.version, report.dry_run) == (3 + 5, 5, "", True)
    assert (embedder.embedded, index.publishes) == (0, [])

    published = run(indexer, FX, RAIN)
    report = run(indexer, FX, dry_run=True)
    assert outcome(report) == ((), (), ("rain",), ("fx",))
    assert (report.texts_embedded, report.points, report.version) == (0, 3, published.version)
    assert len(index.publishes) == 1


# ------------------------------------------------------------------------------------------------------ progress


def test_progress_counts_texts_after_each_batch_with_the_background_first():
    calls = []
    indexer, _, _ = make(background=BACKGROUND)
    many = [Service(id=f"s{n:03}", name=f"Teenus {n}") for n in range(130)]
    report = run(indexer, *many, progress=lambda done, total: calls.append((done, total)))
    assert calls == [(67, 133), (131, 133), (133, 133)]
    assert report.texts_embedded == 133


# ------------------------------------------------------------------------------------------------------ failures


def test_a_catalogue_that_cannot_be_read_leaves_the_index_alone():
    indexer, _, index = make()
    broken = FakeCatalogue(error=CatalogueUnavailableError("no answer"))
    with pytest.raises(CatalogueUnavailableError):
        asyncio.run(indexer.run(broken))
    assert index.publishes == []


@pytest.mark.parametrize("services", [(), (replace(FX, active=False),)])
def test_a_catalogue_without_active_services_never_empties_the_index(services):
    indexer, _, index = make()
    run(indexer, RAIN)
    with pytest.raises(CatalogueError) as raised:
        run(indexer, *services)
    assert raised.value.message == "fake catalogue lists no active service that can be indexed"
    assert "stays as it is" in raised.value.hint
    assert len(index.publishes) == 1


def test_a_service_without_a_single_word_is_left_out_and_named():
    indexer, _, index = make()
    report = run(indexer, FX, Service(id="emoji", name="👍", examples=("🙂", "!!!")))
    assert report.failed == (Failure(service_id="emoji", reason="none of its texts holds a letter or a digit"),)
    assert outcome(report) == (("fx",), (), (), ())
    assert tuple(index.published.content) == ("fx",)


def test_a_service_that_lost_its_words_is_removed():
    indexer, _, _ = make()
    run(indexer, FX, RAIN)
    report = run(indexer, FX, replace(RAIN, name="👍", examples=()))
    assert report.removed == ("rain",)
    assert [failure.service_id for failure in report.failed] == ["rain"]


def test_a_catalogue_of_nothing_but_unusable_services_names_each():
    indexer, _, _ = make()
    with pytest.raises(CatalogueError) as raised:
        run(indexer, Service(id="emoji", name="👍"))
    assert raised.value.problems == ("emoji: none of its texts holds a letter or a digit",)


def test_a_text_that_cannot_be_embedded_publishes_nothing():
    indexer, _, index = make(embedder=FakeEmbedder(fails_on=["kas sajab vihma"]))
    with pytest.raises(EmbeddingError):
        run(indexer, FX, RAIN)
    assert index.publishes == []


def test_a_lock_held_by_another_process_is_not_hidden():
    indexer, _, index = make()
    index.locked = True
    with pytest.raises(IndexLockedError):
        run(indexer, FX)


# --------------------------------------------------------------------------------------------------- overlapping


class Overtaken(FakeEmbedder):
    """An embedder during whose first batch another run publishes."""

    def __init__(self, index, *services):
        super().__init__()
        self._index, self._services = index, services

    async def embed(self, texts):
        if self._services:
            services, self._services = self._services, ()
            await make(index=self._index)[0].run(FakeCatalogue(services))
        return await super().embed(texts)


def test_of_two_overlapping_runs_of_one_catalogue_one_publishes():
    index = FakeIndex()
    indexer, _, _ = make(index=index, embedder=Overtaken(index, FX, RAIN))
    report = run(indexer, FX, RAIN)
    assert len(index.publishes) == 1
    assert outcome(report) == ((), (), (), ("fx", "rain"))
    assert (report.version, report.texts_embedded) == (index.published.version, 5)


def test_a_run_that_was_overtaken_by_another_catalogue_does_what_is_left():
    index = FakeIndex()
    indexer, _, _ = make(index=index, embedder=Overtaken(index, FX, BOOKS))
    report = run(indexer, FX, RAIN)
    assert len(index.publishes) == 2
    assert outcome(report) == (("rain",), (), ("books",), ("fx",))
    assert index.publishes[-1][2] == ("books",)
    assert tuple(index.published.content) == ("fx", "rain")
