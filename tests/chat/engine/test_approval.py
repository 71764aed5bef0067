"""A run stops for a person's decision on a call, and goes on from its stored events."""

from typing import Any

import pytest

from chat.engine import (
    AgentResult,
    ApprovalDecided,
    ConfigurationError,
    Event,
    Halt,
    JournaledEvent,
    Limits,
    Plugin,
    Reply,
    RequireApproval,
    RunFinished,
    ScriptedModel,
    Status,
    StopReason,
    Task,
    Tool,
    ToolCall,
    ToolResult,
    event_from_json,
    event_to_json,
    execute,
    is_journaled,
    run,
)
from tests.chat.engine.toolbox import TEXT, Recorder, calling, echo, result_of

TASK = Task("Pay the bill.")
TURN = Reply(calls=[("echo", {"text": "a"}), ("pay", {"text": "b"})])
SCRIPT = [TURN, Reply("Done.")]


def paying(paid: list[str]) -> Tool:
    def call(arguments: dict[str, Any]) -> ToolResult:
        paid.append(arguments["text"])
        return ToolResult("paid")

    return Tool("pay", "Pays.", TEXT, call, needs_approval=True)


def stored(events: list[Event]) -> list[JournaledEvent]:
    """Return the events as they come back from a journal."""
    rows = [event_to_json(event) for event in events if is_journaled(event)]
    return [event_from_json(row) for row in rows]


def suspended(paid: list[str]) -> list[JournaledEvent]:
    return stored(list(run(ScriptedModel(SCRIPT), TASK, [echo(), paying(paid)])))


def go_on(history: list[JournaledEvent], paid: list[str], *decisions: Any) -> Any:
    recorder = Recorder()
    result = execute(
        ScriptedModel(SCRIPT[1:]),
        TASK,
        [echo(), paying(paid)],
        history=[*history, *decisions],
        plugins=[recorder],
    )
    return result, recorder


@pytest.mark.row("A12", "B1")
def test_a_call_that_needs_approval_suspends_the_run_and_says_which() -> None:
    paid: list[str] = []
    result = result_of(suspended(paid))

    assert (result.status, result.stop) == (
        Status.SUSPENDED,
        StopReason.AWAITING_APPROVAL,
    )
    (call,) = result.awaiting
    assert isinstance(call, ToolCall)
    assert (call.name, paid) == ("pay", [])
    assert "pay" in result.detail


@pytest.mark.row("A12")
def test_an_approved_call_is_run_and_the_run_completes() -> None:
    paid: list[str] = []
    history = suspended(paid)
    approval = ApprovalDecided("call_1_2", approved=True)
    result, recorder = go_on(history, paid, approval)

    assert (result.output, paid) == ("Done.", ["b"])
    answers = [answer.content for answer in recorder.last_answers.results]
    assert answers == ["a", "paid"], "in the order of the calls"


@pytest.mark.row("A12")
def test_a_refused_call_is_answered_and_not_run() -> None:
    paid: list[str] = []
    refusal = ApprovalDecided("call_1_2", approved=False, note="Too dear.")
    result, recorder = go_on(suspended(paid), paid, refusal)

    assert (result.stop, paid) == (StopReason.COMPLETED, [])
    answer = recorder.last_answers.results[1]
    assert answer.is_error
    assert "Too dear." in answer.content
    assert result.report.counters.denied == 1


def test_without_a_decision_a_suspended_run_stays_suspended() -> None:
    history = suspended([])
    result, recorder = go_on(history, [])

    assert result.status is Status.SUSPENDED
    assert recorder.requests == []


def test_a_process_that_dies_before_the_end_is_noted_suspends_again() -> None:
    history = suspended([])[:-1]
    result, _ = go_on(history, [])

    assert (result.status, len(result.awaiting)) == (Status.SUSPENDED, 1)


def test_a_run_that_waits_for_two_decisions_goes_on_after_both() -> None:
    paid: list[str] = []
    script = [Reply(calls=[("pay", {"text": "a"}), ("pay", {"text": "b"})])]
    events = stored(list(run(ScriptedModel(script), TASK, [paying(paid)])))
    first, _ = go_on(events, paid, ApprovalDecided("call_1_1", approved=True))
    both = [ApprovalDecided(f"call_1_{n}", approved=True) for n in (1, 2)]
    second, _ = go_on(events, paid, *both)

    assert (first.status, second.status) == (Status.SUSPENDED, Status.SUCCESS)
    assert sorted(paid) == ["a", "a", "b"], "each history is of its own"


