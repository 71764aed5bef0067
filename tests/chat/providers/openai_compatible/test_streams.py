"""Streams: the same reading of the same reply, in whatever pieces it comes."""

import json
from itertools import pairwise
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chat.engine import ErrorKind, ModelReply, ReplyStop, TextDelta
from tests.chat.providers.openai_compatible.endpoint import (
    USAGE,
    ask,
    delta,
    events,
    failure_of,
    model_at,
    said,
    streaming,
    whole_of,
)


def streamed(*frames: Any, **options: Any) -> ModelReply:
    model, _ = model_at(streaming(*frames, **options))
    return whole_of(model.stream(ask()))


def piece(index: int | None = 0, **parts: Any) -> dict[str, Any]:
    """A piece of a call: id, name and arguments where they are given."""
    function = {name: parts[name] for name in ("name", "arguments") if name in parts}
    call: dict[str, Any] = {"function": function} if function else {}
    call |= {"id": parts["id"]} if "id" in parts else {}
    return delta(tool_calls=[call if index is None else {"index": index, **call}])


def test_text_comes_in_pieces_and_then_the_reply() -> None:
    model, _ = model_at(streaming(delta(content="Hel"), delta("stop", content="lo")))
    *texts, reply = model.stream(ask())
    assert texts == [TextDelta("Hel"), TextDelta("lo")]
    assert isinstance(reply, ModelReply)
    assert (reply.text, reply.stop) == ("Hello", ReplyStop.END_TURN)


def test_usage_comes_in_a_frame_without_a_choice() -> None:
    usage = {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 3}}
    counted = streamed(delta("stop", content="x"), usage).usage
    assert counted is not None
    assert (counted.input_tokens, counted.output_tokens) == (7, 3)


def test_usage_is_asked_for_where_a_server_wants_that() -> None:
    model, endpoint = model_at(
        streaming(delta("stop", content="x")), preset="vllm", base_url=None
    )
    whole_of(model.stream(ask()))
    assert endpoint.bodies[0]["stream_options"] == {"include_usage": True}


def test_comments_event_names_and_empty_frames_are_skipped() -> None:
    reply = streamed(
        ": OPENROUTER PROCESSING", "event: message", {}, delta("stop", content="x")
    )
    assert reply.text == "x"


def test_pieces_of_calls_are_kept_apart_by_their_index() -> None:
    reply = streamed(
        piece(0, id="c0", name="read", arguments='{"path"'),
        piece(1, id="c1", name="find", arguments='{"path":'),
        piece(0, arguments=':"a"}'),
        piece(1, arguments='"b"}'),
        delta("tool_calls"),
    )
    assert reply.stop is ReplyStop.TOOL_USE
    assert [(c.id, c.name, c.arguments) for c in reply.calls] == [
        ("c0", "read", {"path": "a"}),
        ("c1", "find", {"path": "b"}),
    ]


def test_an_id_and_a_name_may_come_late_and_be_repeated() -> None:
    reply = streamed(
        piece(0, arguments="{"),
        piece(0, name="read"),
        piece(0, id="c0", name="read", arguments="}"),
        delta("tool_calls"),
    )
    assert [(c.id, c.name, c.arguments) for c in reply.calls] == [("c0", "read", {})]


@pytest.mark.parametrize("index", [0, None])
def test_calls_without_indexes_of_their_own_are_told_apart_by_ids(
    index: int | None,
) -> None:
    reply = streamed(
        piece(index, id="a", name="read", arguments="{}"),
        piece(index, id="b", name="read", arguments='{"path":"b"}'),
        delta("tool_calls"),
    )
    assert [call.id for call in reply.calls] == ["a", "b"]


def test_calls_stand_in_the_order_of_their_indexes() -> None:
    reply = streamed(
        piece(1, id="b", name="read", arguments="{}"),
        piece(0, id="a", name="read", arguments="{}"),
        delta("tool_calls"),
    )
    assert [call.id for call in reply.calls] == ["a", "b"]


@pytest.mark.parametrize("names", [("read_", "file"), ("read_", "read_file")])
def test_a_name_may_come_in_pieces(names: tuple[str, str]) -> None:
    first, second = names
    reply = streamed(
        piece(0, id="a", name=first), piece(0, name=second), delta("tool_calls")
    )
    assert reply.calls[0].name == "read_file"


def test_an_id_that_changes_without_a_name_is_the_same_call() -> None:
    reply = streamed(
        piece(0, id="a", name="read", arguments="{"),
        piece(0, id="made-up", arguments="}"),
        delta("tool_calls"),
    )
    assert [(call.id, call.arguments) for call in reply.calls] == [("a", {})]


def test_halves_of_a_character_are_joined() -> None:
    frames = (
        'data: {"choices":[{"delta":{"content":"a\\ud83d"}}]}',
        'data: {"choices":[{"delta":{"content":"\\ude00"},"finish_reason":"stop"}]}',
    )
    assert streamed(*frames).text == "a\U0001f600"


def test_another_choice_is_not_mixed_in() -> None:
    other = {"choices": [{"index": 1, "delta": {"content": "no"}}]}
    assert streamed(other, delta("stop", content="yes")).text == "yes"


