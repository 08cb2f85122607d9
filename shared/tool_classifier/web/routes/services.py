"""`GET /services`, `POST /services/index`, `DELETE /services/{service_id}`: the index as operators see it."""

from fastapi import APIRouter, Response

from tool_classifier.index import ServiceIndex
from tool_classifier.index.catalogue import Catalogue
from tool_classifier.index.indexer import Indexer, IndexReport
from tool_classifier.models import Service
from tool_classifier.web.problems import problem
from tool_classifier.web.schemas import IndexRequest


def services_routes(*, indexer: Indexer, index: ServiceIndex, catalogue: Catalogue) -> APIRouter:
    """What is indexed, and changing it."""
    router = APIRouter(tags=["services"])

    @router.get("/services")
    async def services() -> list[Service]:
        """Every indexed service, ordered by id."""
        return list(await index.all_services())

    @router.post("/services/index")
    async def reindex(body: IndexRequest | None = None) -> IndexReport:
        """Brings the index up to date with the catalogue; a faulty catalogue changes nothing."""
        return await indexer.run(catalogue, dry_run=body is not None and body.dry_run)

    @router.delete("/services/{service_id}", status_code=204, response_class=Response)
    async def remove(service_id: str) -> Response:
        """Takes a service out of the index at once. It comes back with the next run if the catalogue still lists it."""
        if await indexer.remove(service_id):
            return Response(status_code=204)
        return problem(404, code="service_unknown", title="No such service is indexed", service_id=service_id)

    return router
