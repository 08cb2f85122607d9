"""Prints what each function weighs unzipped, in every combination of layers; fails when one is too heavy.

python3.13 -m layers.sizes LAYERS FUNCTIONS
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

_MB = 1_000_000
_LIMIT = 240 * _MB  # Lambda refuses 262 144 000 bytes; the rest is for what a deployment adds
_TARGET = 200 * _MB
_STORES = {"embedded": ("EmbeddedStoreLayer",), "server": ("ServerStoreLayer",)}
_MODELS = {"bundled": ("ModelLayer",), "remote": ()}
_SEED = "IndexLayer"  # holds vectors of the bundled model, for the embedded store
_OF_FUNCTION = {"service_call": ("LlmLayer",)}


def size_of(folder: Path) -> int:
    """Bytes of all files."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def combinations(function: str) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Store, model and layers of every way to deploy a function."""
    for store, of_store in _STORES.items():
        for model, of_model in _MODELS.items():
            seed = (_SEED,) if (store, model) == ("embedded", "bundled") else ()
            yield store, model, ("CoreLayer", *of_store, *of_model, *seed, *_OF_FUNCTION.get(function, ()))


def main(arguments: Sequence[str]) -> int:
    """Prints both tables; 1 when a function is over the limit."""
    layers, functions = map(Path, arguments)
    sizes = {path.name: size_of(path) for path in sorted(layers.iterdir()) if path.is_dir()}
    rows = [f"{name:<20}{size / _MB:>8.1f} MB" for name, size in sizes.items()]
    rows.append(f"\n{'function':<16}{'store':<10}{'model':<9}{'unzipped':>11}")
    heavy = []
    for function in sorted(path for path in functions.iterdir() if path.is_dir()):
        for store, model, names in combinations(function.name):
            if model == "bundled" and "ModelLayer" not in sizes:
                continue  # of this architecture there is none
            total = size_of(function) + sum(sizes.get(name, 0) for name in names)
            note = "" if total <= _TARGET else f"  above {_TARGET // _MB} MB"
            rows.append(f"{function.name:<16}{store:<10}{model:<9}{total / _MB:>8.1f} MB{note}")
            if total > _LIMIT:
                heavy.append(f"{function.name} ({store} store, {model} model): {total / _MB:.1f} MB")
    sys.stdout.write("\n".join(rows) + "\n")
    if heavy:
        sys.stderr.write(f"above {_LIMIT // _MB} MB, Lambda may refuse it: {'; '.join(heavy)}\n")
    return 1 if heavy else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
