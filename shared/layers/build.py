"""Makes the folder of a layer, `<layer>/python/...`, which Lambda mounts as /opt/python.

    python3.13 -m layers.build dependencies REQUIREMENTS LAYER --arch x86_64    installs, prunes, compiles
    python3.13 -m layers.build package LAYER                                    puts tool_classifier into it

Either replaces a folder in one step, so that a build that breaks off leaves the one before.
"""

import argparse
import compileall
import importlib.util
import os
import py_compile
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from layers.languages import MODEL, reduce_model
from layers.prune import prune

_LAMBDA_PYTHON = (3, 13)
# Lambda's Python 3.13 runs on Amazon Linux 2023, which has glibc 2.34. pip takes each tag literally.
_PLATFORMS = ("manylinux_2_34", "manylinux_2_31", "manylinux_2_28", "manylinux_2_27", "manylinux_2_17", "manylinux2014")
_SHARED = Path(__file__).parents[1]
_LOCAL = ("local", "cli.py", "docs.py", "__pycache__", "*.pyc")  # of tool_classifier, what runs on a desk only


def install(requirements: Path, layer: Path, *, architecture: str) -> None:
    """Installs pinned wheels for Lambda's Python and architecture, whatever this machine's are."""
    with _replacing(layer) as fresh:
        tree = fresh / "python"
        platforms = [f"--platform={tag}_{architecture}" for tag in _PLATFORMS]
        command = [sys.executable, "-m", "pip", "install", "-qq", "--no-compile", "--no-deps", "--require-hashes"]
        command += ["--only-binary=:all:", "--implementation=cp", "--python-version=3.13", *platforms]
        done = subprocess.run([*command, f"--target={tree}", f"--requirement={requirements}"], check=False)  # noqa: S603 - our own words
        if done.returncode:
            raise SystemExit(f"{layer.name}: pip could not install {requirements} for {architecture}")
        prune(tree)
        if (tree / MODEL).exists():
            reduce_model(tree)
        _compile(tree)


def add_package(layer: Path) -> None:
    """Puts this checkout's tool_classifier into the layer, without what only runs on a desk."""
    with _replacing(layer / "python" / "tool_classifier") as fresh:
        shutil.copytree(_SHARED / "tool_classifier", fresh, dirs_exist_ok=True, ignore=shutil.ignore_patterns(*_LOCAL))
        _compile(fresh)


def _compile(tree: Path) -> None:
    # Unchecked: /opt is read-only, its sources never change, and their times do not survive the zip.
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    if not compileall.compile_dir(tree, quiet=1, invalidation_mode=mode, stripdir=tree, prependdir="/opt/python"):
        raise SystemExit(f"{tree}: not every module could be compiled")


@contextmanager
def _replacing(folder: Path) -> Iterator[Path]:
    """Yields an empty folder that takes the place of `folder` at the end."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as beside:
        fresh, old = Path(beside) / "fresh", Path(beside) / "old"
        fresh.mkdir()
        yield fresh
        if folder.exists():
            folder.rename(old)
        fresh.rename(folder)


def main(arguments: Sequence[str]) -> None:
    """See the top of this file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    steps = parser.add_subparsers(dest="step", required=True)
    dependencies = steps.add_parser("dependencies")
    dependencies.add_argument("requirements", type=Path)
    dependencies.add_argument("layer", type=Path)
    dependencies.add_argument("--arch", required=True, choices=("x86_64", "arm64"))
    package = steps.add_parser("package")
    package.add_argument("layer", type=Path)
    asked = parser.parse_args(arguments)
    if sys.version_info[:2] != _LAMBDA_PYTHON:
        raise SystemExit(f"{sys.executable} is Python {sys.version.split()[0]}; layers are compiled by Python 3.13")
    if asked.step == "package":
        add_package(asked.layer)
        return
    if importlib.util.find_spec("pip") is None:
        raise SystemExit(f"{sys.executable} has no pip: run `{sys.executable} -m ensurepip`")
    install(asked.requirements, asked.layer, architecture={"arm64": "aarch64"}.get(asked.arch, asked.arch))


if __name__ == "__main__":
    os.umask(0o022)  # Lambda reads layers as another user
    main(sys.argv[1:])
