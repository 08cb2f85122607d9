"""A message as it arrived -> a Query that the rest of the package can trust."""

from collections.abc import Sequence

from tool_classifier.models import Query, Turn
from tool_classifier.text.language import detect_language
from tool_classifier.text.normalise import has_words, normalise


def read_query(
    message: str,
    *,
    default_language: str,
    chat_id: str = "",
    author_id: str = "",
    history: Sequence[Turn] = (),
) -> Query:
    """Normalises the message and finds out its language. Never raises."""
    text = normalise(message)
    return Query(
        text=text,
        language=detect_language(text, default=default_language),
        has_words=has_words(text),
        chat_id=chat_id,
        author_id=author_id,
        history=tuple(history),
    )
