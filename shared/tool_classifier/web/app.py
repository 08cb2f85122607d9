"""The HTTP API: routes that translate bodies, ask the chain, and translate back."""

from fastapi import FastAPI

from tool_classifier import __version__
from tool_classifier.classification.classifier import Classifier
from tool_classifier.errors import ServiceIndexError
from tool_classifier.index import ServiceIndex
from tool_classifier.models import Classification, Query, Trace
from tool_classifier.text.query import read_query
from tool_classifier.web import problems
from tool_classifier.web.schemas import (
    HISTORY_LIMIT,
    ClassificationBody,
    ClassifyRequest,
    OrchestrateRequest,
    OrchestrateResponse,
)
from tool_classifier.workflows.chain import Chain


def create_app(*, chain: Chain, classifier: Classifier, index: ServiceIndex, default_language: str) -> FastAPI:
    """The app, with every dependency given. Errors leave as problem+json (see `problems`)."""
    app = FastAPI(title="Tool Classifier", version=__version__, docs_url=None, redoc_url=None)
    problems.install(app)

    def query_of(body: ClassifyRequest) -> Query:
        return read_query(
            body.message,
            default_language=default_language,
            chat_id=body.chat_id,
            author_id=body.author_id,
            history=[item.to_turn() for item in body.conversation_history[-HISTORY_LIMIT:]],
        )

    async def confirmed(earlier: ClassificationBody | None) -> Classification | None:
        """An earlier classification with definitions from the index; None when there is none to confirm it."""
        if earlier is None:
            return None
        try:
            return earlier.to_domain(await index.services(earlier.service_ids))
        except ServiceIndexError:
            return None

    @app.post("/classify")
    async def classify(body: ClassifyRequest) -> ClassificationBody:
        """Which workflow a message starts at, and the evidence."""
        return ClassificationBody.of(await classifier.classify(query_of(body), Trace()))

    @app.post("/orchestrate", response_model_by_alias=True)
    async def orchestrate(body: OrchestrateRequest) -> OrchestrateResponse:
        """The answer to a message, in one piece."""
        trace = Trace()
        answer = await chain.answer(query_of(body), trace, await confirmed(body.classification))
        return OrchestrateResponse.of(answer, trace, chat_id=body.chat_id, explain=body.explain)

    return app
