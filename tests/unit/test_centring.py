"""Background means: fitting, subtracting, and the packaged phrases."""

import asyncio

import numpy as np
import pytest

from tests.fakes.embedder import FakeEmbedder
from tool_classifier.embedding.centring import Centring, background_id, fit_centring, load_background


def rows(*values):
    return np.array(values, dtype=np.float32)


def test_fit_takes_one_mean_a_language_in_alphabetical_order():
    centring = Centring.fit({"et": rows([0, 1], [0, 3]), "en": rows([2, 0])}, id="b1")

    assert centring.id == "b1"
    assert centring.means.tolist() == [[2, 0], [0, 2]]
    assert centring.means.dtype == np.float32


def test_a_language_without_vectors_is_left_out():
    centring = Centring.fit({"et": rows([0, 1]), "ru": np.empty((0, 2), dtype=np.float32)}, id="b")

    assert centring.means.tolist() == [[0, 1]]


@pytest.mark.parametrize("centring", [Centring.none(), Centring.fit({}, id="")])
def test_without_means_vectors_stay_as_they_are(centring):
    vectors = rows([0.6, 0.8], [1, 0])

    assert centring.id == ""
    assert np.array_equal(centring.apply(vectors), vectors)
    assert np.array_equal(centring.apply(vectors[0]), vectors[0])


def test_the_mean_nearest_by_cosine_is_subtracted_not_the_longest():
    # By dot product the long mean (0, 10) would win for (0.8, 0.6); by cosine (0.5, 0) is nearer.
    centring = Centring(id="b", means=rows([0.5, 0], [0, 10]))

    assert centring.apply(rows([0.8, 0.6])) == pytest.approx(rows([0.3, 0.6]) / np.hypot(0.3, 0.6))


def test_each_row_gets_its_own_mean_and_length_one():
    centring = Centring(id="b", means=rows([0.9, 0, 0], [0, 0.9, 0]))

    centred = centring.apply(rows([0.8, 0, 0.6], [0, 0.8, 0.6]))

    assert centred.dtype == np.float32
    assert np.linalg.norm(centred, axis=1) == pytest.approx([1, 1])
    assert centred[0].tolist() == centred[1][[1, 0, 2]].tolist()


def test_centring_takes_apart_what_a_common_direction_pushed_together():
    shared = rows([0.9, 0, 0])
    vectors = rows([0.9, 0.43, 0], [0.9, 0, 0.43])

    raw = vectors[0] @ vectors[1]
    one, other = Centring(id="b", means=shared).apply(vectors)

    assert raw == pytest.approx(0.81)
    assert one @ other == pytest.approx(0)


def test_one_vector_gives_the_same_as_a_batch():
    generator = np.random.default_rng(7)
    vectors = generator.normal(size=(20, 8)).astype(np.float32)
    centring = Centring.fit({"a": vectors[:5], "b": vectors[5:9]}, id="b")

    singles = np.stack([centring.apply(vector) for vector in vectors])

    assert np.array_equal(singles, centring.apply(vectors))


def test_zeros_stay_zeros_and_nothing_becomes_nan():
    centring = Centring(id="b", means=rows([0.5, 0.5], [0, 0]))

    assert centring.apply(rows([0, 0], [0.5, 0.5])).tolist() == [[0, 0], [0, 0]]
    assert centring.apply(rows([0.5, 0.5 + 1e-8])[0]).tolist() == [0, 0]
    assert centring.apply(np.empty((0, 2), dtype=np.float32)).shape == (0, 2)


def test_fit_centring_embeds_the_phrases_of_each_language():
    embedder = FakeEmbedder(dimension=16)
    phrases = {"et": ("tere", "aitäh"), "en": ("hello",)}

    centring = asyncio.run(fit_centring(embedder, phrases))

    expected = asyncio.run(embedder.embed(["hello"]))[0]
    assert centring.id == background_id(phrases)
    assert centring.means.shape == (2, 16)
    assert centring.means[0] == pytest.approx(expected)


def test_fit_centring_without_phrases_keeps_vectors_raw():
    embedder = FakeEmbedder()

    assert asyncio.run(fit_centring(embedder, None)).means.size == 0
    assert embedder.embedded == 0


def test_the_background_id_depends_on_the_phrases_alone():
    one = background_id({"et": ("tere",), "ru": ["привет"]})

    assert one == background_id({"ru": ("привет",), "et": ["tere"]}) == "e6e25d660797"
    assert one != background_id({"et": ("tere",), "ru": ("привет!",)})
    assert one != background_id({"en": ("tere",), "ru": ("привет",)})


def test_the_packaged_background_has_distinct_phrases_in_three_languages():
    background = load_background()

    assert sorted(background) == ["en", "et", "ru"]
    assert {len(set(phrases)) for phrases in background.values()} == {40}
    assert background["et"][0] == "Tervist!"
    assert all(phrase.strip() == phrase and phrase for phrases in background.values() for phrase in phrases)
