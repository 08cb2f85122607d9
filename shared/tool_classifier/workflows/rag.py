"""RAG: answers from a knowledge base, when one is configured."""

from typing import Protocol

from tool_classifier.models import Answer, Classification, Query, Trace, WorkflowName


class KnowledgeBase(Protocol):
    """Documents that a question can be answered from."""

    async def answer(self, query: Query) -> str | None:
        """Returns an answer in the query's language, or None when the documents hold none."""
        ...


class RagWorkflow:
    """Asks the knowledge base; without one it always passes."""

    name = WorkflowName.RAG

    def __init__(self, *, knowledge_base: KnowledgeBase | None) -> None:
        self._knowledge_base = knowledge_base

    async def answer(self, query: Query, _classification: Classification, trace: Trace) -> Answer | None:
        """Returns the knowledge base's answer, or None with the reason in the trace."""
        if self._knowledge_base is None:
            trace.hop(self.name, answered=False, reason="no knowledge base is configured")
            return None
        content = await self._knowledge_base.answer(query) if query.has_words else None
        trace.hop(self.name, answered=bool(content), reason="found an answer" if content else "nothing relevant")
        return Answer(workflow=self.name, content=content, language=query.language) if content else None
