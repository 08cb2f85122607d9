"""API Gateway stages: `/prod/classify` is `/classify`, whichever event format or front it came through."""

from starlette.types import ASGIApp, Receive, Scope, Send

_ROOTS = frozenset({"classify", "orchestrate", "services", "health", "openapi.json"})


class StagePrefix:
    """Drops the first segment of a path when it is none of ours and the second one is."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI entry."""
        if scope["type"] == "http":
            stage, _, path = scope["path"].removeprefix("/").partition("/")
            if stage not in _ROOTS and path.partition("/")[0] in _ROOTS:
                # In place: whoever wraps this app reads the matched route from the same scope.
                scope.update(path=f"/{path}", raw_path=f"/{path}".encode())
        await self._app(scope, receive, send)
