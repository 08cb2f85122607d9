"""No body is parsed before its size is known to be harmless."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tool_classifier.web.problems import problem

MAX_BODY_BYTES = 512_000
"""Far above any real conversation; a hundred messages of the longest size would not fit."""
_LONGEST_NUMBER = 12


class BodyLimit:
    """Answers 413 to a larger body, announced or not, without reading the rest of it."""

    def __init__(self, app: ASGIApp, *, max_bytes: int = MAX_BODY_BYTES) -> None:
        self._app = app
        self._max_bytes = max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI entry."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        announced = dict(scope["headers"]).get(b"content-length", b"0")
        messages = await self._read(receive) if self._is_harmless(announced) else None
        if messages is None:
            title = f"The request body is larger than {self._max_bytes} bytes"
            await problem(413, code="body_too_large", title=title)(scope, receive, send)
            return
        await self._app(scope, _replay(messages, receive), send)

    def _is_harmless(self, announced: bytes) -> bool:
        return announced.isdigit() and len(announced) <= _LONGEST_NUMBER and int(announced) <= self._max_bytes

    async def _read(self, receive: Receive) -> list[Message] | None:
        messages: list[Message] = []
        size = 0
        while not messages or messages[-1].get("more_body", False):
            messages.append(await receive())
            size += len(messages[-1].get("body", b""))
            if size > self._max_bytes:
                return None
        return messages


def _replay(messages: list[Message], receive: Receive) -> Receive:
    rest = iter(messages)

    async def again() -> Message:
        return next(rest, None) or await receive()

    return again
