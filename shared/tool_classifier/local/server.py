"""Runs ASGI apps on loopback."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import uvicorn
from starlette.types import ASGIApp

from tool_classifier.errors import SettingsError

HOST = "127.0.0.1"


class _BackgroundServer(uvicorn.Server):
    """A server beside the main one: signals stay with the process."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@asynccontextmanager
async def serving(app: ASGIApp) -> AsyncIterator[str]:
    """Serves an app on a free loopback port while the block runs; yields its base URL."""
    listener = listen(0)
    server = _BackgroundServer(_config(app))
    task = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        yield f"http://{HOST}:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        await task
        listener.close()


async def serve_until_stopped(app: ASGIApp, listener: socket.socket) -> None:
    """Serves an app on a listening socket until the process is told to stop (SIGINT, SIGTERM)."""
    await uvicorn.Server(_config(app)).serve(sockets=[listener])


def listen(port: int) -> socket.socket:
    """A listening loopback socket; port 0 takes a free one. Connections wait until a server accepts them.

    Raises SettingsError when the port is taken.
    """
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
    except OSError as error:
        listener.close()
        raise SettingsError(
            f"port {port} cannot be used: {error.strerror}", hint="Choose another one with --port."
        ) from error
    listener.listen(128)
    return listener


def _config(app: ASGIApp) -> uvicorn.Config:
    return uvicorn.Config(app, log_level="warning", access_log=False, lifespan="off")
