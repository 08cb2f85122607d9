"""SERVICE, top to bottom: find candidates, detect the intent, validate entities, call the service, read its answer."""

import logging

from tool_classifier.errors import CatalogueError, EmbeddingError, ServiceCallError
from tool_classifier.intent import IntentDetector
from tool_classifier.intent.entities import to_input, validate
from tool_classifier.intent.verdict import accepted
from tool_classifier.models import (
    Answer,
    Classification,
    Query,
    Service,
    ServiceRequest,
    Trace,
    Validation,
    WorkflowName,
)
from tool_classifier.services import ServiceClient
from tool_classifier.services.endpoint import endpoint_url
from tool_classifier.workflows.candidates import CandidateFinder

_LOG = logging.getLogger(__name__)


class ServiceWorkflow:
    """Answers with what a registered service says. Any failure on the way is a reason in the trace, and None."""

    name = WorkflowName.SERVICE

    def __init__(
        self,
        *,
        candidates: CandidateFinder,
        detector: IntentDetector,
        client: ServiceClient,
        base_url: str | None,
        common_base_url: str | None,
        minimum_confidence: float,
    ) -> None:
        self._candidates = candidates
        self._detector = detector
        self._client = client
        self._base_url = base_url
        self._common_base_url = common_base_url
        self._minimum_confidence = minimum_confidence

    async def answer(self, query: Query, classification: Classification, trace: Trace) -> Answer | None:
        """Returns the service's answer, or None with the reason in the trace."""
        if classification.workflow is not WorkflowName.SERVICE:
            trace.hop(self.name, answered=False, reason=classification.reasoning)
            return None
        try:
            return await self._answer(query, classification, trace)
        except (CatalogueError, EmbeddingError, ServiceCallError) as error:
            matched = trace.intent.matched_service_id if trace.intent else None
            _LOG.warning("service failed", extra={"service_id": matched, "code": error.code, "reason": error.message})
            trace.hop(self.name, answered=False, reason=f"{error.code}: {error.message}")
            return None

    async def _answer(self, query: Query, classification: Classification, trace: Trace) -> Answer | None:
        trace.candidates = await self._candidates.find(query, classification, trace)
        if not trace.candidates:
            trace.hop(self.name, answered=False, reason=f"no candidate services: {classification.reasoning}")
            return None
        with trace.stage("detect intent"):
            trace.intent = await self._detector.detect(query, trace.candidates, trace)
        verdict = accepted(trace.intent, trace.candidates, minimum_confidence=self._minimum_confidence)
        if verdict.candidate is None:
            trace.hop(self.name, answered=False, reason=f"intent not accepted: {verdict.reason}")
            return None
        service = verdict.candidate.service
        trace.validation = validate(service, trace.intent.entities)
        trace.request = self._request(query, service, trace.validation)
        with trace.stage("call service"):
            trace.reply = await self._client.call(trace.request)
        trace.hop(self.name, answered=True, reason=f"service {service.id} answered")
        return Answer(
            workflow=self.name,
            content=trace.reply.content,
            language=query.language,
            buttons=trace.reply.buttons,
            service_id=service.id,
            entities=trace.validation.values,
        )

    def _request(self, query: Query, service: Service, validation: Validation) -> ServiceRequest:
        base_url = (service.is_common and self._common_base_url) or self._base_url
        if not base_url:
            raise ServiceCallError(
                "no base URL for services is configured", hint="Set RUUTER_SERVICE_BASE_URL to the gateway's address."
            )
        return ServiceRequest(
            method=service.method,
            url=endpoint_url(base_url, service.name),
            chat_id=query.chat_id,
            author_id=query.author_id,
            input=to_input(service, validation),
        )
