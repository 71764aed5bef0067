"""Every call of a turn is answered, side by side, with exactly one result each."""

from dataclasses import replace
from threading import Barrier, Lock, Semaphore
from threading import Event as Flag
from typing import Any

import pytest

from chat.engine import (
    CallResult,
    Limits,
    ModelRequest,
    Reply,
    ScriptedModel,
    StopReason,
    Task,
    Tool,
    ToolAnswered,
    ToolCalled,
    ToolResult,
    execute,
    run,
)
from tests.chat.engine.toolbox import TEXT, Recorder, broken, echo, hanging, quick

pytestmark = pytest.mark.row("A11")

FILES = {"a.txt": "Anna", "b.txt": "Bert", "c.txt": "Carl"}
NUMBER = {"properties": {"n": {"type": "integer"}}}
TASK = Task("Who is named in a.txt, b.txt and c.txt?")


def reading() -> Tool:
    def read(arguments: dict[str, Any]) -> ToolResult:
        return ToolResult(FILES[arguments["text"]])

    return Tool("read", "Reads a file.", TEXT, read)


def read_so_far(request: ModelRequest) -> list[str]:
    return [each.content for message in request.messages for each in message.results]


def reader(request: ModelRequest) -> Reply:
    """Ask for all files that are not read yet, or for one where one is wanted."""
    known = read_so_far(request)
    missing = [name for name, text in FILES.items() if text not in known]
    if not missing:
        return Reply(", ".join(known))
    wanted = missing[:1] if request.disable_parallel_tool_use else missing
    return Reply(calls=[("read", {"text": name}) for name in wanted])


def results(*calls: tuple[str, Any], tools: list[Tool], **limits: Any) -> Any:
    """Return what the model reads after one turn with these calls."""
    recorder = Recorder()
    model = ScriptedModel([Reply(calls=list(calls)), Reply("Done.")])
    execute(model, TASK, tools, limits=quick(**limits), plugins=[recorder])
    _, asked, answered = recorder.requests[-1].messages
    assert [each.call_id for each in answered.results] == [c.id for c in asked.calls]
    return answered.results


@pytest.mark.parametrize("streams", [True, False])
@pytest.mark.parametrize(("one_at_a_time", "turns"), [(False, 2), (True, 4)])
def test_three_files_are_read_either_way_with_the_same_answer(
    streams: bool, one_at_a_time: bool, turns: int
) -> None:
    model = ScriptedModel(reader)
    model.profile = replace(model.profile, streams=streams)
    limits = Limits(disable_parallel_tool_use=one_at_a_time)
    result = execute(model, TASK, [reading()], limits=limits)

    assert (result.output, result.stop) == ("Anna, Bert, Carl", StopReason.COMPLETED)
    counters = result.report.counters
    assert (counters.iterations, counters.tool_calls_business) == (turns, 3)


@pytest.mark.parametrize("wanted", [True, False])
def test_the_stopgap_is_a_setting_that_every_request_carries(wanted: bool) -> None:
    recorder = Recorder()
    limits = Limits(disable_parallel_tool_use=wanted, iterations=1)
    execute(
        ScriptedModel([Reply(calls=[("read", {"text": "a.txt"})]), Reply("Anna.")]),
        TASK,
        [reading()],
        limits=limits,
        plugins=[recorder],
    )

    sent = [request.disable_parallel_tool_use for request in recorder.requests]
    assert sent == [wanted, wanted], "the closing turn too"


def test_a_provider_that_does_not_heed_the_stopgap_is_answered_all_the_same() -> None:
    answers = results(
        *[("read", {"text": name}) for name in FILES],
        tools=[reading()],
        disable_parallel_tool_use=True,
    )

    assert [each.content for each in answers] == list(FILES.values())


def test_calls_run_side_by_side_and_are_answered_in_the_order_asked() -> None:
    second_ran = Flag()

    def wait(arguments: dict[str, Any]) -> ToolResult:
        return ToolResult(f"the second ran first: {second_ran.wait(20)}")

    def release(arguments: dict[str, Any]) -> ToolResult:
        second_ran.set()
        return ToolResult("released")

    tools = [Tool("wait", "Waits.", {}, wait), Tool("go", "Goes.", {}, release)]
    first, second = results(("wait", {}), ("go", {}), tools=tools)

    assert first.content == "the second ran first: True"
    assert second.content == "released"


def test_as_many_calls_run_at_once_as_the_limit_allows_and_no_more() -> None:
    pair, lock = Barrier(2), Lock()
    running, most = 0, 0

    def meet(arguments: dict[str, Any]) -> ToolResult:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        pair.wait(20)
        with lock:
            running -= 1
        pair.wait(20)
        return ToolResult("met")

    tool = Tool("meet", "Meets one other.", {}, meet)
    answers = results(*[("meet", {})] * 6, tools=[tool], parallel_calls=2)

    assert [each.content for each in answers] == ["met"] * 6
    assert most == 2


def test_a_slow_call_holds_back_none_of_those_after_it() -> None:
    others = Semaphore(0)

    def slow(arguments: dict[str, Any]) -> ToolResult:
        return ToolResult(str(all(others.acquire(timeout=20) for _ in range(9))))

    def quick_one(arguments: dict[str, Any]) -> ToolResult:
        others.release()
        return ToolResult(str(arguments["n"]))

    tools = [Tool("slow", "Waits.", {}, slow), Tool("go", "Goes.", NUMBER, quick_one)]
    calls = [("slow", {}), *(("go", {"n": n}) for n in range(9))]
    first, *rest = results(*calls, tools=tools, parallel_calls=2)

    assert first.content == "True", "all nine were over before it was"
    assert [each.content for each in rest] == [str(n) for n in range(9)]


def test_a_call_that_hangs_frees_its_place_when_its_time_is_over() -> None:
    hang, flag = hanging()
    calls = [("hang", {}), ("hang", {}), ("echo", {"text": "a"})]
    answers = results(
        *calls, tools=[hang, echo()], parallel_calls=2, tool_timeout_s=0.3
    )
    flag.set()

    assert [each.is_error for each in answers] == [True, True, False]


def test_calls_start_and_are_answered_in_the_order_asked_whichever_is_faster() -> None:
    turn = Reply(calls=[("go", {"n": n}) for n in range(30)])
    tool = Tool("go", "Goes.", NUMBER, lambda _: ToolResult("gone"))
    model = ScriptedModel([turn, Reply("Done.")])
    events = list(run(model, TASK, [tool], limits=Limits(parallel_calls=3)))

    called = [each.call.id for each in events if isinstance(each, ToolCalled)]
    answered = [each.call_id for each in events if isinstance(each, ToolAnswered)]
    assert called == answered == [f"call_1_{n}" for n in range(1, 31)]


def test_every_failure_is_the_error_of_its_own_call_alone() -> None:
    hang, flag = hanging()
    answers: tuple[CallResult, ...] = results(
        ("echo", {"text": "a"}),
        ("nobody", {}),
        ("broken", {}),
        ("echo", "no JSON"),
        ("hang", {}),
        ("echo", {"text": "b"}),
        tools=[echo(), broken(ValueError("no such file")), hang],
        tool_timeout_s=0.5,
    )
    flag.set()

    errors = [each.is_error for each in answers]
    assert errors == [False, True, True, True, True, False]
    assert (answers[0].content, answers[-1].content) == ("a", "b")
    assert "no tool called 'nobody'" in answers[1].content
