"""Two runs share nothing, and calls see the caller's context."""

from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from threading import Barrier
from typing import Any

from chat.engine import (
    ModelReply,
    ModelRequest,
    Reply,
    ScriptedModel,
    Task,
    Tool,
    ToolResult,
    execute,
    run,
)
from tests.chat.engine.toolbox import TEXT, calling, echo

ORGANIZATION: ContextVar[str] = ContextVar("organization", default="nobody's")


def test_two_runs_at_once_keep_to_themselves() -> None:
    together = Barrier(2)

    def call(arguments: dict[str, Any]) -> ToolResult:
        together.wait(20)
        return ToolResult(f"for {arguments['text']}")

    def answer(request: ModelRequest) -> Reply:
        results = [each for each in request.messages if each.results]
        if not results:
            return calling(request.task.objective, tool="note")
        return Reply(results[-1].results[0].content)

    model, tool = ScriptedModel(answer), Tool("note", "Takes a note.", TEXT, call)
    with ThreadPoolExecutor(2) as pool:
        names = ["Ada", "Ben"]
        results = list(pool.map(lambda n: execute(model, Task(n), [tool]), names))

    assert [result.output for result in results] == ["for Ada", "for Ben"]
    assert all(each.report.counters.tool_calls_business == 1 for each in results)


def test_two_runs_stepped_in_turn_keep_to_themselves() -> None:
    model = ScriptedModel(lambda request: Reply(request.task.objective))
    pairs = list(zip(run(model, Task("Ada")), run(model, Task("Ben")), strict=True))

    outputs = [event.result.output for event in pairs[-1]]  # type: ignore[union-attr]
    assert outputs == ["Ada", "Ben"]


def test_models_and_tools_see_the_callers_context_variables() -> None:
    seen: list[str] = []

    class Asking(ScriptedModel):
        def complete(self, request: ModelRequest) -> ModelReply:
            seen.append(ORGANIZATION.get())
            return super().complete(request)

    def call(arguments: dict[str, Any]) -> ToolResult:
        seen.append(ORGANIZATION.get())
        ORGANIZATION.set("a tool's")
        return ToolResult("x")

    token = ORGANIZATION.set("Ada's")
    tool = Tool("ask", "Asks.", TEXT, call)
    turn = calling("1", "2", tool="ask")
    execute(Asking([turn, Reply("Done.")]), Task("Go."), [tool])
    ORGANIZATION.reset(token)

    assert seen == ["Ada's"] * 4


def test_a_tool_object_serves_many_runs() -> None:
    tool = echo()
    outputs = [
        execute(ScriptedModel([calling(name), Reply(name)]), Task("Go."), [tool]).output
        for name in ("Ada", "Ben", "Mia")
    ]

    assert outputs == ["Ada", "Ben", "Mia"]
