"""Nothing goes around the hooks: no request, no call, no second try."""

from threading import get_ident

import pytest

from chat.engine import (
    ApprovalDecided,
    ErrorKind,
    Event,
    Limits,
    ModelReply,
    ModelRequest,
    Plugin,
    Reply,
    ReplyStop,
    ScriptedModel,
    StopReason,
    Task,
    ToolAnswered,
    ToolCall,
    ToolOutcome,
    ToolResult,
    execute,
    model_turn,
    run,
)
from tests.chat.engine.test_approval import paying
from tests.chat.engine.toolbox import Recorder, calling, echo

TASK = Task("Look it up.")
SHAPED = Task("Look it up.", output_schema={"type": "object", "required": ["a"]})
PAUSED = Reply("more", stop=ReplyStop.PAUSE)
LATER = Reply.failure(ErrorKind.OVERLOADED)
TOO_LONG = Reply.failure(ErrorKind.CONTEXT_OVERFLOW)
UNREADABLE = Reply.failure(ErrorKind.UNPARSEABLE)
END = Reply('{"a": 1}')


class Counting(ScriptedModel):
    """Keeps every request that reached it."""

    def __init__(self, *replies: Reply) -> None:
        super().__init__(replies)
        self.sent: list[ModelRequest] = []

    def complete(self, request: ModelRequest) -> ModelReply:
        self.sent.append(request)
        return super().complete(request)


@pytest.mark.parametrize(
    ("script", "task"),
    [
        ([calling("a"), END], TASK),
        ([LATER, END], TASK),
        ([PAUSED, PAUSED, END], TASK),
        ([TOO_LONG, END], TASK),
        ([Reply(), END], TASK),
        ([calling("a"), calling("b"), END], TASK),
        ([calling("a"), calling("b"), END], SHAPED),
        ([Reply("prose"), END], SHAPED),
        ([UNREADABLE, END], SHAPED),
    ],
    ids=["round", "retry", "pause", "overflow", "empty", "closing", "last words",
         "finalizer", "parse fallback"],
)  # fmt: skip
def test_every_request_passes_before_model_as_it_is_sent(
    script: list[Reply], task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_turn, "FIRST_BACKOFF_S", 0.001)
    recorder, model = Recorder(), Counting(*script)
    limits = Limits(iterations=2, max_output_tokens=4_000)
    result = execute(model, task, [echo()], limits=limits, plugins=[recorder])

    assert result.output.endswith(END.text)
    assert recorder.requests == model.sent
    assert len(recorder.replies) == sum(reply.error is None for reply in script)


def test_the_loops_own_recall_passes_the_hooks_like_any_tool() -> None:
    class Denying(Plugin):
        def before_tool(self, call: ToolCall) -> ToolResult | None:
            return ToolResult("Not allowed.", is_error=True)

    script = [Reply(calls=[("recall", {"ref": "r1"})]), Reply("Done.")]
    events = list(run(ScriptedModel(script), TASK, [echo()], plugins=[Denying()]))

    (answer,) = [event for event in events if isinstance(event, ToolAnswered)]
    assert answer.outcome is ToolOutcome.INTERCEPTED


@pytest.mark.row("A12")
def test_a_persons_yes_does_not_go_around_a_hook() -> None:
    paid: list[str] = []
    tools = [paying(paid)]
    events: list[Event] = list(
        run(ScriptedModel([calling("a", tool="pay")]), TASK, tools)
    )

    class Denying(Plugin):
        def before_tool(self, call: ToolCall) -> ToolResult | None:
            return ToolResult("Not allowed any more.", is_error=True)

    result = execute(
        ScriptedModel([Reply("Done.")]),
        TASK,
        tools,
        plugins=[Denying()],
        history=[*events, ApprovalDecided("call_1_1", approved=True)],
    )
    assert (result.output, paid) == ("Done.", [])


def test_the_question_whether_to_stop_comes_on_the_iterating_thread() -> None:
    threads: set[int] = set()

    class Asked(Plugin):
        def should_stop(self) -> StopReason | None:
            threads.add(get_ident())
            return None

    model = ScriptedModel([calling("a"), Reply("Done.")])
    execute(model, TASK, [echo()], plugins=[Asked()])

    assert threads == {get_ident()}
