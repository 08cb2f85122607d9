import asyncio

import pytest

from tool_classifier.models import Classification, Trace, WorkflowName
from tool_classifier.text.query import read_query
from tool_classifier.workflows.context import ContextWorkflow
from tool_classifier.workflows.replies import PHRASES, REPLIES, SmallTalk

NOTHING = Classification(workflow=WorkflowName.CONTEXT, confidence=1.0, reasoning="")


def answer(message: str, trace: Trace | None = None):
    query = read_query(message, default_language="et")
    return asyncio.run(ContextWorkflow().answer(query, NOTHING, trace or Trace()))


@pytest.mark.parametrize(
    ("message", "language", "kind"),
    [
        ("Tere!", "et", SmallTalk.GREETING),
        ("tere   hommikust", "et", SmallTalk.GREETING),
        ("Aitäh!!!", "et", SmallTalk.THANKS),
        ("Head aega", "et", SmallTalk.FAREWELL),
        ("Tere! Aitäh.", "et", SmallTalk.THANKS),
        ("Hello", "en", SmallTalk.GREETING),
        ("Thank you very much", "en", SmallTalk.THANKS),
        ("Goodbye!", "en", SmallTalk.FAREWELL),
        ("Привет", "ru", SmallTalk.GREETING),
        ("Большое спасибо!", "ru", SmallTalk.THANKS),
        ("До свидания", "ru", SmallTalk.FAREWELL),
        ("te\u200bre 👋", "et", SmallTalk.GREETING),
        ("suur tänu", "et", SmallTalk.THANKS),
        ("aitäh teile", "et", SmallTalk.THANKS),
        ("aitäh väga", "et", SmallTalk.THANKS),
        ("tänan sind", "et", SmallTalk.THANKS),
        ("ok aitäh", "et", SmallTalk.THANKS),
        ("Aitäh, see oli kõik", "et", SmallTalk.THANKS),
        ("head aega ja aitäh", "et", SmallTalk.THANKS),
        ("Suur tänu ja head päeva!", "et", SmallTalk.FAREWELL),
        ("Head ööd", "et", SmallTalk.FAREWELL),
        ("hüvasti", "et", SmallTalk.FAREWELL),
        ("thanks, that's all", "en", SmallTalk.THANKS),
        ("Thanks, that’s all. Bye!", "en", SmallTalk.FAREWELL),
        ("OK, thank you so much for the help", "en", SmallTalk.THANKS),
        ("thanks and have a good day", "en", SmallTalk.FAREWELL),
        ("спс", "ru", SmallTalk.THANKS),
        ("спасибо, это всё", "ru", SmallTalk.THANKS),
        ("Спасибо и до свидания", "ru", SmallTalk.FAREWELL),
    ],
)
def test_small_talk_is_answered_in_its_language(message, language, kind):
    trace = Trace()
    reply = answer(message, trace)
    assert (reply.workflow, reply.language, reply.content) == (
        WorkflowName.CONTEXT,
        language,
        REPLIES[language].small_talk[kind],
    )
    assert trace.hops[0].reason == f"plain {kind} in {language}"


@pytest.mark.parametrize(
    "message",
    [
        "Tere, mis ilm on?",
        "tere, tühista tellimus",
        "Where is the Empire State Building?",
        "Hello world program",
        "Спасибо, а курс доллара?",
        "",
        "👍",
        "asdf",
        "terevisioon",
        "ok",
        "ja",
        "ok ja väga",
        "see oli kõik",
        "это всё",
        "aitäh ja mis ilm on homme",
    ],
)
def test_anything_beyond_small_talk_is_left_to_the_next_layer(message):
    trace = Trace()
    assert answer(message, trace) is None
    assert not trace.hops[0].answered


def test_every_language_has_every_text_and_phrases_for_it():
    assert REPLIES.keys() == PHRASES.keys() == {"et", "en", "ru"}
    for language, replies in REPLIES.items():
        assert replies.small_talk.keys() == PHRASES[language].keys() == set(SmallTalk)
        assert replies.out_of_scope
