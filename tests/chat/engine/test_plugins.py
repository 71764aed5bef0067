"""Hooks: what they see, what they may change, how they end a run."""

import json
import threading
from typing import Any

import pytest

from chat.engine import (
    AnswerSource,
    ConfigurationError,
    Halt,
    Limits,
    ModelReply,
    ModelRequest,
    Plugin,
    Reply,
    RunFinished,
    ScriptedModel,
    Status,
    StopReason,
    Task,
    ToolAnswered,
    ToolCall,
    ToolCalled,
    ToolOutcome,
    ToolResult,
    event_to_json,
    execute,
    is_journaled,
    run,
)
from tests.chat.engine.toolbox import Recorder, calling, echo

TASK = Task("Look it up.")


class Denying(Plugin):
    def before_tool(self, call: ToolCall) -> ToolResult | None:
        return ToolResult("Not allowed.", is_error=True)


class Tagging(Plugin):
    def __init__(self, tag: str) -> None:
        self.tag = tag

    def after_tool(self, call: ToolCall, result: ToolResult) -> ToolResult:
        return ToolResult(f"{result.content}{self.tag}")


class Failing(Plugin):
    def __init__(self, hook: str, error: Exception) -> None:
        def fail(*arguments: Any) -> Any:
            raise error

        setattr(self, hook, fail)


def test_every_hook_runs_on_the_iterating_thread() -> None:
    class Threads(Recorder):
        def __init__(self) -> None:
            super().__init__()
            self.idents: set[int] = set()

        def before_model(self, request: ModelRequest) -> None:
            self.idents.add(threading.get_ident())

        def after_model(self, reply: ModelReply) -> None:
            self.idents.add(threading.get_ident())

        def before_tool(self, call: ToolCall) -> ToolResult | None:
            self.idents.add(threading.get_ident())
            return None

        def after_tool(self, call: ToolCall, result: ToolResult) -> ToolResult:
            self.idents.add(threading.get_ident())
            return result

    plugin = Threads()
    model = ScriptedModel([calling("a"), Reply("Done.")])
    execute(model, TASK, [echo()], plugins=[plugin])

    assert plugin.idents == {threading.get_ident()}


def test_a_plugin_may_answer_a_call_so_that_nothing_runs() -> None:
    model = ScriptedModel([calling("a"), Reply("Done.")])
    events = list(run(model, TASK, [echo()], plugins=[Denying()]))

    assert not any(isinstance(event, ToolCalled) for event in events)
    (answer,) = [event for event in events if isinstance(event, ToolAnswered)]
    assert answer.outcome is ToolOutcome.INTERCEPTED
    assert answer.result.content == "Not allowed."


def test_results_pass_through_every_plugin_in_order() -> None:
    recorder = Recorder()
    model = ScriptedModel([calling("a"), Reply("Done.")])
    plugins = [Tagging("1"), Tagging("2"), recorder]
    execute(model, TASK, [echo()], plugins=plugins)

    assert recorder.results == ["a12"]
    assert recorder.last_answers.results[0].content == "a12"


def test_only_calls_that_ran_are_shown_after() -> None:
    recorder = Recorder()
    turn = Reply(calls=[("nobody", {}), ("echo", {"text": "a"})])
    model = ScriptedModel([turn, Reply("Done.")])
    execute(model, TASK, [echo()], plugins=[recorder])

    assert (recorder.calls, recorder.results) == (["call_1_2"], ["a"])


def test_a_halt_before_the_first_request_sends_nothing() -> None:
    plugin = Failing("before_model", Halt("The feature is off."))
    result = execute(ScriptedModel([Reply("x")]), TASK, plugins=[plugin])

    assert (result.stop, result.status) == (StopReason.PLUGIN_HALT, Status.HALTED)
    assert result.detail == "The feature is off."
    assert result.report.counters.model_calls == 0


