"""Every figure of the report is counted by some run; none is there for show."""

from collections.abc import Callable, Mapping
from dataclasses import fields

import pytest

from chat.engine import (
    AgentResult,
    ApprovalDecided,
    Counters,
    ErrorKind,
    Event,
    Limits,
    ModelReply,
    ModelRequest,
    Reply,
    ReplyStop,
    ScriptedModel,
    Task,
    Usage,
    execute,
    model_turn,
    run,
)
from tests.chat.engine.test_approval import paying
from tests.chat.engine.toolbox import broken, calling, echo

SHAPED = {"type": "object", "required": ["a"]}
LONG = "It goes on and on. " * 500


def played(*script: Reply, schema: object = None, **limits: int) -> AgentResult:
    task = Task("Look it up.", output_schema=schema)
    tools = [echo(), echo("look", "context"), broken(ValueError()), paying([])]
    bounds = Limits(**limits)  # type: ignore[arg-type]
    return execute(ScriptedModel(script), task, tools, limits=bounds)


def cut_at(kind: str, reply: Reply) -> AgentResult:
    """Run until an event of this kind, and go on in another process."""
    task, tools = Task("Look it up."), [echo(), paying([])]
    past: list[Event] = []
    for event in run(ScriptedModel([reply]), task, tools):
        past.append(event)
        if event.kind == kind:
            break
    return execute(ScriptedModel([Reply("Done.")]), task, tools, history=past)


def denied() -> AgentResult:
    task, tools = Task("Look it up."), [paying([])]
    past = list(run(ScriptedModel([calling("a", tool="pay")]), task, tools))
    no = ApprovalDecided("call_1_1", approved=False)
    return execute(ScriptedModel([Reply("Done.")]), task, tools, history=[*past, no])


def replied(reply: ModelReply) -> AgentResult:
    class Provider(ScriptedModel):
        def complete(self, request: ModelRequest) -> ModelReply:
            return reply

    return execute(Provider([]), Task("Look it up."))


def searched() -> AgentResult:
    usage = Usage(9, 4, searches=1)
    notices = ("direct_callers",)
    return replied(
        ModelReply("Done.", (), usage, server_calls=("search",), notices=notices)
    )


def failing(kind: ErrorKind, schema: object = None) -> AgentResult:
    return played(Reply.failure(kind), Reply('{"a": 1}'), schema=schema)


RUNS: Mapping[str, Callable[[], AgentResult]] = {
    "model_calls iterations input_tokens output_tokens max_prompt_tokens": lambda: (
        played(Reply("Done.", usage=Usage(9, 4)))
    ),
    "retries": lambda: failing(ErrorKind.OVERLOADED),
    "overflows": lambda: failing(ErrorKind.CONTEXT_OVERFLOW),
    "parse_fallbacks": lambda: failing(ErrorKind.UNPARSEABLE, SHAPED),
    "calls_lost": lambda: cut_at("model_requested", Reply("Never heard.")),
    "interrupted": lambda: cut_at("tool_called", calling("a")),
    "nudges stale_rounds closing_turns": lambda: played(
        *[calling("a")] * 3, Reply("So far.")
    ),
    "pauses": lambda: played(Reply("a", stop=ReplyStop.PAUSE), Reply("b")),
    "empty_replies": lambda: played(Reply(), Reply("Done.")),
    "tool_calls_business duplicates": lambda: played(
        calling(LONG), calling(LONG), Reply("Done.")
    ),
    "tool_calls_context": lambda: played(calling("a", tool="look"), Reply("Done.")),
    "refused": lambda: played(calling("a", "b"), Reply("So far."), tool_calls=1),
    "invalid error_rounds": lambda: played(calling("a", tool="nobody"), Reply("No.")),
    "tool_errors": lambda: played(calling("a", tool="broken"), Reply("No.")),
    "recall_errors": lambda: played(
        Reply(calls=[("recall", {"ref": "none"})]), Reply("No.")
    ),
    "approvals_requested": lambda: played(calling("a", tool="pay")),
    "denied": denied,
    "finalizer_runs schema_failures": lambda: played(
        Reply("prose"), Reply('{"a": 1}'), schema=SHAPED
    ),
    "usage_unknown": lambda: replied(ModelReply("Done.")),
    "server_calls searches fallbacks": searched,
}
# Counted where messages are put aside, and tested there.
CONTEXT = {"masks", "folds", "emergencies", "unseen_evicted"}


@pytest.mark.row("B2")
@pytest.mark.parametrize("names", RUNS)
def test_a_figure_counts_what_its_name_says(
    names: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_turn, "FIRST_BACKOFF_S", 0.001)
    counters = RUNS[names]().report.counters

    figures = {name: getattr(counters, name) for name in names.split()}
    assert all(figures.values()), figures


@pytest.mark.row("B2")
def test_no_figure_is_there_for_show() -> None:
    counted = {name for names in RUNS for name in names.split()}

    assert counted | CONTEXT == {part.name for part in fields(Counters)}