def test_a_server_that_answers_whole_is_heard_too() -> None:
    model, _ = model_at(said("Hello."))
    assert whole_of(model.stream(ask())).text == "Hello."


@pytest.mark.parametrize(
    "answer",
    [
        streaming(),
        streaming(delta(content="Half"), done=False),
        streaming(delta(content="Half")),
        streaming(delta("stop", content="Half"), done=False),
        streaming(pieces=[b'data: {"choices"']),
        streaming(pieces=[b"data: nonsense\n\n"]),
        streaming(done=False, error=httpx.RemoteProtocolError("peer")),
        streaming(done=False, error=httpx.ReadError("reset")),
    ],
)
def test_a_stream_that_breaks_off_is_no_answer(answer: httpx.Response) -> None:
    model, _ = model_at(answer)
    assert failure_of(model, stream=True).kind is ErrorKind.UNAVAILABLE


TOO_LATE = httpx.ReadTimeout("")


def test_a_stream_that_is_silent_for_too_long_is_a_timeout() -> None:
    model, _ = model_at(streaming(delta(content="x"), done=False, error=TOO_LATE))
    assert failure_of(model, stream=True).kind is ErrorKind.TIMEOUT


@pytest.mark.row("A9")
@pytest.mark.parametrize(
    "frame",
    [
        {"error": {"code": 502, "message": "Upstream is gone"}, "choices": []},
        {"choices": [{"error": {"code": 502, "message": "Upstream is gone"}}]},
        {"object": "error", "message": "Upstream is gone", "code": 502},
        'error: {"code": 502, "message": "Upstream is gone"}',
    ],
)
def test_an_error_inside_a_stream_is_a_failure(frame: Any) -> None:
    model, _ = model_at(streaming(delta(content="Half an ans"), frame))
    failure = failure_of(model, stream=True)
    assert failure.kind is ErrorKind.UNAVAILABLE
    assert "Upstream is gone" in failure.message


def test_the_finish_reason_error_is_a_failure() -> None:
    model, _ = model_at(streaming(delta(content="Half"), delta("error")))
    assert failure_of(model, stream=True).kind is ErrorKind.UNAVAILABLE


def test_lines_may_end_in_any_way() -> None:
    body = events(delta(content="a"), delta("stop", content="b"))
    for end in (b"\n", b"\r\n", b"\r"):
        reply = streamed(pieces=[body.replace(b"\n", end)])
        assert reply.text == "ab"


def test_the_last_line_need_not_be_ended() -> None:
    body = events(delta("stop", content="a")).rstrip()
    assert streamed(pieces=[body]).text == "a"


FRAMES = (
    ": OPENROUTER PROCESSING",
    delta(content="Größe "),
    delta(content="\U0001f600 und\nmehr", annotations=None),
    piece(0, id="c0", name="read", arguments='{"pa'),
    piece(1, id="c1", name="read", arguments="{}"),
    piece(0, arguments='th":"ä"}'),
    delta(content="", annotations=[{"type": "url_citation", "url": "https://a.test"}]),
    delta(reasoning_details=[{"type": "reasoning.text", "index": 0, "text": "Hm"}]),
    delta(reasoning_details=[{"type": "reasoning.text", "index": 0, "text": "m."}]),
    delta("tool_calls"),
    {"choices": [], "usage": USAGE},
)
BODY = events(*FRAMES)


def cut(body: bytes, places: list[int]) -> list[bytes]:
    ends = [0, *sorted({place % len(body) for place in places}), len(body)]
    return [body[start:end] for start, end in pairwise(ends)]


@settings(deadline=None)
@given(
    st.lists(st.integers(0, len(BODY)), max_size=40),
    st.sampled_from([b"\n", b"\r\n", b"\r"]),
)
def test_any_pieces_give_the_reply_of_the_whole(places: list[int], end: bytes) -> None:
    body = BODY.replace(b"\n", end)
    assert streamed(pieces=cut(body, places)) == streamed(*FRAMES)


@settings(deadline=None)
@given(st.integers(0, len(BODY) - 3))
def test_a_stream_cut_at_any_place_is_no_answer(place: int) -> None:
    done = BODY.index(b"data: [DONE]") + len(b"data: [DONE]")
    model, _ = model_at(streaming(pieces=[BODY[: min(place, done - 1)]]))
    assert failure_of(model, stream=True).kind is ErrorKind.UNAVAILABLE


def test_streamed_and_whole_replies_are_the_same() -> None:
    arguments = json.dumps({"path": "a"})
    call = {"id": "c0", "type": "function"}
    function = {"name": "read", "arguments": arguments}
    whole, _ = model_at(
        said("Text", finish="tool_calls", tool_calls=[{**call, "function": function}])
    )
    stream = streamed(
        delta(role="assistant", content="Te"),
        delta(content="xt"),
        piece(0, id="c0", name="read", arguments=arguments[:5]),
        piece(0, arguments=arguments[5:]),
        delta("tool_calls"),
        {"choices": [], "usage": USAGE},
    )
    assert whole.complete(ask()) == stream
