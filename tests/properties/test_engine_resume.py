"""Any run, cut anywhere, ends in the same result when it is resumed."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from chat.engine import (
    AgentResult,
    ErrorKind,
    Event,
    Limits,
    ModelFailed,
    ModelReplied,
    Reply,
    ReplyStop,
    RunFinished,
    ScriptedModel,
    Task,
    Tool,
    ToolResult,
    Usage,
    event_from_json,
    event_to_json,
    execute,
    is_journaled,
    run,
)

TASK = Task("Look it up.")
TEXT = {"properties": {"text": {"type": "string"}}, "required": ["text"]}

calls = st.lists(
    st.tuples(
        st.sampled_from(["look", "ask", "fail", "nobody"]),
        st.sampled_from([{"text": "a"}, {"text": "b"}, {}, "broken {"]),
    ),
    max_size=4,
)
replies = st.builds(
    Reply,
    text=st.sampled_from(["", " ", "Here it is.", "Error: so it says."]),
    calls=calls,
    usage=st.sampled_from([None, Usage(50, 20), Usage(400, 100)]),
    stop=st.sampled_from([None, None, None, ReplyStop.MAX_TOKENS, ReplyStop.REFUSAL]),
)
failures = st.sampled_from(
    [
        Reply.failure(ErrorKind.OVERLOADED, retry_after_s=0),
        Reply.failure(ErrorKind.TIMEOUT, retry_after_s=0),
        Reply.failure(ErrorKind.CONTEXT_OVERFLOW),
        Reply.failure(ErrorKind.UNAVAILABLE, retry_after_s=0, usage=Usage(300, 9)),
        Reply.failure(ErrorKind.TIMEOUT, retry_after_s=0, usage=Usage(30, 9)),
    ]
)
scripts = st.lists(st.one_of(replies, replies, replies, failures), max_size=8)
limits = st.builds(
    Limits,
    tool_calls=st.integers(0, 4),
    context_calls=st.integers(0, 4),
    iterations=st.integers(1, 6),
    parallel_calls=st.integers(1, 3),
    tokens=st.sampled_from([None, 1000, 3000]),
)


def fail(arguments: dict[str, Any]) -> ToolResult:
    raise LookupError(arguments["text"])


def give(arguments: dict[str, Any]) -> ToolResult:
    return ToolResult(arguments["text"], value=arguments)


TOOLS = [
    Tool("look", "Looks.", TEXT, give, "context", idempotent=True),
    Tool("ask", "Asks.", TEXT, give, idempotent=True),
    Tool("fail", "Fails.", TEXT, fail, idempotent=True),
]


def essence(result: AgentResult) -> tuple[Any, ...]:
    counters = result.report.counters
    return (
        (result.status, result.stop, result.secondary),
        (result.output, result.answer_source, result.detail),
        (counters.tool_calls_business, counters.tool_calls_context),
        (counters.refused, counters.invalid, counters.tool_errors),
    )


def outcomes(history: list[Event]) -> int:
    """How many replies of the script the history has used up."""
    return sum(isinstance(event, ModelReplied | ModelFailed) for event in history)


@settings(max_examples=150, deadline=None)
@given(script=scripts, limits=limits, data=st.data())
def test_a_run_cut_anywhere_ends_in_the_same_result(
    script: list[Reply], limits: Limits, data: st.DataObject
) -> None:
    events = list(run(ScriptedModel(script), TASK, TOOLS, limits=limits))
    whole = events[-1]
    assert isinstance(whole, RunFinished)
    cut = data.draw(st.integers(0, len(events)))
    history: list[Event] = [
        event_from_json(event_to_json(event))
        for event in events[:cut]
        if is_journaled(event)
    ]
    # A request lost in flight is charged, which may rightly end a run earlier.
    lost = sum(event.kind == "model_requested" for event in history)
    if limits.tokens is not None and lost > outcomes(history):
        return

    rest = ScriptedModel(script[outcomes(history) :])
    result = execute(rest, TASK, TOOLS, limits=limits, history=history)

    assert essence(result) == essence(whole.result)
