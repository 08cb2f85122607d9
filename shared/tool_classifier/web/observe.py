"""One log line and one set of metrics a request, under whichever front the app runs."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tool_classifier.observability import observed

_HEADERS = (b"x-request-id", b"x-amzn-trace-id")


class Observe:
    """Names the request by its `X-Request-Id` or trace id; the log line holds method, route and status, no text."""

    def __init__(self, app: ASGIApp, *, service: str) -> None:
        self._app = app
        self._service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI entry."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        correlation_id = next((headers[name].decode("latin-1") for name in _HEADERS if name in headers), "")
        with observed(self._service, "http", correlation_id=correlation_id[:200]) as facts:

            async def watched(message: Message) -> None:
                if message["type"] == "http.response.start":
                    facts["status"] = message["status"]
                await send(message)

            await self._app(scope, receive, watched)
            route = scope.get("route")
            facts["route"] = f"{scope['method']} {getattr(route, 'path', 'unknown')}"
