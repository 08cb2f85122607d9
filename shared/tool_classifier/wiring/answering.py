"""The whole way of a query."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

from tool_classifier.classification.similarity import ExampleScorer
from tool_classifier.embedding.centring import load_background
from tool_classifier.intent.extractors import extract
from tool_classifier.intent.local_detector import LocalDetector
from tool_classifier.models import Entity, EntityType
from tool_classifier.services.client import HttpServiceClient
from tool_classifier.settings import ServiceCallSettings
from tool_classifier.wiring.indexing import build_registry
from tool_classifier.wiring.resources import Resources, build_classifier
from tool_classifier.workflows.candidates import CandidateFinder
from tool_classifier.workflows.chain import Chain
from tool_classifier.workflows.context import ContextWorkflow
from tool_classifier.workflows.ood import OodWorkflow
from tool_classifier.workflows.rag import RagWorkflow
from tool_classifier.workflows.service import ServiceWorkflow

_TIME_ZONE = ZoneInfo("Europe/Tallinn")  # "today" is where the users are, not where the function runs
_ONE_OF_EACH_TYPE = tuple(Entity(name=kind, type=kind) for kind in EntityType)


def today() -> date:
    """The date in Estonia."""
    return datetime.now(tz=_TIME_ZONE).date()


async def warm_up(resources: Resources) -> None:
    """Loads models and tables of names, so that the first query pays for neither. Raises like Resources.warm_up."""
    extract("", resources.default_language, _ONE_OF_EACH_TYPE, today=today())
    await resources.warm_up()


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
            today=today,
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
