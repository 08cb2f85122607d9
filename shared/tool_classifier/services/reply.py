"""A service's body -> the content and buttons that the user sees."""

import json
import math
import re

from tool_classifier.errors import ServiceReplyError
from tool_classifier.models import Button, ServiceReply
from tool_classifier.text.normalise import normalise

# Control characters other than line ends and tabs steer the terminal that shows them; a lone surrogate could not be
# encoded when the answer is sent on.
_UNSENDABLE = re.compile("[\0-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")
_NAMES = {dict: "an object", list: "a list", str: "a string", bool: "a boolean", type(None): "null"}


def parse_reply(body: bytes) -> ServiceReply:
    """Reads `[{"content", "buttons"?}]`, or the same inside `{"response": ...}`; later items are ignored.

    `content` is a text or a number. `buttons` is a list of `{title, payload}`, or a JSON text of one; a button without
    both is left out. Raises ServiceReplyError naming what is wrong, without quoting the body.
    """
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise _unusable(f"not JSON ({type(error).__name__})") from error
    if isinstance(answer, dict) and "response" in answer:
        answer = answer["response"]
    if not isinstance(answer, list):
        raise _unusable(f"{_name(answer)}, not a list")
    if not answer:
        raise _unusable("an empty list")
    first = answer[0]
    if not isinstance(first, dict):
        raise _unusable(f"a list of {_name(first)}, not of objects")
    if "content" not in first:
        raise _unusable("an item without content")
    content = _text(first["content"])
    if content is None:
        raise _unusable(f"an item without text in its content ({_name(first['content'])})")
    return ServiceReply(content=content, buttons=_buttons(first.get("buttons")))


def _buttons(value: object) -> tuple[Button, ...]:
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return ()
    if not isinstance(value, list):
        return ()
    pairs = [(_text(item.get("title")), _text(item.get("payload"))) for item in value if isinstance(item, dict)]
    return tuple(Button(title=title, payload=payload) for title, payload in pairs if title and payload)


def _text(value: object) -> str | None:
    """The text of a string or finite number; None for anything else and for a text that shows nothing."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    if isinstance(value, float) and not math.isfinite(value):
        return None
    text = _UNSENDABLE.sub("", str(value))
    return text if any(map(normalise, text.split())) else None  # by word: normalise caps the text it is given


def _name(value: object) -> str:
    return _NAMES.get(type(value), "a number")


def _unusable(what: str) -> ServiceReplyError:
    return ServiceReplyError(
        f"the service answered with {what}", hint='The service has to return [{"content": "...", "buttons": []}].'
    )
