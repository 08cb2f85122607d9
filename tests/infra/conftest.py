"""Golden events, and the template as SAM translates it."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.infra.cloudformation import Deployment

ROOT = Path(__file__).parents[2]
SAM_PYTHON = ROOT / "build" / "rehearse" / "bin" / "python"


@pytest.fixture
def event():
    """Reads a golden event by name."""

    def read(name: str) -> dict:
        return json.loads((ROOT / "events" / f"{name}.json").read_text(encoding="utf-8"))

    return read


@pytest.fixture(scope="session")
def sam():
    """Runs a script or module with the interpreter that has SAM."""

    def run(*arguments: str) -> subprocess.CompletedProcess:
        if not SAM_PYTHON.exists():
            pytest.fail("the SAM command line is not installed here: make build/rehearse/.installed", pytrace=False)
        environment = {"SAM_CLI_TELEMETRY": "0", "AWS_DEFAULT_REGION": "eu-north-1", "PATH": "/usr/bin:/bin"}
        return subprocess.run(
            [SAM_PYTHON, *arguments],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    return run


@pytest.fixture(scope="session")
def translated(sam) -> dict:
    """template.yaml as CloudFormation sees it."""
    done = sam(str(ROOT / "tests" / "infra" / "translate.py"), "template.yaml")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def deployment(translated):
    """Makes a deployment with certain parameters."""
    return lambda **values: Deployment(translated, **values)
