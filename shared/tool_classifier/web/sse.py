"""Answers as server-sent events, in the form that the chat's notification server reads.

That client splits on LF, ignores lines that do not start with `data: `, drops empty contents and stops at the content
`END`. So each frame is one `data: ` line with one JSON object and a blank line, and END always comes, and only once.
"""

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing, suppress

from tool_classifier.models import Button

HEARTBEAT = b": \n\n"
HEARTBEAT_SECONDS = 15.0
CAP_SECONDS = 290.0  # the outer limits are 300 s: END has to arrive before they cut
HEADERS = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-cache, no-transform",
    "X-Accel-Buffering": "no",
}

_END = "END"
_ZERO_WIDTH_SPACE = "\u200b"
# Line ends to some readers of a stream, though not to JSON.
_ESCAPED = str.maketrans({"\u2028": "\\u2028", "\u2029": "\\u2029", "\u0085": "\\u0085"})


def milliseconds() -> int:
    """Now, since the epoch."""
    return time.time_ns() // 1_000_000


class Frames:
    """Makes the frames of one chat's stream."""

    def __init__(self, chat_id: str, *, now: Callable[[], int] = milliseconds) -> None:
        self._chat_id = chat_id
        self._now = now

    def content(self, text: str, buttons: Sequence[Button] = ()) -> bytes:
        """A frame with a part of the answer. A text that is itself END is told apart by an invisible character."""
        payload: dict[str, object] = {"content": text if text != _END else _END + _ZERO_WIDTH_SPACE}
        if buttons:
            payload["buttons"] = [{"title": button.title, "payload": button.payload} for button in buttons]
        return self._frame(payload)

    def end(self) -> bytes:
        """The last frame."""
        return self._frame({"content": _END})

    def _frame(self, payload: dict[str, object]) -> bytes:
        event = {"chatId": self._chat_id, "payload": payload, "timestamp": str(self._now()), "sentTo": []}
        line = json.dumps(event, ensure_ascii=False, separators=(",", ":")).translate(_ESCAPED)
        return b"data: " + line.encode("utf-8", "replace") + b"\n\n"


async def paced(
    frames: AsyncGenerator[bytes], *, heartbeat_seconds: float = HEARTBEAT_SECONDS, cap_seconds: float = CAP_SECONDS
) -> AsyncGenerator[bytes]:
    """Passes frames on as they come, with a heartbeat in every silence of `heartbeat_seconds`.

    Raises TimeoutError when the stream has lasted `cap_seconds`, and what `frames` raises. However it ends, work that
    is still going on behind `frames` is cancelled.
    """
    until = time.monotonic() + cap_seconds
    async with aclosing(frames) as source:
        while True:
            waiting = asyncio.ensure_future(anext(source, None))
            try:
                while not await _ready(waiting, min(heartbeat_seconds, until - time.monotonic())):
                    if time.monotonic() >= until:
                        raise TimeoutError
                    yield HEARTBEAT
            finally:
                if not waiting.done():
                    waiting.cancel()
                    with suppress(asyncio.CancelledError):
                        await waiting
            frame = waiting.result()
            if frame is None:
                return
            yield frame


async def _ready(waiting: "asyncio.Future[bytes | None]", seconds: float) -> bool:
    done, _ = await asyncio.wait({waiting}, timeout=max(seconds, 0))
    return bool(done)
