"""Rows 1 to 4, 8, 9 and 12: turns that others ended, or went on with, wrongly."""

from datetime import timedelta
from typing import Any

import pytest

from chat.engine import Limits, Message, ReplyStop, RunFinished, StopReason, Task
from chat.providers.server_search import ServerSearch
from tests.chat.providers.public_bugs.playing import (
    SEARCH,
    URL,
    cited_text,
    kinds,
    play,
    reader,
    remembered,
    texts,
)
from tests.fakes.model_server import Clock, Reply, call, say
from tests.fakes.model_server.replies import cited, found, hit, open_search, search

BOTH = pytest.mark.parametrize("stream", [False, True])
NEWER = "web_search_20260209"
CODE = "code_execution_20260120"


@BOTH
@pytest.mark.row("A4")
def test_bug_01_a_pause_is_no_final_answer(stream: bool) -> None:
    """anthropic-sdk-python#1170: the runner left its loop on pause_turn."""
    script = [
        say(*search("tides", hit(URL)), stop="pause_turn"),
        say("The tide is ", cited("4 m", URL), "."),
    ]
    played = play(script, search=SEARCH, stream=stream)
    assert played.result.output == "The tide is 4 m."
    assert cited_text(played.result) == [("4 m", URL)]
    assert played.roles(1) == ["user", "assistant"]
    assert kinds(played.sent(1)[1]) == ["server_tool_use", "web_search_tool_result"]


@BOTH
@pytest.mark.row("A4")
def test_bug_02_an_open_search_goes_on_without_a_word_of_the_users(
    stream: bool,
) -> None:
    """anthropic-sdk-python#1339, #961: "continue" beside it is refused as unpaired."""
    asked = open_search("tides")
    script = [
        say("Let me see. ", asked, stop="pause_turn"),
        say(found(asked, hit(URL)), cited("4 m", URL)),
    ]
    played = play(script, search=SEARCH, stream=stream)
    assert played.roles(1) == ["user", "assistant"]
    assert played.sent(1)[1]["content"][-1] == asked
    assert played.result.output == "Let me see. 4 m"
    assert cited_text(played.result) == [("4 m", URL)]


@pytest.mark.row("A4")
def test_bug_03_pauses_without_end_have_one() -> None:
    """anthropic-sdk-python#1224, #1237: ten searches a pause, again and again."""

    # Twelve are more than enough for a loop that would not end.
    pauses = iter(range(12))

    def answer(request: Any) -> Reply | None:
        if not any("type" in tool for tool in request.body.get("tools", ())):
            return say("What I have.")
        if next(pauses, None) is None:
            return None
        found = [block for n in range(10) for block in search(str(n), hit(URL))]
        return say(*found, stop="pause_turn")

    newer = ServerSearch(version=NEWER, max_uses=20, dynamic_filtering=True)
    played = play(answer, search=newer, limits=Limits(pauses=4))
    assert played.result.stop is StopReason.PAUSE_LIMIT
    assert played.result.output == "What I have."
    assert played.result.report.counters.searches == 50
    # The turn, four times on, and a last one in which nothing is searched.
    assert len(played.bodies) == 6


def _program(expires_in: timedelta) -> tuple[dict[str, Any], Reply]:
    run_code = {
        "type": "server_tool_use",
        "id": "srvtoolu_code",
        "name": "code_execution",
        "input": {"code": "x = await read_file({'path': 'a'})"},
    }
    caller = {"type": CODE, "tool_id": run_code["id"]}
    called = {**call("read_file", path="a"), "caller": caller}
    end = (Clock()() + expires_in).isoformat()
    container = {"id": "container_C", "expires_at": end, "skills": None}
    return run_code, say(run_code, called, container=container)


@BOTH
@pytest.mark.row("A7")
def test_bug_04_the_container_of_a_program_comes_back_with_its_result(
    stream: bool,
) -> None:
    """anthropic-sdk-python#1801, #1865, defog#270, inspect_ai PR#4603,
    sdk-typescript#1114, #964: not forwarded, or not seen in a stream."""
    run_code, first = _program(timedelta(minutes=5))
    output = {"type": "code_execution_result", "stdout": "1", "stderr": ""}
    done = {
        "type": "code_execution_tool_result",
        "tool_use_id": run_code["id"],
        "content": {**output, "return_code": 0, "content": []},
    }
    filtering = ServerSearch(
        version=NEWER,
        dynamic_filtering=True,
        code_execution=CODE,
        code_tools=["read_file"],
    )
    read = call("read_file", path="b")
    script = [first, say(done, "One. ", read), say("Two.")]
    played = play(script, reader(), search=filtering, stream=stream)
    assert played.result.output == "Two."
    assert [body.get("container") for body in played.bodies] == [
        None,
        "container_C",
        "container_C",
    ]
    assert kinds(played.sent(1)[-1]) == ["tool_result"]


