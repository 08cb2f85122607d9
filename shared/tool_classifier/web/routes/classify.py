"""`POST /classify`."""

from fastapi import APIRouter

from tool_classifier.classification.classifier import Classifier
from tool_classifier.models import Trace
from tool_classifier.web.schemas import ClassificationBody, ClassifyRequest


def classify_routes(*, classifier: Classifier, default_language: str) -> APIRouter:
    """Which workflow a message starts at."""
    router = APIRouter(tags=["classification"])

    @router.post("/classify")
    async def classify(body: ClassifyRequest) -> ClassificationBody:
        """Which workflow a message starts at, and the evidence. Calls no service and no LLM."""
        query = body.to_query(default_language)
        return ClassificationBody.of(await classifier.classify(query, Trace()), query)

    return router
