"""`GET /health`."""

from collections.abc import Mapping

from fastapi import APIRouter, Response
from pydantic import BaseModel

from tool_classifier import __version__
from tool_classifier.web.health import Look, examine


class CheckBody(BaseModel):
    """One part of the system; what is wrong with it is in the log and in `tool-classifier doctor`."""

    name: str
    ok: bool


class HealthBody(BaseModel):
    """Liveness, and with `deep=1` each part's state."""

    ok: bool
    version: str
    checks: list[CheckBody] | None = None


def health_routes(looks: Mapping[str, Look]) -> APIRouter:
    """Whether this function lives, and whether what it needs does."""
    router = APIRouter(tags=["operations"])

    @router.head("/health", include_in_schema=False)
    @router.get("/health")
    async def health(response: Response, *, deep: bool = False) -> HealthBody:
        """Liveness; `?deep=1` also looks at index, model and registry, and answers 503 when one is not right."""
        checks = [CheckBody(name=check.name, ok=check.ok) for check in await examine(looks)] if deep else []
        ok = all(check.ok for check in checks)
        response.status_code = 200 if ok else 503
        return HealthBody(ok=ok, version=__version__, checks=checks or None)

    return router
