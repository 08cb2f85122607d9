"""Everything a local command needs, opened in order: demo services, resources, a published index, warm models."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from tool_classifier.classification.classifier import Classifier
from tool_classifier.index.catalogue import Catalogue
from tool_classifier.index.indexer import Indexer, IndexReport
from tool_classifier.local.demo import bundled_catalogue_path
from tool_classifier.local.demo.app import demo_app
from tool_classifier.local.server import serving
from tool_classifier.settings import ServiceCallSettings
from tool_classifier.wiring import (
    Resources,
    build_catalogue,
    build_chain,
    build_classifier,
    build_indexer,
    open_resources,
)
from tool_classifier.workflows.chain import Chain

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """An opened local session; `services_url` is where registered services are called."""

    settings: ServiceCallSettings
    resources: Resources
    catalogue: Catalogue
    indexer: Indexer
    classifier: Classifier
    chain: Chain
    services_url: str

    async def ensure_index(self, progress: Progress) -> IndexReport | None:
        """Brings an embedded index that holds the session's own catalogue, or nothing yet, up to date.

        An index of another catalogue, and a Qdrant server's, is left alone (None). Raises like Indexer.run.
        """
        published = await self.resources.index.manifest()
        foreign = published is not None and published.source != self.catalogue.source
        if foreign or self.settings.qdrant_url is not None:
            return None
        return await self.indexer.run(self.catalogue, progress=progress)


@asynccontextmanager
async def open_session(settings: ServiceCallSettings) -> AsyncIterator[Session]:
    """Opens a session. Without RUUTER_SERVICE_BASE_URL the demo services run on a free loopback port meanwhile."""
    async with AsyncExitStack() as stack:
        services_url = settings.ruuter_service_base_url
        if services_url is None:
            services_url = await stack.enter_async_context(serving(demo_app()))
            settings = settings.model_copy(update={"ruuter_service_base_url": services_url})
        resources = await stack.enter_async_context(open_resources(settings))
        yield Session(
            settings=settings,
            resources=resources,
            catalogue=build_catalogue(settings, resources.http, fallback=bundled_catalogue_path()),
            indexer=build_indexer(resources),
            classifier=build_classifier(settings, resources),
            chain=build_chain(settings, resources),
            services_url=services_url,
        )