@pytest.mark.parametrize(
    "hook", ["before_model", "after_model", "before_tool", "after_tool", "should_stop"]
)
def test_a_failing_hook_is_a_terminal_event(hook: str) -> None:
    model = ScriptedModel([calling("a", "b"), Reply("Done.")])
    plugin = Failing(hook, LookupError("no row"))
    events = list(run(model, TASK, [echo()], plugins=[plugin]))

    last = events[-1]
    assert isinstance(last, RunFinished)
    assert (last.result.stop, last.result.status) == (StopReason.ERROR, Status.ERROR)
    assert last.result.detail == "LookupError: no row"


@pytest.mark.parametrize("hook", ["before_tool", "after_tool"])
def test_calls_are_answered_even_when_a_hook_fails(hook: str) -> None:
    model = ScriptedModel([calling("a", "b", "c")])
    events = list(run(model, TASK, [echo()], plugins=[Failing(hook, KeyError())]))

    answered = [event.call_id for event in events if isinstance(event, ToolAnswered)]
    assert answered == ["call_1_1", "call_1_2", "call_1_3"]


def test_an_answer_that_a_plugin_objects_to_is_taken_back() -> None:
    plugin = Failing("after_model", Halt("The answer is not cited."))
    result = execute(ScriptedModel([Reply("Trust me.")]), TASK, plugins=[plugin])

    assert (result.stop, result.output) == (StopReason.PLUGIN_HALT, "")
    assert result.answer_source is AnswerSource.NONE


def test_a_plugin_result_that_cannot_be_journaled_ends_the_run() -> None:
    class Careless(Plugin):
        def after_tool(self, call: ToolCall, result: ToolResult) -> ToolResult:
            return ToolResult("x", value=object())

    model = ScriptedModel([calling("a"), Reply("Done.")])
    result = execute(model, TASK, [echo()], plugins=[Careless()])

    assert result.stop is StopReason.ERROR
    assert "A plugin's result cannot be used" in result.detail


def test_what_is_no_plugin_is_refused_at_once() -> None:
    with pytest.raises(ConfigurationError, match="is no Plugin: it lacks before_model"):
        run(ScriptedModel([]), TASK, plugins=[object()])  # type: ignore[list-item]


def test_a_hook_that_fails_later_does_not_replace_the_first_stop() -> None:
    class Late(Recorder):
        def before_model(self, request: ModelRequest) -> None:
            super().before_model(request)
            if not request.tools:
                raise LookupError

    model = ScriptedModel(lambda request: calling("a"))
    limits = Limits(iterations=1)
    result = execute(model, TASK, [echo()], limits=limits, plugins=[Late()])

    assert result.stop is StopReason.ITERATION_LIMIT
    assert result.secondary == (StopReason.ERROR,)


class Meddling(Plugin):
    """Changes what it is shown of a call, wherever it is shown."""

    def after_model(self, reply: ModelReply) -> None:
        for call in reply.calls:
            self._meddle(call)

    def before_tool(self, call: ToolCall) -> ToolResult | None:
        self._meddle(call)
        return None

    def after_tool(self, call: ToolCall, result: ToolResult) -> ToolResult:
        self._meddle(call)
        return result

    def _meddle(self, call: ToolCall) -> None:
        arguments: Any = call.arguments
        arguments["text"] = "forged"
        arguments.setdefault("deep", []).append("forged")


def test_a_plugin_that_changes_a_call_changes_neither_tool_nor_journal() -> None:
    seen: list[Any] = []

    class Seeing(Plugin):
        def before_tool(self, call: ToolCall) -> ToolResult | None:
            seen.append(call.arguments)
            return None

    arguments = {"text": "true", "deep": ["true"]}
    script = [Reply(calls=[("echo", arguments)]), Reply("Done.")]
    plugins = [Meddling(), Seeing(), Meddling()]
    events = list(run(ScriptedModel(script), TASK, [echo()], plugins=plugins))

    rows = [event_to_json(event) for event in events if is_journaled(event)]
    assert "forged" not in json.dumps(rows)
    (answer,) = [event for event in events if isinstance(event, ToolAnswered)]
    assert answer.result.content == "true"
    assert seen == [{"text": "true", "deep": ["true"]}], "nor what another one sees"
