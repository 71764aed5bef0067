"""Rows 18, 19 and 22 to 28: each call is run once and has one result, next to it."""

from itertools import pairwise
from threading import Event as Flag
from typing import Any

import pytest

from chat.engine import (
    Limits,
    ModelReplied,
    StopReason,
    Tool,
    ToolAnswered,
    ToolCalled,
    ToolResult,
)
from tests.chat.providers.public_bugs.playing import (
    PATH,
    SEARCH,
    URL,
    Played,
    journaled,
    kinds,
    noting,
    play,
    reader,
)
from tests.chat.providers.public_bugs.streaming import delta, start, stop, stream
from tests.fakes.model_server import Reply, call, say
from tests.fakes.model_server.replies import cited, hit, search

BOTH = pytest.mark.parametrize("streams", [False, True])


def results(message: Any) -> list[Any]:
    return [block for block in message["content"] if block["type"] == "tool_result"]


def inputs(played: Played, request: int) -> list[Any]:
    """The inputs of all calls in a request, as they are sent back."""
    return [
        block["input"]
        for message in played.sent(request)
        for block in message["content"]
        if block["type"] == "tool_use"
    ]


@BOTH
@pytest.mark.row("A11")
def test_bug_18_every_call_of_a_turn_is_answered(streams: bool) -> None:
    """instructor#2485: only the last of several tool_use had a result."""
    calls = [call("read_file", path=name) for name in "abc"]
    read: list[str] = []
    played = play([say(*calls), say("Done.")], noting(read), stream=streams)
    answers = results(played.sent(1)[-1])
    assert [each["tool_use_id"] for each in answers] == [each["id"] for each in calls]
    assert [each["content"] for each in answers] == [f"text of {n}" for n in "abc"]
    assert sorted(read) == ["a", "b", "c"]
    assert played.roles(1) == ["user", "assistant", "user"]


def _cut_in_its_input() -> Reply:
    """A stream that ends at max_tokens within the input of its call."""
    block = {"type": "tool_use", "id": "toolu_cut", "name": "read_file", "input": {}}
    part = '{"path": "a", "tex'
    frames = (start(0, block), delta(0, "input_json_delta", partial_json=part), stop(0))
    return stream(*frames, reason="max_tokens")


@pytest.mark.parametrize("cut", [False, True], ids=["whole", "streamed"])
def test_bug_19_a_call_cut_at_max_tokens_is_not_run(cut: bool) -> None:
    """humux#77: its input was taken for {} and run, thirty rounds long."""
    read: list[str] = []
    first = (
        _cut_in_its_input()
        if cut
        else say(call("read_file", path="a"), stop="max_tokens")
    )
    played = play([first, say("Done.")], noting(read), stream=cut)
    assert (played.result.output, read) == ("Done.", [])
    [answer] = results(played.sent(1)[-1])
    assert answer["is_error"] is True
    assert "cut" in answer["content"]


def test_bug_19_calls_that_are_cut_every_time_end_the_run() -> None:
    """humux#77: run, error, again."""

    def answer(request: Any) -> Reply:
        if request.body.get("tool_choice", {}).get("type") == "none":
            return say("It was always cut.")
        return say(call("read_file"), stop="max_tokens")

    played = play(answer, reader(), limits=Limits(error_rounds=3))
    assert played.result.stop is StopReason.TOOLS_UNAVAILABLE
    assert played.result.output == "It was always cut."
    assert len(played.bodies) == 4


@pytest.mark.row("A2")
def test_bug_22_an_own_tool_gives_way_to_the_servers_of_the_same_name() -> None:
    """LibreChat#13162, incidentfox#349, claude-code#10687: names must be unique."""
    own = reader(name="web_search")
    script = [say(*search("tides", hit(URL)), cited("4 m", URL))]
    played = play(script, own, reader(), search=SEARCH)
    assert played.result.output == "4 m"
    names = [tool["name"] for tool in played.bodies[0]["tools"]]
    assert names.count("web_search") == 1
    assert played.replies[0].notices == ("tool_removed_web_search",)


def _long_run(rounds: int) -> Played:
    turns = [
        say("Next. ", call("read_file", path=f"{n}a"), call("read_file", path=f"{n}b"))
        for n in range(rounds)
    ]
    limits = Limits(window=6_000, iterations=rounds + 1)
    return play([*turns, say("Done.")], reader("line\n" * 600), limits=limits)


def test_bug_23_what_is_trimmed_never_parts_a_call_from_its_result() -> None:
    """EchoBird#106, docker-agent#2906, chatbot-ui#1656: a result came first."""
    played = _long_run(8)
    assert played.result.output == "Done."
    assert played.result.report.counters.folds > 0
    for number in range(len(played.bodies)):
        first, *others = played.sent(number)
        assert (first["role"], kinds(first)[0]) == ("user", "text")
        for before, after in pairwise(others):
            called = [b["id"] for b in before["content"] if b["type"] == "tool_use"]
            answered = [each["tool_use_id"] for each in results(after)]
            assert called == answered or before["role"] == "user"


