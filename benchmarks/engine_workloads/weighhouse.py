"""The dialogue with chat.engine.

Variants: execute; events, each dropped at once; one-cpu, where the threads that calls
run in share a CPU with the loop, so that waking them costs least.
"""

import os
import sys
from typing import Any

from benchmarks.engine_workloads.measuring import (
    ANSWER,
    QUESTION,
    SYSTEM,
    TOOL,
    Run,
    Script,
    main,
)
from chat.engine import (
    Limits,
    ModelRequest,
    Reply,
    RunFinished,
    ScriptedModel,
    Task,
    Tool,
    ToolResult,
    execute,
    run,
)

SCHEMA = {
    "type": "object",
    "properties": {"page": {"type": "string"}},
    "required": ["page"],
}


def prepare(script: Script) -> Run:
    """Return one run; its limits are raised so far that none is reached."""
    body = script.body()

    def reply(_: ModelRequest) -> Reply:
        page = script.next_page()
        return Reply(ANSWER) if page is None else Reply(calls=[(TOOL, {"page": page})])

    def read_page(arguments: dict[str, Any]) -> ToolResult:
        return ToolResult(arguments["page"] + body)

    model, task = ScriptedModel(reply), Task(QUESTION, system=SYSTEM)
    tools = [Tool(TOOL, "Read one page.", SCHEMA, read_page)]
    enough = script.rounds + 10
    limits = Limits(tool_calls=enough, iterations=enough)

    def executed() -> None:
        _check(execute(model, task, tools, limits=limits), script)

    def drained() -> None:
        for event in run(model, task, tools, limits=limits):
            if isinstance(event, RunFinished):
                _check(event.result, script)

    if script.variant == "one-cpu":
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    return drained if script.variant == "events" else executed


def _check(result: Any, script: Script) -> None:
    if result.stop != "completed" or result.output != ANSWER:
        sys.exit(f"stopped by {result.stop} in round {len(script.marks)}")


if __name__ == "__main__":
    main(prepare)
