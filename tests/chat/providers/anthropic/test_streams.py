"""Streams: the same reply as in one piece, and never half a one."""

import json
from typing import Any

import pytest

from chat.engine import (
    ErrorKind,
    ModelError,
    ModelReply,
    Task,
    TextDelta,
    execute,
)
from chat.providers.anthropic.stream import Assembler
from chat.providers.server_search import ServerSearch
from tests.chat.providers.anthropic.wire import ask, read_file, streamed, talking
from tests.fakes.model_server import Reply, call, page, say
from tests.fakes.model_server.replies import cited, hit, redacted, search, thinking

URL = "https://alpha.example.org/p"
FULL = say(
    thinking("Hm."),
    redacted(),
    "The tide ",
    *search("tides", hit(URL)),
    cited("is 4 m", URL),
    call("read_file", path='"é\\'),
    call("read_file"),
    container={"id": "container_1", "expires_at": "2027-01-01T00:00:00Z"},
)
TOOLS: Any = {"tools": (read_file(),)}


def failed(*script: Reply) -> ModelError:
    with talking(script) as (model, _), pytest.raises(ModelError) as raised:
        list(model.stream(ask(**TOOLS)))
    return raised.value


@pytest.mark.row("A10")
@pytest.mark.parametrize("piece", [1, 3, 1000])
def test_a_streamed_reply_is_the_same_as_one_in_one_piece(piece: int) -> None:
    with talking([FULL], search=ServerSearch()) as (model, _):
        whole = model.complete(ask(**TOOLS))
    with talking([FULL.streamed(piece=piece)], search=ServerSearch()) as (model, _):
        text, reply = streamed(model, ask(**TOOLS))
    assert text == whole.text == "The tide is 4 m"
    # An absent list of citations may come as an empty one.
    assert _plain(reply) == _plain(whole)


def _plain(reply: ModelReply) -> tuple[Any, ...]:
    content = [
        {key: value for key, value in block.items() if value != []}
        for block in reply.raw["content"]
    ]
    container = reply.raw["container"]
    return reply.text, reply.calls, reply.citations, reply.usage, content, container


@pytest.mark.row("A7")
def test_a_container_is_seen_where_a_stream_names_it() -> None:
    with talking([FULL.streamed()], search=ServerSearch()) as (model, _):
        _, reply = streamed(model, ask(**TOOLS))
    assert reply.raw["container"]["id"] == "container_1"


def test_counts_of_a_stream_replace_each_other() -> None:
    assembler = Assembler()
    start = {"usage": {"input_tokens": 2679, "output_tokens": 1}}
    assembler.take({"type": "message_start", "message": start})
    for tokens in (50, 118):
        usage = {"input_tokens": 2679, "output_tokens": tokens, "speed": None}
        assembler.take({"type": "message_delta", "delta": {}, "usage": usage})
    assembler.take({"type": "message_stop"})
    assert assembler.message()["usage"] == {"input_tokens": 2679, "output_tokens": 118}


def test_inputs_are_kept_apart_by_their_index() -> None:
    assembler = Assembler()
    block: Any = {"type": "tool_use", "id": "t", "name": "read_file", "input": {}}
    for index in (0, 1):
        start = {"type": "content_block_start", "index": index, "content_block": block}
        assembler.take(start)
    for index, part in [(0, '{"path":'), (1, '{"path": "b"'), (0, ' "a"}'), (1, "}")]:
        delta = {"type": "input_json_delta", "partial_json": part}
        assembler.take({"type": "content_block_delta", "index": index, "delta": delta})
    assembler.take({"type": "message_stop"})
    inputs = [each["input"] for each in assembler.message()["content"]]
    assert inputs == [{"path": "a"}, {"path": "b"}]


def test_events_that_nobody_knows_are_passed_over() -> None:
    assembler = Assembler()
    for event in ({"type": "weather"}, {"type": "ping"}, None, ["message_stop"]):
        assert assembler.take(event) == ""


@pytest.mark.parametrize("cut", range(1, 14))
def test_a_stream_that_breaks_off_is_no_answer(cut: int) -> None:
    reply = say("word " * 4, "more " * 4)
    for end in ("cut_after", "end_after"):
        error = failed(reply.streamed(piece=8, **{end: cut}))
        assert error.kind is ErrorKind.UNAVAILABLE


def test_an_error_within_a_stream_is_no_answer_and_asked_again() -> None:
    broken = say("word " * 9).streamed(piece=8, error_after=4)
    with talking([broken, say("Done.")], stream=True) as (model, _):
        result = execute(model, Task("x"))
    assert result.output == "Done."
    assert result.report.counters.retries == 1


def test_a_page_in_place_of_a_stream_is_an_error_that_says_so() -> None:
    error = failed(page("<html><title>Sign in</title></html>"))
    assert error.kind is ErrorKind.UNAVAILABLE
    assert "'Sign in'" in error.message


@pytest.mark.parametrize(
    "event",
    [
        {"type": "content_block_delta", "index": 7, "delta": {"type": "text_delta"}},
        {"type": "content_block_start", "index": 0},
        {"type": "message_start", "message": None},
        {"type": "message_delta", "delta": None},
    ],
    ids=json.dumps,
)
def test_an_event_that_cannot_be_read_is_an_error(event: Any) -> None:
    with pytest.raises(ModelError) as raised:
        Assembler().take(event)
    assert raised.value.kind is ErrorKind.UNAVAILABLE


def test_a_stream_comes_over_a_real_socket_with_pings_and_silences() -> None:
    reply = say("word " * 9).streamed(piece=4, delay_s=0.001, ping=True)
    with talking([reply], socket=True) as (model, _):
        text, whole = streamed(model, ask())
    assert text == whole.text == "word " * 9


def test_a_stream_can_be_left_at_any_moment() -> None:
    with talking([say("word " * 9)], socket=True) as (model, _):
        pieces = model.stream(ask())
        assert next(pieces) == TextDelta("word word word w")
        pieces.close()  # type: ignore[attr-defined]