@pytest.mark.row("A12", "B1")
def test_a_call_that_waits_for_a_person_keeps_its_place_in_the_budget() -> None:
    paid: list[str] = []
    turn = Reply(calls=[("pay", {"text": "b"}), *[("echo", {"text": "a"})] * 2])
    tools, limits = [echo(), paying(paid)], Limits(tool_calls=2)
    events = stored(list(run(ScriptedModel([turn]), TASK, tools, limits=limits)))
    recorder = Recorder()
    result = execute(
        ScriptedModel([Reply("Done.")]),
        TASK,
        tools,
        history=[*events, ApprovalDecided("call_1_1", approved=True)],
        limits=limits,
        plugins=[recorder],
    )

    errors = [each.is_error for each in recorder.last_answers.results]
    assert (errors, paid) == ([False, False, True], ["b"])
    assert (result.stop, result.output) == (StopReason.TOOL_BUDGET, "Done.")


@pytest.mark.row("A12")
def test_a_call_that_a_person_refused_gives_its_place_back() -> None:
    paid: list[str] = []
    script = [Reply(calls=[("pay", {"text": "a"})]), calling("b"), Reply("Done.")]
    tools, limits = [echo(), paying(paid)], Limits(tool_calls=1)
    events = stored(list(run(ScriptedModel(script), TASK, tools, limits=limits)))
    refusal = ApprovalDecided("call_1_1", approved=False)
    result = execute(
        ScriptedModel(script[1:]),
        TASK,
        tools,
        history=[*events, refusal],
        limits=limits,
    )

    assert result.stop is StopReason.COMPLETED
    assert result.report.counters.tool_calls_business == 1


class Careful(Plugin):
    """Lets a person decide on every call; refuses what is called `never`."""

    def before_tool(self, call: ToolCall) -> ToolResult | None:
        raise RequireApproval("All calls are looked at.")


class Denying(Plugin):
    def before_tool(self, call: ToolCall) -> ToolResult | None:
        return ToolResult("Never.", is_error=True)


def by_plugin(*plugins: Plugin) -> AgentResult:
    tools = [echo()]
    events = stored(
        list(run(ScriptedModel([calling("a")]), TASK, tools, plugins=plugins))
    )
    history = [*events, ApprovalDecided("call_1_1", approved=True)]
    if not isinstance(events[-1], RunFinished) or not events[-1].result.awaiting:
        return result_of(events)
    script = ScriptedModel([Reply("Done.")])
    return execute(script, TASK, tools, plugins=plugins, history=history)


@pytest.mark.row("A12")
def test_a_plugin_can_ask_for_a_person_too() -> None:
    result = by_plugin(Careful())

    assert result.output == "Done."
    assert result.report.counters.tool_calls_business == 1


def test_a_person_cannot_allow_what_another_plugin_refuses() -> None:
    events = list(
        run(
            ScriptedModel([calling("a"), Reply("Done.")]),
            TASK,
            [echo()],
            plugins=[Careful(), Denying()],
        )
    )

    result = result_of(events)
    assert result.stop is StopReason.COMPLETED
    assert result.report.counters.tool_calls_business == 0


def test_a_run_that_is_stopped_answers_the_calls_that_wait() -> None:
    class Stopper(Plugin):
        def should_stop(self) -> StopReason | None:
            return StopReason.CANCELLED

    history = suspended([])[:-1]
    waiting = [each for each in history if each.kind == "approval_requested"]
    decided = ApprovalDecided(waiting[0].call.id, approved=True)  # type: ignore[union-attr]
    result = execute(
        ScriptedModel([]),
        TASK,
        [echo(), paying([])],
        history=[*history, decided],
        plugins=[Stopper()],
    )

    assert result.stop is StopReason.CANCELLED


def test_a_decision_that_nobody_waits_for_is_refused_at_once() -> None:
    history = suspended([])
    decision = ApprovalDecided("call_9_9", approved=True)

    with pytest.raises(ConfigurationError, match="does not wait for a person"):
        go_on(history, [], decision)


def test_a_hook_that_halts_wins_over_a_persons_decision() -> None:
    class Halting(Plugin):
        def before_tool(self, call: ToolCall) -> ToolResult | None:
            raise Halt("No.")

    result = execute(
        ScriptedModel([calling("a")]), TASK, [echo()], plugins=[Careful(), Halting()]
    )
    assert result.stop is StopReason.PLUGIN_HALT
