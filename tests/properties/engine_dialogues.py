"""Dialogues that no provider would dare, as strategies and as runs that check them."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from chat.engine import (
    AgentResult,
    ErrorHead,
    ErrorKind,
    Event,
    Limits,
    ModelFailed,
    ModelReplied,
    ModelRequest,
    Plugin,
    Reply,
    ReplyStop,
    ScriptedModel,
    Task,
    Tool,
    ToolAnswered,
    ToolResult,
    Usage,
    run,
)
from chat.engine.context.tokens import message_tokens, text_tokens, tool_tokens
from chat.engine.messages import transcript_problem

SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string"}},
    "required": ["name"],
}
ARGUMENTS = {
    "type": "object",
    "properties": {
        "size": {"type": "integer", "minimum": 0, "maximum": 40_000},
        "text": {"type": "string"},
    },
}
ENDLESS = "It goes on and on, in ASCII. "
ALPHABETS = (ENDLESS, "漢字仮名交じり文。", "🙂é\u0301\x00\n```json {")


def _sized(arguments: dict[str, Any]) -> ToolResult:
    size, text = arguments.get("size", 10), arguments.get("text", "")
    letters = ALPHABETS[len(text) % len(ALPHABETS)]
    return ToolResult(text + (letters * (size // len(letters) + 1))[:size])


def _failing(arguments: dict[str, Any]) -> ToolResult:
    if arguments.get("size", 0) % 2:
        raise OSError("no such thing")
    return ToolResult("not found", is_error=True)


def tools() -> list[Tool]:
    """Return one tool of every temper; all may be repeated after an interruption."""
    return [
        Tool("read", "Reads.", ARGUMENTS, _sized, idempotent=True),
        Tool("look", "Looks again.", ARGUMENTS, _sized, "context", idempotent=True),
        Tool("fail", "Fails.", ARGUMENTS, _failing, idempotent=True),
    ]


texts = st.one_of(
    st.sampled_from(
        ["", " ", "Done.", "Error: not really", '{"name": "x"}', '{"name": 7}', "{" * 9]
    ),
    st.text(max_size=40),
    st.builds(lambda n: ENDLESS * n, st.integers(0, 400)),
)
arguments = st.one_of(
    st.fixed_dictionaries(
        {}, optional={"size": st.integers(0, 40_000), "text": st.sampled_from("ab漢")}
    ),
    st.sampled_from(
        ["", "{", '{"size": 3}', "[1]", '{ "size":3 }', '{"size": -1}', "漢" * 50]
    ),
    st.sampled_from([{}, {"ref": "x"}, {"search": "it"}, {"offset": 5}, {"limit": 0}]),
)
calls = st.tuples(
    st.sampled_from(["read", "read", "look", "fail", "recall", "nobody", ""]), arguments
)
counts = st.integers(0, 3_000)
usages = st.one_of(st.none(), st.builds(Usage, counts, counts, counts, counts))
replies = st.builds(
    Reply,
    texts,
    st.lists(calls, max_size=6),
    usages,
    st.one_of(st.none(), st.none(), st.sampled_from(list(ReplyStop))),
    parsed=st.sampled_from([None, None, None, {"name": "x"}, {"name": 1}, [1]]),
)
facts = st.fixed_dictionaries(
    {},
    optional={
        "retry_after_s": st.just(0),
        "prompt_tokens": st.integers(1, 9_000),
        "limit": st.integers(1, 9_000),
        "head": st.builds(ErrorHead, st.integers(), st.text(), st.text(), st.text()),
        "usage": usages,
    },
)
failures = st.builds(
    lambda kind, more: Reply.failure(kind, **more),
    st.sampled_from(list(ErrorKind)),
    facts,
)
scripts = st.lists(st.one_of(replies, replies, replies, failures), max_size=14)
small = st.one_of(st.none(), st.integers(0, 6))
limits = st.builds(
    Limits,
    mode=st.sampled_from(["direct", "standard", "autonomous"]),
    tool_calls=small,
    context_calls=small,
    iterations=st.one_of(st.none(), st.integers(1, 8)),
    parallel_calls=st.integers(1, 3),
    error_rounds=st.integers(1, 4),
    pauses=st.integers(0, 2),
    window=st.one_of(st.none(), st.integers(1_500, 20_000)),
    deadline_s=st.just(0),
)
budgets = st.fixed_dictionaries(
    {},
    optional={
        "tokens": st.integers(1, 30_000),
        "cost": st.sampled_from([Decimal(0), Decimal(2), Decimal(5)]),
    },
)


@dataclass
class Watch(Plugin):
    """Holds every request against what may be sent."""

    window: int
    reserve: int
    faults: list[str] = field(default_factory=list)

    def before_model(self, request: ModelRequest) -> None:
        problem = transcript_problem(request.messages)
        size = sum(map(message_tokens, request.messages))
        size += sum(map(tool_tokens, request.declared)) + text_tokens(request.system)
        if problem:
            self.faults.append(problem)
        if size > self.window - self.reserve:
            self.faults.append(f"{size} tokens in a window of {self.window}")


class Priced(ScriptedModel):
    """One coin a request; the price of every third usage is unknown."""

    def estimate(self, request: ModelRequest) -> Decimal | None:
        return Decimal(1)

    def price(self, usage: Usage) -> Decimal | None:
        return Decimal(1) if usage.total_tokens % 3 else Decimal("0.5")


def play(
    script: Iterable[Reply],
    set_to: Limits,
    *,
    schema: bool,
    history: Iterable[Event] = (),
) -> tuple[list[Event], AgentResult, list[str]]:
    """Drive one run to its end; give its new events, its result and all faults."""
    task = Task("Objective.", output_schema=SCHEMA if schema else None, id="t")
    past = list(history)
    said = sum(isinstance(event, ModelReplied | ModelFailed) for event in past)
    rest = [*list(script)[said:], *[Reply("The end.")] * 3]
    window = set_to.window or 128_000
    watch = Watch(window, 0)
    model = Priced(rest, window=128_000)
    events: list[Event] = []
    generator = run(model, task, tools(), limits=set_to, plugins=[watch], history=past)
    while True:
        try:
            events.append(next(generator))
        except StopIteration as end:
            return events, end.value, watch.faults + unanswered([*past, *events])


def unanswered(events: Iterable[Event]) -> list[str]:
    """Say which calls do not have exactly one answer."""
    asked: list[str] = []
    answered: Counter[str] = Counter()
    for event in events:
        if isinstance(event, ModelReplied):
            refused = event.reply.stop is ReplyStop.REFUSAL
            asked += [] if refused else [call.id for call in event.reply.calls]
        elif isinstance(event, ToolAnswered):
            answered[event.call_id] += 1
    return [
        f"{call}: {answered[call]} answers" for call in asked if answered[call] != 1
    ]


def outline(result: AgentResult) -> str:
    """Return all of a result that an interruption must not change."""
    told = [result.status, result.stop, *result.secondary, result.answer_source]
    told += [result.output, str(result.parsed), str(result.structured)]
    return json.dumps(told)
