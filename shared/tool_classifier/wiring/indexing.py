"""Catalogue, registry and the re-index use case."""

from pathlib import Path

import httpx

from tool_classifier.embedding.centring import load_background
from tool_classifier.errors import SettingsError
from tool_classifier.index.catalogue import Catalogue
from tool_classifier.index.catalogue.file import FileCatalogue
from tool_classifier.index.catalogue.ruuter import RuuterCatalogue
from tool_classifier.index.indexer import Indexer
from tool_classifier.intent.entity_types import infer_type
from tool_classifier.settings import RegistrySettings
from tool_classifier.wiring.resources import Resources


def build_catalogue(settings: RegistrySettings, http: httpx.AsyncClient, *, fallback: Path | None = None) -> Catalogue:
    """Where services come from: CATALOGUE_FILE, else discovery when configured, else the file `fallback`.

    Raises SettingsError when there is none of the three.
    """
    registry = None if settings.catalogue_file else build_registry(settings, http)
    if registry is not None:
        return registry
    path = settings.catalogue_file or fallback
    if path is None:
        raise SettingsError(
            "no catalogue is configured", hint="Set RAG_SEARCH_RUUTER_PUBLIC (discovery) or CATALOGUE_FILE."
        )
    return FileCatalogue(path=path, infer_type=infer_type)


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
