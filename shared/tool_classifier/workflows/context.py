"""CONTEXT: plain greetings, farewells and thanks, answered without an LLM."""

from collections.abc import Mapping
from dataclasses import dataclass

from tool_classifier.models import Answer, Classification, Query, Trace, WorkflowName
from tool_classifier.text.normalise import fold
from tool_classifier.workflows.replies import FILLERS, PHRASES, REPLIES, SmallTalk


@dataclass(frozen=True, slots=True)
class _Phrase:
    kind: SmallTalk
    language: str


_PHRASES: Mapping[str, _Phrase] = {
    fold(phrase): _Phrase(kind=kind, language=language)
    for language, kinds in PHRASES.items()
    for kind, phrases in kinds.items()
    for phrase in phrases
}
_FILLERS = frozenset(fold(filler) for filler in FILLERS)
_LONGEST_WORDS = max(len(known.split()) for known in (*_PHRASES, *_FILLERS))


class ContextWorkflow:
    """Answers a message that is small talk and nothing else: a greeting followed by a question is not a greeting."""

    name = WorkflowName.CONTEXT

    async def answer(self, query: Query, _classification: Classification, trace: Trace) -> Answer | None:
        """Answers in the language of the phrase, by its last phrase: "Tere! Aitäh!" is thanks."""
        phrases = _only_phrases(fold(query.text).split())
        if not phrases:
            trace.hop(self.name, answered=False, reason="not a plain greeting, farewell or thanks")
            return None
        last = phrases[-1]
        trace.hop(self.name, answered=True, reason=f"plain {last.kind} in {last.language}")
        content = REPLIES[last.language].small_talk[last.kind]
        return Answer(workflow=self.name, content=content, language=last.language)


def _only_phrases(words: list[str]) -> list[_Phrase]:
    """The known phrases that the words consist of, longest first, fillers left out; empty when a word is in neither."""
    found: list[_Phrase] = []
    while words:
        sizes = range(min(len(words), _LONGEST_WORDS), 0, -1)
        starts = (" ".join(words[:size]) for size in sizes)
        known = next((start for start in starts if start in _PHRASES or start in _FILLERS), None)
        if known is None:
            return []
        if known in _PHRASES:
            found.append(_PHRASES[known])
        words = words[known.count(" ") + 1 :]
    return found
