"""A real HTTP server on 127.0.0.1 for adapters' tests; each test scripts what it answers, byte by byte if need be."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class Received:
    """A request as it arrived: method, target (path and query), headers in lower case, body."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes


@dataclass(kw_only=True)
class Loopback:
    """The running server: its address, and every request so far."""

    url: str = ""
    received: list[Received] = field(default_factory=list)


Responder = Callable[[Received, asyncio.StreamWriter], Awaitable[None]]


def response(body: bytes = b"", *, status: int = 200, headers: dict[str, str] | None = None) -> bytes:
    """The bytes of an HTTP response; its connection is kept alive, as real servers do."""
    lines = {"Content-Length": str(len(body)), **(headers or {})}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"HTTP/1.1 {status} Status\r\n{head}\r\n".encode() + body


@asynccontextmanager
async def loopback(respond: Responder) -> AsyncIterator[Loopback]:
    """Serves until the block ends; then every connection is cut, also one whose responder still writes."""
    running: set[asyncio.Task[None]] = set()
    served = Loopback()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        running.add(task)
        try:
            while not writer.is_closing():
                request = await _read(reader)
                served.received.append(request)
                await respond(request, writer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass  # the client is done, or the test is
        finally:
            writer.transport.abort()

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    served.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield served
    finally:
        server.close()
        for task in running:
            task.cancel()
        await asyncio.gather(*running)
        await server.wait_closed()


async def _read(reader: asyncio.StreamReader) -> Received:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    start, *lines = head.rstrip("\r\n").split("\r\n")
    method, target, _ = start.split(" ")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Received(method=method, target=target, headers=headers, body=body)
