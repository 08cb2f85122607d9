"""Reading a service's body."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tool_classifier.errors import ServiceReplyError
from tool_classifier.models import Button, ServiceReply
from tool_classifier.services.reply import parse_reply

YES = Button(title="Jah", payload="yes")


@pytest.mark.parametrize(
    ("body", "reply"),
    [
        ([{"content": "1 EUR = 38.5 THB"}], ServiceReply(content="1 EUR = 38.5 THB")),
        ({"response": [{"content": "õ🙂北"}]}, ServiceReply(content="õ🙂北")),
        ([{"content": "one"}, {"content": "two"}], ServiceReply(content="one")),
        ([{"content": "a\n\n* b "}], ServiceReply(content="a\n\n* b ")),
        ([{"content": 21.5}], ServiceReply(content="21.5")),
        ([{"content": 0}], ServiceReply(content="0")),
        ([{"content": "a", "buttons": None}], ServiceReply(content="a")),
        ([{"content": "a", "buttons": []}], ServiceReply(content="a")),
        (
            [{"content": "a", "buttons": [{"title": "Jah", "payload": "yes"}]}],
            ServiceReply(content="a", buttons=(YES,)),
        ),
        (
            [{"content": "a", "buttons": '[{"title": "Jah", "payload": "yes"}]'}],
            ServiceReply(content="a", buttons=(YES,)),
        ),
        ([{"content": "a", "chatId": "1", "extra": {}}], ServiceReply(content="a")),
    ],
)
def test_a_usable_body_gives_content_and_buttons(body: object, reply: ServiceReply) -> None:
    assert parse_reply(json.dumps(body).encode()) == reply


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"<html>", "not JSON"),
        (b"\xff\xfe\xfd", "not JSON"),
        (b"[" * 200_000, "not JSON"),
        (b"1" * 5_000, "not JSON"),
        (b'"tere"', "a string, not a list"),
        (b"7", "a number, not a list"),
        (b"null", "null, not a list"),
        (b"true", "a boolean, not a list"),
        (b"{}", "an object, not a list"),
        (b'{"content": "tere"}', "an object, not a list"),
        (b'{"response": {"response": [{"content": "a"}]}}', "an object, not a list"),
        (b'{"response": "tere"}', "a string, not a list"),
        (b"[]", "an empty list"),
        (b'{"response": []}', "an empty list"),
        (b'["tere"]', "a list of a string"),
        (b"[[]]", "a list of a list"),
        (b"[{}]", "without content"),
        (b'[{"content": null}]', "content (null)"),
        (b'[{"content": ""}]', "content (a string)"),
        (b'[{"content": " \\n"}]', "content (a string)"),
        (b'[{"content": "\\u0000"}]', "content (a string)"),
        (rb'[{"content": "\u200b"}]', "content (a string)"),
        (rb'[{"content": " \u2060\n\ufeff\u00ad "}]', "content (a string)"),
        (rb'[{"content": "\ufe0f\u3164"}]', "content (a string)"),
        (rb'[{"content": "\u001b\u0007\r"}]', "content (a string)"),
        (b'[{"content": true}]', "content (a boolean)"),
        (b'[{"content": NaN}]', "content (a number)"),
        (b'[{"content": 1e999}]', "content (a number)"),
        (b'[{"content": {"text": "tere"}}]', "content (an object)"),
    ],
)
def test_anything_else_is_refused_with_the_reason(body: bytes, reason: str) -> None:
    with pytest.raises(ServiceReplyError) as caught:
        parse_reply(body)
    assert reason in caught.value.message
    assert "tere" not in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize(
    "odd",
    [
        None,
        "Ei",
        7,
        [],
        {},
        {"title": "Ei"},
        {"payload": "no"},
        {"title": "", "payload": "no"},
        {"title": "\u200b", "payload": "no"},
        {"title": "Ei", "payload": "\x1b"},
        {"title": "Ei", "payload": None},
        {"title": ["Ei"], "payload": "no"},
    ],
)
def test_an_odd_button_is_left_out_and_the_others_stay(odd: object) -> None:
    body = [{"content": "a", "buttons": [odd, {"title": "Jah", "payload": "yes"}, odd]}]

    assert parse_reply(json.dumps(body).encode()).buttons == (YES,)


@pytest.mark.parametrize(
    "buttons", ["", "not json", "[" * 200_000, '"[]"', {"title": "Jah", "payload": "yes"}, 7, True]
)
def test_buttons_that_are_no_list_do_not_cost_the_answer(buttons: object) -> None:
    assert parse_reply(json.dumps([{"content": "a", "buttons": buttons}]).encode()) == ServiceReply(content="a")


def test_characters_that_could_not_be_sent_on_are_removed_and_real_pairs_are_kept() -> None:
    body = rb'[{"content": "a\ud800b\u0000c \ud83d\ude42", "buttons": [{"title": "J\udfffah", "payload": 1}]}]'

    reply = parse_reply(body)

    assert reply == ServiceReply(content="abc 🙂", buttons=(Button(title="Jah", payload="1"),))


def test_control_characters_are_removed_and_lines_and_tabs_are_kept() -> None:
    controls = "".join(map(chr, (*range(32), *range(127, 160))))
    body = [{"content": f"\x1b[31ma\r\n\tb{controls}c", "buttons": [{"title": "J\x1bah", "payload": "\x9byes\x07"}]}]

    reply = parse_reply(json.dumps(body).encode())

    assert reply == ServiceReply(content="[31ma\n\tb\t\n\x85c", buttons=(YES,))


def test_invisible_characters_and_long_blanks_beside_a_text_are_kept() -> None:
    content = "\u200b" + " " * 20_000 + "a\u00adb"

    assert parse_reply(json.dumps([{"content": content}]).encode()).content == content


def test_a_byte_order_mark_is_accepted() -> None:
    assert parse_reply(b'\xef\xbb\xbf[{"content": "a"}]').content == "a"


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.sampled_from(["response", "content", "buttons", "title"]), inner)
    ),
)


@given(JSON.map(lambda value: json.dumps(value).encode()) | st.binary())
def test_no_body_raises_anything_but_a_reply_error(body: bytes) -> None:
    try:
        reply = parse_reply(body)
    except ServiceReplyError:
        return
    assert reply.content.strip()
    reply.content.encode()
