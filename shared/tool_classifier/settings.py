"""Every setting, read from environment variables of the same name in upper case. Frozen once read.

One class per function (`ClassifySettings`, `ServiceCallSettings`, `IndexServicesSettings`), composed of groups that
each describe one concern. A bad value stops the process at start with the variable's name.
"""

from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import AfterValidator, AliasChoices, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from tool_classifier.errors import SettingsError

Seconds = Annotated[float, Field(gt=0, le=900)]
Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=1, le=10_000)]
UserPath = Annotated[Path, AfterValidator(Path.expanduser)]
Url = Annotated[str, Field(pattern=r"^https?://[^\s/?#]+[^\s?#]*$")]


class _Settings(BaseSettings):
    model_config = SettingsConfigDict(frozen=True, env_ignore_empty=True, extra="ignore", populate_by_name=True)


class EmbeddingSettings(_Settings):
    """Which model turns texts into vectors: the bundled one, or an OpenAI-compatible endpoint."""

    embedding_url: Url | None = Field(
        None, description="Base URL of an OpenAI-compatible API (`.../v1`). Empty: the bundled model embeds in-process."
    )
    embedding_model: str = Field("text-embedding-3-large", description="Model name sent to `EMBEDDING_URL`.")
    embedding_api_key: SecretStr | None = Field(None, description="Bearer token for `EMBEDDING_URL`.")
    embedding_api_key_secret: str | None = Field(
        None, description="Instead: ARN of a secret (Secrets Manager) or parameter (SSM; or `ssm:NAME`) that holds it."
    )
    embedding_dimension: Count = Field(3072, description="Dimension that `EMBEDDING_URL` returns; checked.")
    embedding_timeout: Seconds = Field(10.0, description="Seconds for one request to `EMBEDDING_URL`.")


class IndexSettings(_Settings):
    """Where the index lives: a Qdrant server, or files on this machine."""

    qdrant_url: Url | None = Field(None, description="URL of a Qdrant server. Empty: the embedded index is used.")
    qdrant_api_key: SecretStr | None = Field(None, description="API key of the Qdrant server.")
    qdrant_api_key_secret: str | None = Field(
        None, description="Instead: ARN of a secret (Secrets Manager) or parameter (SSM; or `ssm:NAME`) that holds it."
    )
    qdrant_collection: str = Field("intent_collections", min_length=1, description="Collection of the service index.")
    qdrant_timeout: Seconds = Field(10.0, description="Seconds for one request to Qdrant.")
    index_dir: UserPath = Field(Path(".tool-classifier/index"), description="Folder of the embedded index.")
    index_seed: Path | None = Field(
        None, description="Packed index that is unpacked into `INDEX_DIR` when nothing has been published there."
    )


class RoutingSettings(_Settings):
    """How classification decides. The threshold defaults are the profile `reference`, tuned for
    text-embedding-3-large; with another embedder its own profile applies, unless a variable here is set."""

    dense_min_threshold: Share = Field(0.38, description="Best score below this: not a service question.")
    dense_high_confidence_threshold: Share = Field(0.40, description="Best score from this on: may be high-confidence.")
    dense_score_gap_threshold: Share = Field(
        0.05, description="Lead over the best other service that high-confidence needs."
    )
    dense_search_top_k: Count = Field(3, description="Services kept from the dense search.")
    hybrid_search_top_k: Count = Field(5, description="Services kept from the hybrid search.")
    default_language: str = Field(
        "et", pattern="^(et|en|ru)$", description="Language of a text that does not show its own (`et`, `en` or `ru`)."
    )


class RegistrySettings(_Settings):
    """The registry that services are discovered from, and the catalogue file used without one."""

    rag_search_ruuter_public: Url | None = Field(
        None,
        validation_alias=AliasChoices("RAG_SEARCH_RUUTER_PUBLIC", "RUUTER_DISCOVERY_URL", "rag_search_ruuter_public"),
        description="Base URL of discovery: `GET {base}/services/get-services`. `RUUTER_DISCOVERY_URL` is the same.",
    )
    service_discovery_timeout: Seconds = Field(10.0, description="Seconds for discovery.")
    catalogue_file: UserPath | None = Field(
        None, description="Catalogue file (YAML or JSON). Empty: discovery when configured, else the bundled catalogue."
    )


class ServiceSettings(_Settings):
    """Calling registered services, and deciding which one is meant."""

    ruuter_service_base_url: Url | None = Field(None, description="Base URL of services.")
    ruuter_common_service_base_url: Url | None = Field(
        None, description="Base URL of common services. Empty: `RUUTER_SERVICE_BASE_URL`."
    )
    service_call_timeout: Seconds = Field(10.0, description="Seconds for one call to a service, all told.")
    service_count_threshold: Count = Field(
        10, description="Up to so many discovered services go to intent detection directly; above it, semantic search."
    )
    max_services_for_llm_context: Count = Field(50, description="Most services ever given to intent detection.")
    semantic_search_top_k: Count = Field(10, description="Services that semantic search picks among discovered ones.")
    semantic_search_threshold: Share = Field(0.2, description="Lowest score for such a pick.")
    intent_confidence_threshold: Share = Field(0.7, description="Lowest confidence of an intent that is acted on.")
    history_turns: Annotated[int, Field(ge=0, le=100)] = Field(
        3, description="Turns of the conversation given to an LLM that detects intents (the local detector uses none)."
    )
    examples_per_service: Count = Field(
        3, description="Examples of a service given to an LLM that detects intents (the local detector uses none)."
    )


class OperationSettings(_Settings):
    """What operators see."""

    log_level: str = Field(
        "INFO", pattern="^(DEBUG|INFO|WARNING|ERROR)$", description="Lowest level that the functions log."
    )
    cors_allow_origin: str | None = Field(
        None, description="Origin of web pages that may read the functions' answers, or `*`. Empty: none."
    )


class ClassifySettings(OperationSettings, EmbeddingSettings, IndexSettings, RoutingSettings):
    """Settings of the `classify` function."""


class ServiceCallSettings(ClassifySettings, RegistrySettings, ServiceSettings):
    """Settings of the `service_call` function."""


class IndexServicesSettings(OperationSettings, EmbeddingSettings, IndexSettings, RegistrySettings):
    """Settings of the `index_services` function."""


GROUPS: tuple[type[_Settings], ...] = (
    EmbeddingSettings,
    IndexSettings,
    RoutingSettings,
    RegistrySettings,
    ServiceSettings,
    OperationSettings,
)

_SettingsT = TypeVar("_SettingsT", bound=_Settings)


def load(kind: type[_SettingsT]) -> _SettingsT:
    """Reads settings of this kind from the environment.

    Raises SettingsError naming every variable that cannot be used.
    """
    try:
        return kind()
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, e['loc'])).upper()}: {e['msg']}" for e in error.errors())
        raise SettingsError(
            f"unusable settings: {faults}", hint="Correct or unset these environment variables; see docs/settings.md."
        ) from None  # the cause's text holds the values, and a value may hold a password
