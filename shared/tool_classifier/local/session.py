"""Everything a local command needs, opened in order: demo services, resources, a published index, warm models."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from fastapi import FastAPI

from tool_classifier.classification.classifier import Classifier
from tool_classifier.errors import CatalogueError, IndexLockedError
from tool_classifier.index.catalogue import Catalogue
from tool_classifier.index.indexer import Indexer, IndexReport
from tool_classifier.local.demo import bundled_catalogue_path
from tool_classifier.local.demo.app import demo_app
from tool_classifier.local.server import serving
from tool_classifier.settings import ServiceCallSettings
from tool_classifier.web.app import create_app
from tool_classifier.web.health import look_at_catalogue, looks_at_search
from tool_classifier.web.routes.classify import classify_routes
from tool_classifier.web.routes.health import health_routes
from tool_classifier.web.routes.orchestrate import orchestrate_routes
from tool_classifier.web.routes.services import services_routes
from tool_classifier.wiring.answering import build_chain, warm_up
from tool_classifier.wiring.indexing import build_catalogue, build_indexer
from tool_classifier.wiring.resources import Resources, build_classifier, open_resources
from tool_classifier.workflows.chain import Chain

Progress = Callable[[int, int], None]

_WAIT_SECONDS = 0.25
_WAITS = 240  # a minute: what a few hundred services take to embed


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """An opened local session; `services_url` is where registered services are called, by the API itself when it
    comes `with_demo`."""

    settings: ServiceCallSettings
    resources: Resources
    catalogue: Catalogue
    indexer: Indexer
    classifier: Classifier
    chain: Chain
    services_url: str
    with_demo: bool

    async def ensure_index(self, progress: Progress) -> IndexReport | None:
        """Makes sure that something fitting is published in the embedded index; None when there is nothing to do.

        Indexes the session's catalogue when nothing is published, or only the bundled one and another is configured
        (its services must not be called at a real gateway). Brings the bundled catalogue up to date. What an editor has
        published, a Qdrant server's index and an index of another embedder are left alone. Raises like Indexer.run when
        there is no index to answer from.
        """
        published = await self.resources.index.manifest()
        if self.settings.qdrant_url is not None:
            return None
        if published is None:
            return await self._index_first(progress)
        bundled = str(bundled_catalogue_path())
        if published.source != bundled or published.embedder_id != self.resources.embedder.id:
            return None
        try:
            return await self.indexer.run(self.catalogue, progress=progress)
        except (IndexLockedError, CatalogueError):
            if self.catalogue.source != bundled:
                raise
            return None  # the published index still answers

    async def _index_first(self, progress: Progress) -> IndexReport | None:
        """Builds the first index, or waits for the process that is building it."""
        try:
            return await self.indexer.run(self.catalogue, progress=progress)
        except IndexLockedError:
            for _ in range(_WAITS):
                if await self.resources.index.manifest() is not None:
                    return None
                await asyncio.sleep(_WAIT_SECONDS)
            raise

    async def advice(self) -> str | None:
        """What to tell a person about an index that does not hold the session's catalogue; None when it does."""
        published = await self.resources.index.manifest()
        if published is None or published.source == self.catalogue.source:
            return None
        return (
            f"note: the index holds the services of {published.source}, not of {self.catalogue.source}; "
            "set CATALOGUE_FILE to keep to the former, or run tool-classifier index for the latter"
        )

    async def warm_up(self) -> None:
        """Loads models and tables. Raises IndexMismatchError when the index was built with another embedder."""
        await warm_up(self.resources)

    def api(self) -> FastAPI:
        """Every route of every function in one app."""
        index, language = self.resources.index, self.resources.default_language
        looks = looks_at_search(index, self.resources.embedder) | {"registry": look_at_catalogue(self.catalogue)}
        api = create_app(
            [
                classify_routes(classifier=self.classifier, default_language=language),
                orchestrate_routes(chain=self.chain, index=index, default_language=language),
                services_routes(indexer=self.indexer, index=index, catalogue=self.catalogue),
                health_routes(looks),
            ]
        )
        if self.with_demo:
            api.router.routes.extend(demo_app().routes)
        return api


@asynccontextmanager
async def open_session(settings: ServiceCallSettings, *, own_url: str | None = None) -> AsyncIterator[Session]:
    """Opens a session. Without RUUTER_SERVICE_BASE_URL the demo services answer.

    They run on a free loopback port meanwhile, or belong to the session's API when it is served at `own_url`.
    """
    async with AsyncExitStack() as stack:
        demo = settings.ruuter_service_base_url is None
        services_url = settings.ruuter_service_base_url or own_url
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
            with_demo=demo and own_url is not None,
        )
