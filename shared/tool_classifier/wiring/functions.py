"""The Lambda functions: an app and its warm-up each. Every builder imports only what its function serves."""

import logging
from collections.abc import Sequence
from typing import TypeVar

from fastapi import APIRouter
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp

from tool_classifier.observability import observed, set_up_logging
from tool_classifier.settings import (
    ClassifySettings,
    IndexServicesSettings,
    OperationSettings,
    ServiceCallSettings,
    load,
)
from tool_classifier.web.app import create_app
from tool_classifier.web.health import look_at_catalogue, looks_at_search
from tool_classifier.web.lambda_front import Function
from tool_classifier.web.observe import Observe
from tool_classifier.web.routes.health import health_routes
from tool_classifier.wiring.resources import build_classifier, open_resources
from tool_classifier.wiring.secrets import resolve

_SettingsT = TypeVar("_SettingsT", bound=OperationSettings)


def classify_function() -> Function:
    """`POST /classify`, `GET /health`. Raises SettingsError."""
    from tool_classifier.web.routes.classify import classify_routes  # noqa: PLC0415

    settings = _start(ClassifySettings, service="classify")
    resources = open_resources(settings)
    classifier = build_classifier(settings, resources)
    routers = [
        classify_routes(classifier=classifier, default_language=settings.default_language),
        health_routes(looks_at_search(resources.index, resources.embedder)),
    ]
    return Function(app=_app(routers, settings, service="classify"), warm_up=resources.warm_up)


def service_call_function() -> Function:
    """`POST /orchestrate`, `POST /orchestrate/stream`, `GET /health`. Raises SettingsError."""
    from tool_classifier.web.routes.orchestrate import orchestrate_routes  # noqa: PLC0415
    from tool_classifier.wiring.answering import build_chain, warm_up  # noqa: PLC0415
    from tool_classifier.wiring.indexing import build_registry  # noqa: PLC0415

    settings = _start(ServiceCallSettings, service="service_call")
    resources = open_resources(settings)
    chain = build_chain(settings, resources)
    registry = build_registry(settings, resources.http)
    looks = looks_at_search(resources.index, resources.embedder) | (
        {"registry": look_at_catalogue(registry)} if registry else {}
    )
    routers = [
        orchestrate_routes(chain=chain, index=resources.index, default_language=settings.default_language),
        health_routes(looks),
    ]
    return Function(app=_app(routers, settings, service="service_call"), warm_up=lambda: warm_up(resources))


def index_services_function() -> Function:
    """`GET /services`, `POST /services/index`, `DELETE /services/{service_id}`, `GET /health`. Raises SettingsError."""
    from tool_classifier.web.routes.services import services_routes  # noqa: PLC0415
    from tool_classifier.wiring.indexing import build_catalogue, build_indexer  # noqa: PLC0415

    settings = _start(IndexServicesSettings, service="index_services")
    resources = open_resources(settings)
    indexer = build_indexer(resources)
    catalogue = build_catalogue(settings, resources.http)
    looks = looks_at_search(resources.index, resources.embedder) | {"registry": look_at_catalogue(catalogue)}
    routers = [services_routes(indexer=indexer, index=resources.index, catalogue=catalogue), health_routes(looks)]

    async def reindex() -> None:
        with observed("index_services", "reindex", correlation_id="") as facts:
            report = await indexer.run(catalogue)
            changes = {"added": report.added, "changed": report.changed, "removed": report.removed}
            facts.update(status=200, version=report.version, **{what: len(ids) for what, ids in changes.items()})

    return Function(app=_app(routers, settings, service="index_services"), warm_up=resources.warm_up, on_event=reindex)


def _start(kind: type[_SettingsT], *, service: str) -> _SettingsT:
    """Logging first, so that settings that cannot be used are said in JSON too."""
    set_up_logging(service, level="INFO")
    settings = resolve(load(kind))
    logging.getLogger().setLevel(settings.log_level)
    return settings


def _app(routers: Sequence[APIRouter], settings: OperationSettings, *, service: str) -> ASGIApp:
    app: ASGIApp = create_app(routers)
    if settings.cors_allow_origin is not None:
        app = CORSMiddleware(app, allow_origins=[settings.cors_allow_origin], allow_methods=["*"], allow_headers=["*"])
    return Observe(app, service=service)
