"""`/orchestrate/stream` over real HTTP, read by the client that the chat's notification server is."""

import asyncio
import json
from collections.abc import AsyncIterator

import httpx
import pytest

from tests.fakes.web import FakeChain, FakeDefinitions
from tool_classifier.errors import IndexMismatchError, ServiceCallError
from tool_classifier.local.server import serving
from tool_classifier.models import Answer, Button, WorkflowName
from tool_classifier.web.app import create_app
from tool_classifier.web.routes.orchestrate import orchestrate_routes
from tool_classifier.workflows.replies import REPLIES

BODY = {
    "chatId": "c1",
    "message": "Mis on dollari kurss?",
    "authorId": "u1",
    "conversationHistory": [{"authorRole": "user", "message": "Tere", "timestamp": "1764547200000"}],
    "url": "https://example.ee",
}


class NotificationServer:
    """Splits on LF, ignores lines without `data: `, drops empty contents, stops at the content END."""

    def __init__(self) -> None:
        self.contents: list[str] = []
        self.buttons: list[object] = []
        self.ended = False
        self._rest = b""

    def feed(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            if self.ended or not line.startswith(b"data: "):
                continue
            payload = json.loads(line[len(b"data: ") :])["payload"]
            if payload["content"] == "END":
                self.ended = True
            elif payload["content"]:
                self.contents.append(payload["content"])
                self.buttons.append(payload.get("buttons"))


def app_of(chain):
    return create_app([orchestrate_routes(chain=chain, index=FakeDefinitions([]), default_language="et")])


def stream(chain, *, byte_by_byte: bool = False) -> tuple[httpx.Response, NotificationServer]:
    async def run():
        client_side = NotificationServer()
        async with serving(app_of(chain)) as url, httpx.AsyncClient() as client:
            async with client.stream("POST", f"{url}/orchestrate/stream", json=BODY) as response:
                async for data in response.aiter_raw():
                    for part in [data[i : i + 1] for i in range(len(data))] if byte_by_byte else [data]:
                        client_side.feed(part)
            return response, client_side

    return asyncio.run(run())


def answer(content: str, *, rest: AsyncIterator[str] | None = None, buttons: tuple[Button, ...] = ()) -> Answer:
    return Answer(workflow=WorkflowName.RAG, content=content, language="et", rest=rest, buttons=buttons)


@pytest.mark.parametrize("byte_by_byte", [False, True])
def test_the_existing_client_reads_a_service_answer(byte_by_byte):
    text = "õ🙂北 rida\nteine\u2028kolmas\u0085"
    response, client = stream(
        FakeChain(answer(text, buttons=(Button(title="Jah", payload="#y"),))), byte_by_byte=byte_by_byte
    )
    assert response.status_code == 200
    assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert response.headers["cache-control"] == "no-cache, no-transform"
    assert "content-length" not in response.headers
    assert "content-encoding" not in response.headers
    assert (client.contents, client.buttons, client.ended) == ([text], [[{"title": "Jah", "payload": "#y"}]], True)


class Paused:
    """Produces each part only when the test lets it."""

    def __init__(self, *parts: str | Exception) -> None:
        self._parts = parts
        self.gates = [asyncio.Event() for _ in parts]
        self.cancelled = asyncio.Event()

    async def produce(self) -> AsyncIterator[str]:
        try:
            for part, gate in zip(self._parts, self.gates, strict=True):
                await gate.wait()
                if isinstance(part, Exception):
                    raise part
                yield part
        except asyncio.CancelledError:
            self.cancelled.set()
            raise


def test_frames_arrive_one_by_one_while_the_answer_is_still_being_produced():
    async def run():
        paused = Paused("teine", "kolmas")
        client_side = NotificationServer()
        seen = []
        async with (
            serving(app_of(FakeChain(answer("esimene", rest=paused.produce())))) as url,
            httpx.AsyncClient() as client,
            client.stream("POST", f"{url}/orchestrate/stream", json=BODY) as response,
        ):
            arriving = response.aiter_raw()
            for gate in paused.gates:
                client_side.feed(await anext(arriving))
                seen.append(list(client_side.contents))
                gate.set()  # only now may the next part be made: it cannot have been buffered
            async for data in arriving:
                client_side.feed(data)
        return seen, client_side

    seen, client = asyncio.run(run())
    assert seen == [["esimene"], ["esimene", "teine"]]
    assert (client.contents, client.ended) == (["esimene", "teine", "kolmas"], True)


def test_a_failure_after_the_first_frame_is_told_and_the_stream_still_ends():
    async def parts():
        yield "teine"
        raise ServiceCallError("the knowledge base went away")

    response, client = stream(FakeChain(answer("esimene", rest=parts())))
    assert response.status_code == 200
    assert (client.contents, client.ended) == (["esimene", "teine", REPLIES["et"].technical_error], True)


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [(IndexMismatchError("e5 against ada"), 503, "index_mismatch"), (ZeroDivisionError("bug"), 500, "internal_error")],
)
def test_a_failure_before_the_first_frame_has_its_http_status(error, status, code):
    async def run():
        async with serving(app_of(FakeChain(error))) as url, httpx.AsyncClient() as client:
            return await client.post(f"{url}/orchestrate/stream", json=BODY)

    response = asyncio.run(run())
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert response.headers["content-type"] == "application/problem+json"
    assert str(error) not in response.text


def test_a_bad_body_is_refused_before_the_stream_begins():
    async def run():
        async with serving(app_of(FakeChain(answer("x")))) as url, httpx.AsyncClient() as client:
            return await client.post(f"{url}/orchestrate/stream", json=BODY | {"chatId": 7})

    response = asyncio.run(run())
    assert (response.status_code, response.json()["errors"][0]["field"]) == (422, "chatId")


def test_when_the_client_goes_away_the_work_behind_the_stream_is_cancelled():
    async def run():
        paused = Paused("never")
        async with serving(app_of(FakeChain(answer("esimene", rest=paused.produce())))) as url:
            async with (
                httpx.AsyncClient() as client,
                client.stream("POST", f"{url}/orchestrate/stream", json=BODY) as response,
            ):
                await anext(response.aiter_raw())
            await asyncio.wait_for(paused.cancelled.wait(), timeout=10)

    asyncio.run(run())


def test_when_the_client_goes_away_before_the_first_frame_the_chain_is_cancelled():
    class Slow(FakeChain):
        def __init__(self) -> None:
            super().__init__(answer("x"))
            self.asked, self.cancelled = asyncio.Event(), asyncio.Event()

        async def answer(self, *_):
            self.asked.set()
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                self.cancelled.set()
                raise

    async def run():
        chain = Slow()
        async with serving(app_of(chain)) as url, httpx.AsyncClient() as client:
            request = asyncio.ensure_future(client.post(f"{url}/orchestrate/stream", json=BODY))
            await asyncio.wait_for(chain.asked.wait(), timeout=10)
            request.cancel()
            await asyncio.wait_for(chain.cancelled.wait(), timeout=10)

    asyncio.run(run())
