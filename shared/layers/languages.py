"""Reduces py3langid's model to the languages that are told apart: it then loads in a quarter of the time.

The model is an .npz file (a zip of .npy arrays) compressed with LZMA. Arrays with one column a language lose the other
languages' columns; what is left gives the same probabilities to the last bit. No numpy here: the layer's may be built
for another processor. https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
"""

import ast
import io
import lzma
import zipfile
from pathlib import Path
from typing import Any

MODEL = Path("py3langid", "data", "model.npz.xz")

_KEPT = ("en", "et")  # Russian is told by its letters
_NAMES = "classes"
_BY_LANGUAGE = (_NAMES, "pc", "ptc")
_HEADER_AT = 10  # magic, version and length come first


def reduce_model(tree: Path) -> None:
    """Rewrites the model in a folder of installed packages. Raises ValueError or KeyError for another layout."""
    path = tree / MODEL
    with zipfile.ZipFile(io.BytesIO(lzma.decompress(path.read_bytes()))) as whole:
        arrays = {name.removesuffix(".npy"): whole.read(name) for name in whole.namelist()}
    names = _names(arrays[_NAMES])
    columns = [names.index(language) for language in _KEPT]
    for name in _BY_LANGUAGE:
        arrays[name] = _take(arrays[name], columns, of=len(names))
    fresh = io.BytesIO()
    with zipfile.ZipFile(fresh, "w") as reduced:
        for name, array in arrays.items():
            reduced.writestr(zipfile.ZipInfo(f"{name}.npy"), array)  # without a date: equal input, equal bytes
    path.write_bytes(lzma.compress(fresh.getvalue()))


def _names(array: bytes) -> list[str]:
    header, data = _parts(array)
    size = _item_size(header)
    return [data[at : at + size].decode("utf-32-le").rstrip("\0") for at in range(0, len(data), size)]


def _take(array: bytes, columns: list[int], *, of: int) -> bytes:
    """The array with these columns of its last axis, which has `of` of them."""
    header, data = _parts(array)
    if header["fortran_order"] or header["shape"][-1] != of:
        raise ValueError(f"{MODEL}: not one column a language: {header}")
    size = _item_size(header)
    cells = (start + column * size for start in range(0, len(data), of * size) for column in columns)
    taken = b"".join(data[cell : cell + size] for cell in cells)
    described = repr(header | {"shape": (*header["shape"][:-1], len(columns))}).encode("latin-1")
    padding = b" " * (-(_HEADER_AT + len(described) + 1) % 64)
    length = (len(described) + len(padding) + 1).to_bytes(2, "little")
    return b"".join((b"\x93NUMPY\x01\x00", length, described, padding, b"\n", taken))


def _parts(array: bytes) -> tuple[dict[str, Any], bytes]:
    if not array.startswith(b"\x93NUMPY\x01\x00"):
        raise ValueError(f"{MODEL}: not an .npy array of version 1")
    end = _HEADER_AT + int.from_bytes(array[8:_HEADER_AT], "little")
    return ast.literal_eval(array[_HEADER_AT:end].decode("latin-1")), array[end:]


def _item_size(header: dict[str, Any]) -> int:
    """Bytes of one item: `<f4` and `<f2` count bytes, `<U3` counts characters of four."""
    kind = str(header["descr"])
    return int(kind[2:]) * (4 if kind[1] == "U" else 1)
