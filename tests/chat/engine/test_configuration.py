"""What cannot be run is refused at once, by name."""

from decimal import Decimal
from typing import Any

import pytest

from chat.engine import (
    CallResult,
    ClosingReserve,
    ConfigurationError,
    Limits,
    Message,
    Role,
    ScriptedModel,
    Task,
    Tool,
    ToolCall,
    ToolResult,
    run,
)
from tests.chat.engine.toolbox import TEXT, echo

ASKING = Message(Role.ASSISTANT, calls=(ToolCall("c1", "echo", {}),))
ANSWER = Message(Role.TOOL, results=(CallResult("c1", "echo", "x"),))


def nothing(arguments: dict[str, Any]) -> ToolResult:
    return ToolResult("")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("tool_calls", -1),
        ("tool_calls", True),
        ("context_calls", 1.5),
        ("iterations", 0),
        ("parallel_calls", 0),
        ("tokens", 0),
        ("cost", 1.5),
        ("cost", Decimal("NaN")),
        ("cost", Decimal(-1)),
        ("deadline_s", -1),
        ("deadline_s", float("nan")),
        ("model_timeout_s", 0),
        ("tool_timeout_s", "5"),
        ("tick_s", 0),
        ("max_output_tokens", 0),
        ("window", -5),
        ("closing_reserve", 5),
    ],
)
def test_a_bad_limit_is_refused_by_name(field: str, value: Any) -> None:
    with pytest.raises(ValueError, match=rf"^Limits\.{field} "):
        Limits(**{field: value})


@pytest.mark.parametrize(
    ("field", "limits"),
    [
        ("tokens", {"tokens": 10, "closing_reserve": ClosingReserve(tokens=10)}),
        ("seconds", {"deadline_s": 5, "closing_reserve": ClosingReserve(seconds=9)}),
        (
            "cost",
            {"cost": Decimal(1), "closing_reserve": ClosingReserve(cost=Decimal(2))},
        ),
    ],
)
def test_a_reserve_that_leaves_nothing_is_refused(
    field: str, limits: dict[str, Any]
) -> None:
    with pytest.raises(ValueError, match=f"closing_reserve.{field} leaves nothing"):
        Limits(**limits)


def test_a_reply_as_large_as_the_window_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="max_output_tokens"):
        Limits(max_output_tokens=8000, window=8000)
    model, limits = ScriptedModel([], window=100), Limits(max_output_tokens=200)
    with pytest.raises(ConfigurationError, match="less than the window of 100"):
        run(model, Task("Go."), limits=limits)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"name": "web search"}, "name must be"),
        ({"name": ""}, "name must be"),
        ({"name": 5}, "name must be"),
        ({"description": " "}, "description is empty"),
        ({"call": None}, "call is not callable"),
        ({"kind": "other"}, "kind must be one of business, context"),
        ({"input_schema": None}, "input_schema is no JSON object"),
        ({"input_schema": {"type": "array"}}, "must be of type object"),
        ({"input_schema": {"anyOf": []}}, "'anyOf' is not supported"),
        ({"input_schema": {"properties": {"a": 1}}}, "a schema must be an object"),
        ({"input_schema": {"required": "a"}}, "'required' is not understood"),
        ({"input_schema": {"default": {1}}}, "it contains a set"),
        ({"resource_argument": "url"}, "resource_argument 'url' is no property"),
    ],
)
def test_a_bad_tool_is_refused_by_name(changes: dict[str, Any], problem: str) -> None:
    sound = {"name": "look", "description": "Looks.", "input_schema": TEXT}
    with pytest.raises(ConfigurationError, match=problem):
        Tool(**{**sound, "call": nothing, **changes})


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="Two tools are called 'echo'"):
        run(ScriptedModel([]), Task("Go."), [echo(), echo()])


def test_a_tool_keeps_its_own_copy_of_the_schema() -> None:
    schema: dict[str, Any] = {"properties": {"text": {"type": "string"}}}
    tool = Tool("look", "Looks.", schema, nothing)
    schema["properties"]["text"]["type"] = "integer"

    assert tool.input_schema == TEXT


@pytest.mark.parametrize("objective", ["", "  ", None])
def test_a_task_without_objective_is_refused(objective: Any) -> None:
    with pytest.raises(ConfigurationError, match="objective is empty"):
        Task(objective)


def test_the_name_of_the_loops_own_tool_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="the loop's own"):
        run(ScriptedModel([]), Task("Go."), [echo("recall")])


@pytest.mark.parametrize(
    ("messages", "problem"),
    [
        ([ASKING], "the calls of the last message are not answered"),
        ([Message(Role.ASSISTANT, "Hello.")], "does not begin with a person's message"),
        ([ANSWER], "message 0 does not answer the calls before it"),
        ([ASKING, Message.user("x")], "message 1 does not answer"),
        (["text"], "message 0 is a str"),
    ],
)
def test_an_earlier_conversation_must_be_whole(messages: Any, problem: str) -> None:
    with pytest.raises(ConfigurationError, match=problem):
        run(ScriptedModel([]), Task("Go.", messages=messages))


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"task": "Go."}, "must be a Task"),
        ({"model": object()}, "is no model"),
        ({"limits": {}}, "limits must be Limits"),
        ({"tools": [nothing]}, "must be a Tool"),
    ],
)
def test_arguments_of_another_type_are_refused(
    arguments: dict[str, Any], problem: str
) -> None:
    sound = {"model": ScriptedModel([]), "task": Task("Go.")}
    with pytest.raises(ConfigurationError, match=problem):
        run(**{**sound, **arguments})
