"""RAG: answers from a knowledge base, when one is configured."""

from collections.abc import AsyncIterator
from typing import Protocol

from tool_classifier.models import Answer, Classification, Query, Trace, WorkflowName


class KnowledgeBase(Protocol):
    """Documents that a question can be answered from."""

    async def answer(self, query: Query) -> AsyncIterator[str] | None:
        """Returns an answer in the query's language, part by part, or None when the documents hold none."""
        ...


class RagWorkflow:
    """Asks the knowledge base; without one it always passes."""

    name = WorkflowName.RAG

    def __init__(self, *, knowledge_base: KnowledgeBase | None) -> None:
        self._knowledge_base = knowledge_base

    async def answer(self, query: Query, _classification: Classification, trace: Trace) -> Answer | None:
        """Returns the knowledge base's answer, or None with the reason in the trace.

        Waits for the first part, so that a knowledge base that fails before it leaves the turn to the next layer.
        """
        if self._knowledge_base is None:
            trace.hop(self.name, answered=False, reason="no knowledge base is configured")
            return None
        parts = await self._knowledge_base.answer(query) if query.has_words else None
        first = await anext(parts, None) if parts is not None else None
        if not first:
            trace.hop(self.name, answered=False, reason="the knowledge base holds no answer")
            return None
        trace.hop(self.name, answered=True, reason="the knowledge base holds an answer")
        return Answer(workflow=self.name, content=first, language=query.language, rest=parts)
