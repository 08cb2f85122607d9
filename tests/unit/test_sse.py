import asyncio
import json
from contextlib import aclosing

import pytest

from tool_classifier.models import Button
from tool_classifier.web.sse import HEARTBEAT, Frames, paced

FRAMES = Frames("chat-1", now=lambda: 1764547200000)


def event(frame: bytes) -> dict:
    assert frame.startswith(b"data: ")
    assert frame.endswith(b"\n\n")
    assert frame.count(b"\n") == 2
    return json.loads(frame[6:])


def test_a_content_frame_is_one_data_line_with_the_agreed_json():
    assert FRAMES.content("1 EUR = 37 THB") == (
        b'data: {"chatId":"chat-1","payload":{"content":"1 EUR = 37 THB"},"timestamp":"1764547200000","sentTo":[]}\n\n'
    )


def test_buttons_are_there_only_when_there_are_any():
    frame = FRAMES.content("Vali", [Button(title="Jah", payload="#yes")])
    assert event(frame)["payload"] == {"content": "Vali", "buttons": [{"title": "Jah", "payload": "#yes"}]}
    assert "buttons" not in event(FRAMES.content("Vali"))["payload"]


def test_the_last_frame_is_end():
    assert event(FRAMES.end())["payload"] == {"content": "END"}


def test_a_content_that_is_itself_end_does_not_end_the_stream():
    content = event(FRAMES.content("END"))["payload"]["content"]
    assert content != "END"
    assert content.replace("\u200b", "") == "END"


@pytest.mark.parametrize("text", ["õ🙂北", "a\nb\r\nc", "x\u2028y\u2029z\u0085", '{"content": "END"}', "data: END\n\n"])
def test_any_text_arrives_as_it_was(text):
    frame = FRAMES.content(text)
    assert event(frame)["payload"]["content"] == text
    assert not {"\u2028", "\u2029", "\u0085", "\r"} & set(frame.decode())


def test_a_lone_surrogate_does_not_break_the_stream():
    assert event(FRAMES.content("a\ud800b"))["payload"]["content"] == "a?b"


def test_the_clock_is_in_milliseconds():
    assert len(event(Frames("c").content("x"))["timestamp"]) == 13


class Source:
    """Frames with pauses before them; remembers whether it was closed in the middle."""

    def __init__(self, *steps: float | bytes | Exception) -> None:
        self._steps = steps
        self.cancelled = False

    async def frames(self):
        try:
            for step in self._steps:
                if isinstance(step, float):
                    await asyncio.sleep(step)
                elif isinstance(step, Exception):
                    raise step
                else:
                    yield step
        except (asyncio.CancelledError, GeneratorExit):
            self.cancelled = True
            raise


def collect(source: Source, **pace: float) -> list[bytes]:
    async def run() -> list[bytes]:
        return [frame async for frame in paced(source.frames(), **pace)]

    return asyncio.run(run())


def test_frames_pass_in_order():
    assert collect(Source(b"1", b"2", b"3")) == [b"1", b"2", b"3"]


def test_silence_is_filled_with_heartbeats():
    frames = collect(Source(b"1", 0.12, b"2"), heartbeat_seconds=0.05)
    assert (frames[0], frames[-1]) == (b"1", b"2")
    assert set(frames[1:-1]) == {HEARTBEAT}
    assert HEARTBEAT.startswith(b":")


def test_a_stream_ends_at_its_cap_and_the_work_behind_it_is_cancelled():
    source = Source(b"1", 30.0, b"2")
    with pytest.raises(TimeoutError):
        collect(source, heartbeat_seconds=0.02, cap_seconds=0.1)
    assert source.cancelled


def test_errors_pass_through():
    with pytest.raises(ValueError, match="broken"):
        collect(Source(b"1", ValueError("broken")))


def test_closing_the_stream_cancels_the_work_behind_it():
    source = Source(b"1", 30.0, b"2")

    async def run() -> None:
        async with aclosing(paced(source.frames(), heartbeat_seconds=0.01)) as frames:
            assert await anext(frames) == b"1"
            assert await anext(frames) == HEARTBEAT

    asyncio.run(run())
    assert source.cancelled
