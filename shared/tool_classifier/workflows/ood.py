"""OOD: the polite rejection that ends the chain. It always answers."""

from tool_classifier.models import Answer, Classification, Query, Trace, WorkflowName
from tool_classifier.workflows.replies import REPLIES


class OodWorkflow:
    """Says, in the query's language, that the question cannot be answered."""

    name = WorkflowName.OOD

    async def answer(self, query: Query, _classification: Classification, trace: Trace) -> Answer:
        """Always returns an answer."""
        trace.hop(self.name, answered=True, reason="nothing else could answer")
        return Answer(workflow=self.name, content=REPLIES[query.language].out_of_scope, language=query.language)
