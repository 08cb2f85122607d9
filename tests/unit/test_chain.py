import asyncio

import pytest

from tool_classifier.classification.classifier import unsearched
from tool_classifier.errors import (
    EmbeddingUnavailableError,
    IndexMismatchError,
    IndexUnavailableError,
    ToolClassifierError,
)
from tool_classifier.models import Answer, Classification, Trace, WorkflowName
from tool_classifier.text.query import read_query
from tool_classifier.workflows.chain import Chain
from tool_classifier.workflows.context import ContextWorkflow
from tool_classifier.workflows.ood import OodWorkflow
from tool_classifier.workflows.rag import RagWorkflow
from tool_classifier.workflows.replies import REPLIES, SmallTalk

CONTEXT = Classification(workflow=WorkflowName.CONTEXT, confidence=0.9, reasoning="below the minimum")


class Classifies:
    def __init__(self, outcome: Classification | Exception = CONTEXT) -> None:
        self._outcome = outcome
        self.calls = 0

    async def classify(self, *_):
        self.calls += 1
        if isinstance(self._outcome, Exception):
            raise self._outcome
        return self._outcome


class Layer:
    """A workflow with a fixed outcome that remembers the classification it was given."""

    def __init__(self, outcome: str | Exception | None, name: WorkflowName = WorkflowName.SERVICE) -> None:
        self.name = name
        self._outcome = outcome
        self.seen: list[Classification] = []

    async def answer(self, query, classification, trace):
        self.seen.append(classification)
        if isinstance(self._outcome, Exception):
            raise self._outcome
        trace.hop(self.name, answered=self._outcome is not None, reason="fixed")
        return self._outcome and Answer(workflow=self.name, content=self._outcome, language=query.language)


class Knows:
    def __init__(self, content: str | None) -> None:
        self._content = content
        self.asked: list[str] = []

    async def answer(self, query):
        self.asked.append(query.text)
        return None if self._content is None else self._parts(self._content)

    async def _parts(self, content):
        for word in content.split(" "):
            yield f"{word} "


def ask(message: str, *layers, classifier=None, classification=None):
    trace = Trace()
    chain = Chain(classifier=classifier or Classifies(), workflows=layers)
    query = read_query(message, default_language="et")

    async def run() -> Answer:
        return await (await chain.answer(query, trace, classification)).complete()

    return asyncio.run(run()), trace


def test_the_first_answer_ends_the_chain():
    second = Layer("two")
    answer, trace = ask("q", Layer("one"), second)
    assert (answer.content, second.seen) == ("one", [])
    assert trace.classification is CONTEXT


def test_layers_are_asked_in_order_and_each_leaves_its_reason():
    answer, trace = ask(
        "Mis on käibemaks?", Layer(None), ContextWorkflow(), RagWorkflow(knowledge_base=None), OodWorkflow()
    )
    assert answer.content == REPLIES["et"].out_of_scope
    assert [(hop.workflow, hop.answered, hop.reason) for hop in trace.hops] == [
        ("SERVICE", False, "fixed"),
        ("CONTEXT", False, "not a plain greeting, farewell or thanks"),
        ("RAG", False, "no knowledge base is configured"),
        ("OOD", True, "nothing else could answer"),
    ]


@pytest.mark.parametrize(
    ("message", "language"), [("Mis on käibemaks?", "et"), ("What is VAT?", "en"), ("Что такое НДС?", "ru")]
)
def test_the_rejection_is_in_the_querys_language(message, language):
    answer, _ = ask(message, OodWorkflow())
    assert (answer.workflow, answer.language, answer.content) == ("OOD", language, REPLIES[language].out_of_scope)


def test_a_greeting_reaches_context():
    answer, _ = ask("Tere!", Layer(None), ContextWorkflow(), OodWorkflow())
    assert answer.content == REPLIES["et"].small_talk[SmallTalk.GREETING]


def test_a_knowledge_base_answers_before_the_rejection():
    base = Knows("VAT is a tax.")
    answer, trace = ask("What is VAT?", RagWorkflow(knowledge_base=base), OodWorkflow())
    assert (answer.workflow, answer.content, base.asked) == ("RAG", "VAT is a tax. ", ["What is VAT?"])
    assert trace.hops[0].answered


@pytest.mark.parametrize(("message", "asked"), [("What is VAT?", 1), ("👍", 0)])
def test_a_knowledge_base_without_an_answer_passes_and_is_not_asked_about_nothing(message, asked):
    base = Knows(None)
    answer, _ = ask(message, RagWorkflow(knowledge_base=base), OodWorkflow())
    assert (answer.workflow, len(base.asked)) == ("OOD", asked)


def test_a_layer_that_fails_is_a_reason_and_the_next_one_answers():
    answer, trace = ask("q", Layer(EmbeddingUnavailableError("no model")), Layer("two", WorkflowName.RAG))
    assert answer.content == "two"
    assert trace.hops[0].reason == "embedding_unavailable: no model"


def test_an_earlier_classification_is_not_made_again():
    classifier, layer = Classifies(), Layer("one")
    earlier = Classification(workflow=WorkflowName.SERVICE, confidence=0.7, reasoning="made before")
    ask("q", layer, classifier=classifier, classification=earlier)
    assert (classifier.calls, layer.seen) == (0, [earlier])


@pytest.mark.parametrize("error", [IndexUnavailableError("index is down"), EmbeddingUnavailableError("no endpoint")])
def test_a_failed_classification_is_not_taken_for_out_of_scope(error, caplog):
    with pytest.raises(type(error)):
        ask("Mis on dollari kurss?", Layer(None), ContextWorkflow(), OodWorkflow(), classifier=Classifies(error))
    assert [(record.levelname, record.code) for record in caplog.records] == [("WARNING", error.code)]
    answer, _ = ask("Tere!", Layer(None), ContextWorkflow(), OodWorkflow(), classifier=Classifies(error))
    assert answer.workflow == "CONTEXT"


@pytest.mark.parametrize("error", [IndexUnavailableError("index is down"), EmbeddingUnavailableError("no endpoint")])
def test_without_index_or_embedder_the_service_layer_is_still_asked(error):
    layer = Layer("found by discovery")
    answer, _ = ask("q", layer, classifier=Classifies(error))
    assert answer.content == "found by discovery"
    assert layer.seen == [unsearched(f"{error.code}: {error.message}")]


def test_an_index_of_another_embedder_is_refused():
    with pytest.raises(IndexMismatchError):
        ask("q", OodWorkflow(), classifier=Classifies(IndexMismatchError("e5 against ada")))


def test_a_chain_without_an_end_is_an_error():
    with pytest.raises(ToolClassifierError, match="no workflow answered"):
        ask("q", Layer(None))
