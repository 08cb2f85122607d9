"""A streaming response that keeps its promises: a status while there still is one to give, END afterwards."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress

from fastapi import Response
from starlette.types import Receive, Scope, Send

from tool_classifier.web.problems import problem_of
from tool_classifier.web.sse import HEADERS

_LOG = logging.getLogger(__name__)


class EventStream(Response):
    """Sends frames one by one, unbuffered.

    An error before the first frame becomes a problem with its HTTP status; one after it, the frame of `when_failed`.
    The frame of `last` ends every stream. When the client goes away, the work behind the frames is cancelled.
    """

    media_type = "text/event-stream"

    def __init__(
        self, frames: AsyncGenerator[bytes], *, when_failed: Callable[[], bytes], last: Callable[[], bytes]
    ) -> None:
        super().__init__(status_code=200, headers=HEADERS)
        del self.headers["content-length"]
        self._frames = frames
        self._when_failed = when_failed
        self._last = last

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI entry: ends when the stream has been sent or the client has gone."""
        sending = asyncio.ensure_future(self._send(scope, receive, send))
        gone = asyncio.ensure_future(_disconnected(receive))
        try:
            await asyncio.wait({sending, gone}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            gone.cancel()
            sending.cancel()  # no effect on a stream that has been sent
            with suppress(asyncio.CancelledError):
                await sending

    async def _send(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with aclosing(self._frames) as frames:
            try:
                first = await anext(frames)
            except Exception as error:  # noqa: BLE001 - whatever it is, there still is a status to give
                await problem_of(error)(scope, receive, send)
                return
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            await _send_part(send, first)
            try:
                async for frame in frames:
                    await _send_part(send, frame)
            except Exception:  # noqa: BLE001 - whatever it is, the client waits for END
                _LOG.exception("stream failed after its first frame")
                await _send_part(send, self._when_failed())
            await _send_part(send, self._last())
            await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _send_part(send: Send, part: bytes) -> None:
    await send({"type": "http.response.body", "body": part, "more_body": True})


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
