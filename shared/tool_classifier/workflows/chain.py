"""The way of a query, top to bottom: classify, then SERVICE -> CONTEXT -> RAG -> OOD until one answers."""

from collections.abc import Sequence

from tool_classifier.classification.classifier import Classifier, unsearched
from tool_classifier.errors import EmbeddingError, IndexMismatchError, ServiceIndexError, ToolClassifierError
from tool_classifier.models import Answer, Classification, Query, Trace
from tool_classifier.workflows import Workflow


class Chain:
    """Answers every query. The last workflow must always answer (OOD does)."""

    def __init__(self, *, classifier: Classifier, workflows: Sequence[Workflow]) -> None:
        self._classifier = classifier
        self._workflows = tuple(workflows)

    async def answer(self, query: Query, trace: Trace, classification: Classification | None = None) -> Answer:
        """Returns the first workflow's answer that is one; `classification` may come from an earlier /classify.

        Raises IndexMismatchError: answering from vectors of another embedder would be a wrong answer, not a failure.
        """
        if classification is None:
            classification = await self._classify(query, trace)
        trace.classification = classification
        for workflow in self._workflows:
            answer = await self._try(workflow, query, classification, trace)
            if answer is not None:
                return answer
        raise ToolClassifierError("no workflow answered", hint="The last workflow of the chain must always answer.")

    async def _classify(self, query: Query, trace: Trace) -> Classification:
        try:
            return await self._classifier.classify(query, trace)
        except IndexMismatchError:
            raise
        except (ServiceIndexError, EmbeddingError) as error:
            return unsearched(f"{error.code}: {error.message}")

    async def _try(
        self, workflow: Workflow, query: Query, classification: Classification, trace: Trace
    ) -> Answer | None:
        try:
            return await workflow.answer(query, classification, trace)
        except ToolClassifierError as error:
            trace.hop(workflow.name, answered=False, reason=f"{error.code}: {error.message}")
            return None