@BOTH
@pytest.mark.row("A4")
def test_bug_08_beside_an_open_search_nothing_but_results_is_sent(
    stream: bool,
) -> None:
    """anthropic-sdk-python#1325, sdk-typescript#1090, vellum-assistant#40137, #42901,
    #40145: text beside the results cancels the search."""
    asked = open_search("tides")
    script = [
        say(asked, call("read_file", path="a")),
        say(found(asked, hit(URL)), cited("4 m", URL)),
    ]
    played = play(script, reader(), search=SEARCH, stream=stream)
    assert played.result.output == "4 m"
    assert cited_text(played.result) == [("4 m", URL)]
    assert kinds(played.sent(1)[1]) == ["server_tool_use", "tool_use"]
    assert kinds(played.sent(1)[2]) == ["tool_result"]
    assert played.result.report.counters.server_calls == 1


@BOTH
def test_bug_08_a_word_of_the_loops_own_waits_for_the_open_search(
    stream: bool,
) -> None:
    """vellum-assistant#42901: the reminder that it added cancelled the search."""
    asked = [open_search(str(n)) for n in range(2)]
    due = [[], *([found(each, hit(URL))] for each in asked)]
    # Again and again the same call, of which the loop speaks.
    turns = [
        say(*due[n], each, call("read_file", path="a")) for n, each in enumerate(asked)
    ]
    script = [*turns, say(*due[-1], call("read_file", path="b")), say("4 m")]
    played = play(script, reader(), search=SEARCH, stream=stream)
    assert played.result.output == "4 m"
    assert played.result.report.counters.nudges == 1
    # It is said where nothing is open any more, behind the results.
    assert kinds(played.sent(2)[-1]) == ["tool_result"]
    assert kinds(played.sent(3)[-1]) == ["tool_result", "text"]


def test_bug_08_where_words_must_be_said_the_open_search_is_left_out() -> None:
    """anthropic-sdk-python#1325: the 400 came whenever a text stood beside it."""
    script = [say(open_search("tides"), call("read_file", path="a")), say("So.")]
    played = play(script, reader(), search=SEARCH, limits=Limits(iterations=1))
    assert played.result.output == "So."
    assert kinds(played.sent(1)[1]) == ["tool_use"]
    assert kinds(played.sent(1)[2]) == ["tool_result", "text"]


@BOTH
@pytest.mark.row("A4")
def test_bug_09_a_pause_is_not_mapped_to_the_end_of_a_turn(stream: bool) -> None:
    """anthropic-sdk-csharp#230: pause_turn became Stop."""
    paused = say("One, ", *search("tides", hit(URL)), stop="pause_turn")
    played = play([paused, say("two.")], search=SEARCH, stream=stream)
    stops = [each.stop for each in played.replies]
    assert stops == [ReplyStop.PAUSE, ReplyStop.END_TURN]
    ends = [each for each in played.events if isinstance(each, RunFinished)]
    assert [each.result.output for each in ends] == ["One, two."]
    assert played.result.report.counters.pauses == 1


@pytest.mark.row("A4")
def test_bug_12_a_turn_that_was_left_in_a_pause_does_not_spoil_those_after_it() -> None:
    """gsd-2#2869: the open call was refused in every later turn."""
    left = play(
        [say("Let me see. ", open_search("tides"), stop="pause_turn"), say("Ended.")],
        search=SEARCH,
        limits=Limits(pauses=0),
    )
    earlier = remembered(left, "first")[:2]
    task = Task("second", messages=earlier)
    script = [say("A. ", call("read_file", path="a")), say("B.")]
    played = play(script, reader(), task=task, search=SEARCH)
    assert played.result.output == "B."
    assert texts(played.sent(1)[1]) == ["Let me see. "]
    assert kinds(played.sent(1)[1]) == ["text"]

    later = (*earlier, Message.user("second"), remembered(played, "")[-1])
    third = play([say("C.")], task=Task("third", messages=later), search=SEARCH)
    assert third.roles(0) == ["user", "assistant"] * 2 + ["user"]
