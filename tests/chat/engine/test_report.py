"""The report: figures without payloads."""

import json

from chat.engine import (
    Reply,
    ScriptedModel,
    StopReason,
    Task,
    Usage,
    event_to_json,
    execute,
    run,
)
from tests.chat.engine.toolbox import calling, echo

SECRET = "correct-horse-battery"


def test_the_report_counts_what_happened() -> None:
    turn = Reply(
        calls=[("echo", {"text": "a"}), ("look", {}), ("nobody", {})],
        usage=Usage(100, 20),
    )
    script = [turn, Reply(), Reply("Done.", usage=Usage(150, 5))]
    report = execute(
        ScriptedModel(script), Task("Go."), [echo(), echo("look", "context")]
    ).report

    counters = report.counters
    assert report.stop is StopReason.COMPLETED
    assert (counters.model_calls, counters.iterations, counters.nudges) == (3, 3, 1)
    assert (counters.tool_calls_business, counters.tool_calls_context) == (1, 1)
    assert (counters.invalid, counters.refused, counters.tool_errors) == (1, 0, 0)
    assert (counters.input_tokens, counters.output_tokens) == (250, 25)
    assert report.cost == 0
    assert report.model == "scripted"


def test_the_report_is_json_with_a_schema_version() -> None:
    report = execute(ScriptedModel([Reply("Done.")]), Task("Go.")).report
    data = json.loads(json.dumps(report.to_json()))

    assert data["schema_version"] == 2
    assert data["stop"] == "completed"
    assert data["counters"]["model_calls"] == 1


def test_the_report_carries_no_payload() -> None:
    task = Task(SECRET, system=SECRET, context={"x": SECRET}, id=SECRET)
    script = [calling(SECRET), calling("x", tool=SECRET), Reply(SECRET)]
    report = execute(ScriptedModel(script), task, [echo()]).report

    assert SECRET not in json.dumps(report.to_json())


def test_the_result_is_the_last_journaled_event() -> None:
    *_, last = run(ScriptedModel([Reply("Done.")]), Task("Go."))
    data = event_to_json(last)

    assert data["result"]["output"] == "Done."
    assert data["result"]["report"]["counters"]["iterations"] == 1
