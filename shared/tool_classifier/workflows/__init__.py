"""The chain SERVICE -> CONTEXT -> RAG -> OOD, one module per workflow; `chain` runs them in order."""

from typing import Protocol

from tool_classifier.models import Answer, Classification, Query, Trace, WorkflowName


class Workflow(Protocol):
    """One layer of the chain."""

    @property
    def name(self) -> WorkflowName:
        """The layer that this is."""
        ...

    async def answer(self, query: Query, classification: Classification, trace: Trace) -> Answer | None:
        """Returns an answer, or None to let the next layer try; either way `trace.hop` says why."""
        ...
