"""The local cloud, and SAM pointed at it. Everything that is started here is stopped here."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3
import httpx

from tool_classifier.local.server import HOST, listen

ROOT = Path(__file__).parents[3]
BIN = ROOT / "build" / "rehearse" / "bin"
BUILT = ROOT / "build" / "sam"
REGION = "eu-north-1"
STACK = "tool-classifier"  # as in samconfig.toml
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "testing", "AWS_SECRET_ACCESS_KEY": "testing", "AWS_DEFAULT_REGION": REGION}


@dataclass(frozen=True, kw_only=True)
class Cloud:
    """A running local cloud: its URL and the folder that it and SAM may write to."""

    url: str
    folder: Path

    def client(self, service: str) -> Any:
        """A boto3 client of it."""
        return boto3.client(
            service,
            endpoint_url=self.url,
            region_name=REGION,
            aws_access_key_id="testing",
            aws_secret_access_key="testing",
        )

    async def sam(self, *arguments: str) -> str:
        """Runs SAM as a person would; returns its output. Raises RuntimeError with it when SAM fails."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
        environment |= CREDENTIALS | {
            "PATH": f"{BIN}:/usr/bin:/bin",  # a real python3.13 first, as docs/deployment.md says
            "HOME": str(self.folder),
            "AWS_ENDPOINT_URL": self.url,
            "SAM_CLI_TELEMETRY": "0",
        }
        process = await asyncio.create_subprocess_exec(
            BIN / "sam",
            *arguments,
            cwd=ROOT,
            env=environment,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            output = (await process.communicate())[0].decode()
        finally:
            _end(process)
        if process.returncode:
            raise RuntimeError(f"sam {' '.join(arguments)} failed:\n{output}")
        return output

    async def deploy(self, parameters: Mapping[str, str]) -> Mapping[str, str]:
        """Deploys what was built, with these parameters; returns the stack's status and outputs."""
        overrides = [f'{name}="{value}"' for name, value in parameters.items()]
        await self.sam(
            "deploy",
            f"--template-file={BUILT / 'template.yaml'}",
            f"--config-file={ROOT / 'samconfig.toml'}",
            "--no-confirm-changeset",
            "--no-progressbar",
            *(["--parameter-overrides", *overrides] if overrides else []),
        )
        [stack] = self.client("cloudformation").describe_stacks(StackName=STACK)["Stacks"]
        outputs = {output["OutputKey"]: output["OutputValue"] for output in stack["Outputs"]}
        return outputs | {"status": stack["StackStatus"]}

    def api(self, outputs: Mapping[str, str], *, key: str | None) -> httpx.AsyncClient:
        """A client of the deployed REST API. (Its real host name leads to AWS; the local cloud has a path for it.)"""
        url = httpx.URL(outputs["ApiUrl"])
        base = f"{self.url}/_aws/execute-api/{url.host.split('.')[0]}{url.path}"
        return httpx.AsyncClient(base_url=base, headers={"x-api-key": key} if key else {}, timeout=60)


@asynccontextmanager
async def local_cloud(folder: Path) -> AsyncIterator[Cloud]:
    """Runs ministack on a free loopback port while the block runs; its log is `folder`/ministack.log."""
    listener = listen(0)
    port = listener.getsockname()[1]
    listener.close()
    environment = {
        "PATH": f"{BIN}:/usr/bin:/bin",
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "BIND_HOST": HOST,
        "GATEWAY_PORT": str(port),
        "IOT_MTLS_ENABLED": "0",
    }
    with (folder / "ministack.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            BIN / "ministack", env=environment, stdout=log, stderr=asyncio.subprocess.STDOUT, start_new_session=True
        )
    try:
        cloud = Cloud(url=f"http://{HOST}:{port}", folder=folder)
        await _until_it_answers(cloud.url, process)
        yield cloud
    finally:
        _end(process)
        await process.wait()


async def _until_it_answers(url: str, process: asyncio.subprocess.Process) -> None:
    async with httpx.AsyncClient() as client:
        while process.returncode is None:
            try:
                await client.get(f"{url}/_ministack/health")
            except httpx.TransportError:
                await asyncio.sleep(0.2)
            else:
                return
    raise RuntimeError(f"ministack ended with exit code {process.returncode}")


def _end(process: asyncio.subprocess.Process) -> None:
    """Ends a process and all it started: each leads a process group of its own."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return  # nothing of it runs any more
