"""The rehearsal, step by step. Exits with 1 and the reason when a step does not do what it should."""

import asyncio
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TypeVar

import httpx
from starlette.types import ASGIApp, Receive, Scope, Send

from tests.fakes.qdrant_http_server import QdrantHttpServer
from tests.infra.rehearse.cloud import BUILT, Cloud, local_cloud
from tool_classifier.local.demo.app import demo_app
from tool_classifier.local.server import serving

_T = TypeVar("_T")

LIMIT_SECONDS = 900
ASK = {"chatId": "c1", "message": "Palju saan 1 EUR eest THBdes?", "authorId": "u1"}

NOT_REHEARSED = """
Not exercised, because ministack cannot (docs/deployment.md, "What the rehearsal leaves out"):
  - /orchestrate/stream and the Function URL: no exec wrapper, and the Web Adapter's layer is on AWS only
  - the index in the layer: layers are not mounted at /opt (tests/infra/test_runtime.py runs on it)
  - API Gateway's own answers: body validation, gateway responses, CORS preflight, throttling, access logs
  - IAM: every call is allowed
"""


class Registry:
    """The demo services and their registry; counts how often the registry is read."""

    def __init__(self) -> None:
        self._app: ASGIApp = demo_app()
        self.read = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI entry."""
        self.read += scope["path"] == "/services/get-services"
        await self._app(scope, receive, send)


async def rehearse(cloud: Cloud, registry: Registry, services_url: str, qdrant_url: str) -> None:
    """Builds, deploys untouched, then with a registry and a store, and asks."""
    await step("sam build", cloud.sam("build", f"--build-dir={BUILT}"))

    outputs = await step("sam deploy, no parameter touched", cloud.deploy({}))
    check(outputs["status"] == "CREATE_COMPLETE", outputs)
    await alive(cloud, outputs)

    parameters = {"RegistryUrl": services_url, "ServiceBaseUrl": services_url, "QdrantUrl": qdrant_url}
    parameters["ScheduleExpression"] = "rate(1 minute)"
    outputs = await step("sam deploy with registry, services and Qdrant", cloud.deploy(parameters))
    check(outputs["status"] == "UPDATE_COMPLETE", outputs)

    async with cloud.api(outputs, key=key_of(cloud, outputs)) as api:

        async def indexed() -> bool:
            return registry.read > 0 and len((await api.get("services")).json()) > 1

        await step("the schedule fires IndexServicesFunction, which indexes the registry", until(indexed))
        await step("POST /classify", classify(api))
        await step("POST /orchestrate", orchestrate(api))
        await step("a message to the queue brings the index up to date", message(cloud, outputs, registry))
        streamed = await api.post("orchestrate/stream", json=ASK)
        say(f"     POST /orchestrate/stream answers {streamed.status_code} here")
    say(NOT_REHEARSED)


async def alive(cloud: Cloud, outputs: Mapping[str, str]) -> None:
    """The deployed API answers those who have its key, and nobody else."""
    async with cloud.api(outputs, key=None) as stranger, cloud.api(outputs, key=key_of(cloud, outputs)) as friend:
        refused = await stranger.get("health")
        check(refused.status_code == httpx.codes.FORBIDDEN, refused.text)
        health = await step("GET /health with the API key", friend.get("health"))
        check(health.json()["ok"], health.text)


async def classify(api: httpx.AsyncClient) -> None:
    """The service that is meant is found."""
    answer = await api.post("classify", json=ASK)
    check(answer.json().get("metadata", {}).get("matched_service_id") == "currency_conversion", answer.text)


async def orchestrate(api: httpx.AsyncClient) -> None:
    """The service is called and its answer returned."""
    answer = await api.post("orchestrate", json=ASK)
    check("1 EUR = " in answer.json().get("content", ""), answer.text)


async def message(cloud: Cloud, outputs: Mapping[str, str], registry: Registry) -> None:
    """A message is taken from the queue, makes a run, and does not come back."""
    queue, before = cloud.client("sqs"), registry.read
    queue.send_message(QueueUrl=outputs["ReindexQueueUrl"], MessageBody="{}")

    async def taken() -> bool:
        kinds = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
        counts = queue.get_queue_attributes(QueueUrl=outputs["ReindexQueueUrl"], AttributeNames=kinds)["Attributes"]
        return registry.read > before and not any(int(counts[kind]) for kind in kinds)

    await until(taken)


def key_of(cloud: Cloud, outputs: Mapping[str, str]) -> str:
    """The value of the deployed API key."""
    key = cloud.client("apigateway").get_api_key(apiKey=outputs["ApiKeyId"], includeValue=True)
    return str(key["value"])


async def until(true: Callable[[], Awaitable[bool]]) -> None:
    """Waits for it; the rehearsal's own limit is the only one."""
    while not await true():  # noqa: ASYNC110 - it happens in other processes
        await asyncio.sleep(1)


async def step(name: str, work: Awaitable[_T]) -> _T:
    """Does it and says how long it took."""
    start = time.monotonic()
    try:
        result = await work
    except BaseException:
        say(f"FAIL {name}")
        raise
    say(f"ok   {name} ({time.monotonic() - start:.0f} s)")
    return result


def check(holds: object, seen: object) -> None:
    """Ends the rehearsal when something is not as it should be."""
    if not holds:
        raise RuntimeError(f"not as expected: {seen}")


def say(line: str) -> None:
    """One line, at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def main() -> None:
    """Starts what is needed, rehearses, stops everything."""
    registry = Registry()
    with tempfile.TemporaryDirectory(prefix="rehearsal-") as folder:
        try:
            async with (
                asyncio.timeout(LIMIT_SECONDS),
                serving(registry) as services_url,
                QdrantHttpServer().running() as qdrant_url,
                local_cloud(Path(folder)) as cloud,
            ):
                await rehearse(cloud, registry, services_url, qdrant_url)
        except Exception:
            say((Path(folder) / "ministack.log").read_text(encoding="utf-8", errors="replace")[-4000:])
            raise


if __name__ == "__main__":
    asyncio.run(main())
