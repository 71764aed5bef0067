"""Dialogues of every shape: no request is refused, and every run has its end.

The shapes that are rare by chance are there as examples; at the end it is checked that
everything was said at least once, whole and in pieces.
"""

from collections import Counter

import pytest
from hypothesis import HealthCheck, event, example, given, settings
from hypothesis import strategies as st

from chat.engine import Limits, StopReason, Task, execute, model_turn
from chat.providers.server_search import ServerSearch
from tests.chat.providers.anthropic.speaker import (
    BLOCKS,
    BREAKS,
    ENDS,
    PROGRAM,
    RARE,
    Said,
    Speaker,
)
from tests.chat.providers.anthropic.wire import read_file, talking
from tests.fakes.model_server import Reply
from tests.fakes.model_server.values import Request

SEARCHES = {
    "none": None,
    "basic": ServerSearch(max_uses=20),
    "by code": ServerSearch(
        version="web_search_20260209",
        max_uses=20,
        dynamic_filtering=True,
        code_execution=PROGRAM,
        code_tools=["read_file"],
    ),
}
KINDS = st.lists(st.sampled_from(BLOCKS), max_size=6).map(tuple)
# The usual end is the most frequent, or nothing would become of a dialogue.
HOW = st.sampled_from(["usual"] * 6 + ["pause_turn"] * 3 + [*ENDS, *BREAKS])
TURNS = st.lists(st.builds(Said, KINDS, HOW, st.booleans()), max_size=8)
STOPS = {
    *(StopReason.COMPLETED, StopReason.TRUNCATED, StopReason.REFUSAL),
    *(StopReason.PAUSE_LIMIT, StopReason.ITERATION_LIMIT, StopReason.NO_PROGRESS),
    *(StopReason.TOOLS_UNAVAILABLE, StopReason.EMPTY_RESPONSE),
    *(StopReason.PROVIDER_UNAVAILABLE, StopReason.CONTEXT_OVERFLOW),
    StopReason.EMERGENCY_COMPACTION,
}
SEEN: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}

# The container expires between two tries.
EXPIRED = [Said(("text", "program")), Said((), "busy", later=True)]
MIXED = [
    Said(("thinking", "redacted", "text", "open search", "call"), "usual"),
    Said(("omitted", "cited", "open search"), "usual"),
    Said(("text", "search", "failed search"), "pause_turn"),
    Said(("call", "call", "unknown"), "max_tokens"),
    Said((), "busy"),
    Said((), "hang up"),
    Said(("call",)),
    *(Said((), end) for end in BREAKS),
    Said(("blank", "cited")),
]
PROGRAMS = [
    Said(("program",), "usual"),
    Said(("code", "search"), "pause_turn"),
    Said(("program",), "usual", later=True),
    Said(("code", "text"), "window"),
]
REFUSED = [Said(("text", "call"), "usual"), Said(("text",), "refusal")]


@pytest.mark.row("A4")
@pytest.mark.row("A7")
@pytest.mark.row("A11")
def test_no_dialogue_is_refused_and_each_has_its_end() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model_turn, "FIRST_BACKOFF_S", 0.0)
        dialogue()
    wanted = {*BLOCKS, *RARE, "pause_turn", "max_tokens", "refusal", "busy", "hang up"}
    wanted |= {"model_context_window_exceeded", "tool_use", "end_turn", *BREAKS}
    for seen in SEEN.values():
        assert {word for word in wanted if not seen[word]} == set()


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    turns=TURNS,
    streams=st.booleans(),
    search=st.sampled_from([*SEARCHES]),
    window=st.sampled_from([6_000, 128_000]),
    socket=st.just(False),
)
@example(MIXED, True, "basic", 128_000, True)
@example(MIXED, False, "basic", 128_000, True)
@example(PROGRAMS, True, "by code", 128_000, True)
@example(PROGRAMS, False, "by code", 128_000, True)
@example(EXPIRED, False, "by code", 128_000, True)
@example(REFUSED, True, "none", 128_000, True)
@example(REFUSED, False, "none", 128_000, True)
def dialogue(
    turns: list[Said], streams: bool, search: str, window: int, socket: bool
) -> None:
    limits = Limits(window=window, iterations=6, pauses=2)
    tools = [read_file("line\n" * 400)]
    speakers: list[Speaker] = []

    def answer(request: Request) -> Reply:
        return speakers[0](request)

    with talking(
        answer,
        stream=streams,
        search=SEARCHES[search],
        socket=socket,
    ) as (model, server):
        clock = server.messages.clock
        speakers.append(Speaker(turns, clock, streams=streams))  # type: ignore[arg-type]
        result = execute(model, Task("Look it up."), tools, limits=limits)
        # In a last turn, whose tools are others, no thinking may come back.
        server.problems[:] = [
            each for each in server.problems if "thinking {" not in each
        ]
    (speaker,) = speakers
    SEEN[streams].update(speaker.seen)
    for word, count in speaker.seen.items():
        event(f"{word}, streamed: {streams}") if count else None
    event(f"stop {result.stop}")
    assert result.stop in STOPS, result.detail
    if result.stop in (StopReason.COMPLETED, StopReason.TRUNCATED):
        assert result.output == speaker.written
        for each in result.citations:
            assert result.output[each.start : each.end].endswith(" m")
