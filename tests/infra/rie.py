"""Runs a function as Lambda does: Runtime Interface Emulator -> awslambdaric -> `app.handler`.

The process sees the built layers, the function's folder and Lambda's own runtime, and nothing else: no installed
package of this machine (`-S`), no variable of its environment. So a module that a layer lacks is missed here too.
"""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import httpx

ROOT = Path(__file__).parents[2]
LAYERS = ROOT / "build" / "layers" / "x86_64"
RUNTIME = ROOT / "build" / "rie"
SEED = LAYERS / "IndexLayer" / "index" / "index.bin"

EMBEDDED = ("CoreLayer", "EmbeddedStoreLayer", "ModelLayer")
"""The layers of a deployment without any server."""
SERVER = ("CoreLayer", "ServerStoreLayer", "ModelLayer")
"""The layers of one with a Qdrant server."""

_PATIENCE_SECONDS = 60  # for what takes one: a hang ends as a failure


def lambda_python() -> str:
    """The path of Lambda's Python on this machine. Raises RuntimeError saying what to install."""
    found = subprocess.run(
        ["/bin/sh", ROOT / "shared" / "layers" / "python313.sh"], capture_output=True, text=True, check=False
    )
    if found.returncode:
        raise RuntimeError(found.stderr.strip())
    return found.stdout.strip()


@cache
def check_built() -> None:
    """Raises RuntimeError when the layers are missing or older than this checkout, or the emulator is."""
    stamps = [str(LAYERS / f".{layer}") for layer in (*EMBEDDED, *SERVER)]
    checks = [["make", "-f", "shared/Makefile", "-q", *stamps], ["make", "-q", "build/.rie"]]
    for check in checks:
        if subprocess.run(check, cwd=ROOT, capture_output=True, check=False).returncode:
            lambda_python()  # without it, nothing can be made
            raise RuntimeError("the layers or the emulator are missing or stale: run `make build build/.rie`")


@dataclass(frozen=True, kw_only=True)
class Emulator:
    """A function that takes invocations."""

    url: str
    pid: int
    log_path: Path

    def invoke(self, event: object) -> Any:
        """Sends an event; returns what the handler does, or the description of its error (of a timeout, as text)."""
        response = httpx.post(self.url, json=event, timeout=_PATIENCE_SECONDS)
        return response.json() if response.text.startswith(("{", "[")) else response.text

    @property
    def log(self) -> str:
        """All that the function and the emulator have written."""
        return self.log_path.read_text("utf-8", errors="replace")

    @property
    def runtime_pid(self) -> int:
        """The function's own process; there is one once the first event has been sent."""
        [pid] = children(self.pid)
        return pid


@contextmanager
def emulated(
    function: str,
    *,
    folder: Path,
    layers: Sequence[str] = EMBEDDED,
    environment: Mapping[str, str] | None = None,
    timeout_seconds: int = 30,
) -> Iterator[Emulator]:
    """Runs a function while the block runs. Its log and its index are kept in `folder`."""
    check_built()
    http, api = _free_port(), _free_port()
    command = [str(RUNTIME / "aws-lambda-rie"), "--runtime-interface-emulator-address", f"127.0.0.1:{http}"]
    command += ["--runtime-api-address", f"127.0.0.1:{api}", lambda_python(), "-S", "-m", "awslambdaric", "app.handler"]
    with (folder / f"{function}.log").open("wb") as log:
        process = subprocess.Popen(
            command,
            cwd=ROOT / "functions" / function,
            env=environment_of(function, layers, folder)
            | lambda_environment(function, timeout_seconds)
            | (environment or {}),
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            wait_for_port(http, process)
            yield Emulator(
                url=f"http://127.0.0.1:{http}/2015-03-31/functions/function/invocations",
                pid=process.pid,
                log_path=folder / f"{function}.log",
            )
        finally:
            stop(process)


def environment_of(function: str, layers: Sequence[str], folder: Path) -> dict[str, str]:
    """What a function's process is given: the layers on the path and a writable folder for the index."""
    path = [ROOT / "functions" / function, *(LAYERS / layer / "python" for layer in layers), RUNTIME]
    return {
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": ":".join(map(str, path)),
        "PYTHONDONTWRITEBYTECODE": "1",
        "INDEX_DIR": str(folder / "index"),
        "INDEX_SEED": str(SEED),
    }


def lambda_environment(function: str, timeout_seconds: int) -> dict[str, str]:
    """What Lambda sets besides."""
    return {
        "AWS_LAMBDA_FUNCTION_NAME": function,
        "AWS_LAMBDA_FUNCTION_VERSION": "1",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "1769",
        "AWS_LAMBDA_FUNCTION_TIMEOUT": str(timeout_seconds),
        "AWS_REGION": "eu-north-1",
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_SESSION_TOKEN": "testing",
        "LAMBDA_TASK_ROOT": str(ROOT / "functions" / function),
    }


def children(pid: int) -> list[int]:
    """The processes that a process has started and that still run."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def wait_for_port(port: int, process: "subprocess.Popen[bytes]") -> None:
    """Waits until a process listens. Raises RuntimeError when it ends before, or never does."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    raise RuntimeError(f"{process.args!r} does not listen on port {port} (exit code {process.returncode})")


def stop(process: "subprocess.Popen[bytes]") -> None:
    """Ends a process and those that it has started, by their ids."""
    started = children(process.pid)
    process.terminate()
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for pid in started:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue  # it has ended with the process that started it


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