def test_bug_24_a_run_cut_between_call_and_result_goes_on_with_both() -> None:
    """claude-code#13460, #18947, studio#1803: the same after an interrupted run."""
    read: list[str] = []
    turn = say(call("read_file", path="a"), call("read_file", path="b"))
    whole = play([turn, say("Never heard.")], noting([]))
    starts = [n for n, each in enumerate(whole.events) if isinstance(each, ToolCalled)]
    # The process dies when the second call has begun and neither is answered.
    history = journaled(whole.events[: starts[1] + 1])
    played = play([say("Done.")], noting(read), history=history)
    assert played.result.output == "Done."
    assert kinds(played.sent(0)[-1]) == ["tool_result", "tool_result"]
    assert all(each["is_error"] for each in results(played.sent(0)[-1]))
    assert read == []


def test_bug_24_after_compaction_a_resumed_run_is_accepted_too() -> None:
    """claude-code#18947: a compacted history was resumed in the middle of a pair."""
    whole = _long_run(8)
    replied = [n for n, e in enumerate(whole.events) if isinstance(e, ModelReplied)]
    history = journaled(whole.events[: replied[6] + 1])
    script = [say(call("read_file", path="7a")), say("Done.")]
    limits = Limits(window=6_000)
    resumed = play(script, reader("line\n" * 600), limits=limits, history=history)
    assert resumed.result.output == "Done."
    assert resumed.roles(0)[0] == "user"


@pytest.mark.parametrize("written", ['{"path": "a"}', '{"path": "a'])
def test_bug_26_an_input_that_is_a_text_does_not_go_back_as_one(written: str) -> None:
    """claude-code#6696, sdk-typescript#648: Input should be a valid dictionary."""
    read: list[str] = []
    broken = {**call("read_file"), "input": written}
    script = [say(broken), say(call("read_file", path="b")), say("Done.")]
    played = play(script, noting(read), stream=False)
    assert played.result.output == "Done."
    whole = written.endswith("}")
    assert read == (["a", "b"] if whole else ["b"])
    assert inputs(played, 2) == [{"path": "a"} if whole else {}, {"path": "b"}]


def test_bug_27_a_retried_reply_is_not_appended_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """claude-code#20901, #28515, litellm#23510: tool_use ids must be unique."""
    monkeypatch.setattr("chat.engine.model_turn.FIRST_BACKOFF_S", 0.001)
    asked = say("Reading. ", call("read_file", id="toolu_same", path="a"))
    read: list[str] = []
    played = play([asked.streamed(error_after=8), asked, say("Done.")], noting(read))
    assert played.result.output == "Done."
    assert (read, inputs(played, 2)) == (["a"], [{"path": "a"}])


def test_bug_27_a_resumed_run_has_its_call_once() -> None:
    """claude-code#20901: a resume appended the turn again."""
    script = [say(call("read_file", path="a")), say("Never heard.")]
    whole = play(script, reader())
    answered = [
        n for n, each in enumerate(whole.events) if isinstance(each, ToolAnswered)
    ]
    for upto in (answered[0], answered[0] + 1):
        history = journaled(whole.events[:upto])
        played = play([say("Done.")], reader(), history=history)
        assert inputs(played, 0) == [{"path": "a"}]


def test_bug_27_an_id_that_a_server_gives_twice_is_made_another() -> None:
    """litellm#23510: gateways number the calls of each reply anew."""
    same = [say(call("read_file", id="toolu_0", path=name)) for name in "ab"]
    played = play([*same, say("Done.")], reader())
    assert played.result.output == "Done."
    assert inputs(played, 2) == [{"path": "a"}, {"path": "b"}]


def test_bug_28_a_call_that_ends_late_has_one_result() -> None:
    """qwen-code#8160, PR#8163: cancelled, then finished as well."""
    go_on, late = Flag(), Flag()

    def slow(arguments: dict[str, Any]) -> ToolResult:
        if arguments["path"] == "slow":
            go_on.wait(30)
            late.set()
            return ToolResult("late")
        go_on.set()
        late.wait(30)
        return ToolResult("in time")

    tool = Tool("read_file", "Reads a file.", PATH, slow)
    first = say(call("read_file", id="toolu_slow", path="slow"))
    script = [first, say(call("read_file", path="quick")), say("Done.")]
    limits = Limits(tool_timeout_s=0.2)
    played = play(script, tool, limits=limits)
    assert played.result.output == "Done."
    answers = [each for message in played.sent(2) for each in results(message)]
    assert [each["tool_use_id"] == "toolu_slow" for each in answers] == [True, False]
    assert [each["content"] for each in answers][1] == "in time"
    assert "late" not in str(played.sent(2))
