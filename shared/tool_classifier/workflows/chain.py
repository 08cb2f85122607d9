"""The way of a query, top to bottom: classify, then SERVICE -> CONTEXT -> RAG -> OOD until one answers."""

import logging
from collections.abc import Sequence

from tool_classifier.classification.classifier import Classifier, unsearched
from tool_classifier.errors import EmbeddingError, IndexMismatchError, ServiceIndexError, ToolClassifierError
from tool_classifier.models import Answer, Classification, Query, Trace, WorkflowName
from tool_classifier.workflows import Workflow

_LOG = logging.getLogger(__name__)


class Chain:
    """Answers every query. The last workflow must always answer (OOD does)."""

    def __init__(self, *, classifier: Classifier, workflows: Sequence[Workflow]) -> None:
        self._classifier = classifier
        self._workflows = tuple(workflows)

    async def answer(self, query: Query, trace: Trace, classification: Classification | None = None) -> Answer:
        """Returns the first workflow's answer that is one; `classification` may come from an earlier /classify.

        Raises IndexMismatchError: answering from vectors of another embedder would be a wrong answer, not a failure.
        Raises ServiceIndexError or EmbeddingError when classification failed and nothing but a rejection is left: the
        question may well be in scope.
        """
        failure = None
        if classification is None:
            classification, failure = await self._classify(query, trace)
        trace.classification = classification
        for workflow in self._workflows:
            answer = await self._try(workflow, query, classification, trace)
            if answer is not None:
                if failure is not None and answer.workflow is WorkflowName.OOD:
                    raise failure
                return answer
        raise ToolClassifierError("no workflow answered", hint="The last workflow of the chain must always answer.")

    async def _classify(self, query: Query, trace: Trace) -> tuple[Classification, ToolClassifierError | None]:
        try:
            return await self._classifier.classify(query, trace), None
        except IndexMismatchError:
            raise
        except (ServiceIndexError, EmbeddingError) as error:
            _LOG.warning("classification failed", extra={"code": error.code, "reason": error.message})
            return unsearched(f"{error.code}: {error.message}"), error

    async def _try(
        self, workflow: Workflow, query: Query, classification: Classification, trace: Trace
    ) -> Answer | None:
        try:
            return await workflow.answer(query, classification, trace)
        except ToolClassifierError as error:
            _LOG.warning(
                "workflow failed", extra={"workflow": workflow.name, "code": error.code, "reason": error.message}
            )
            trace.hop(workflow.name, answered=False, reason=f"{error.code}: {error.message}")
            return None
