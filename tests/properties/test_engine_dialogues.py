"""Whatever a model says, every call is answered once and every run ends."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from chat.engine import (
    Event,
    Limits,
    ModelReplied,
    ModelReply,
    ModelRequest,
    Reply,
    ReplyStop,
    Role,
    RunFinished,
    ScriptedModel,
    Task,
    Tool,
    ToolAnswered,
    ToolCall,
    ToolCalled,
    ToolResult,
    run,
)
from chat.engine.messages import transcript_problem

objects = [{}, {"a": [1, {"b": None}]}, {"a": float("inf")}, {1: 2}, {"a": {1}}]
texts = ["", "{", "[1]", '{"a": 1}', "\ud800"]
values = st.sampled_from([*objects, *texts, None, 5, [1], {"\x00": "\ud800"}])
named = st.sampled_from(["look", "ask", "", "nobody", "ask\x00"])
calls = st.lists(st.tuples(named, values), max_size=5)
ids = st.sampled_from(["", "a", "b", "call_1_1"])
# A paused turn is continued as it stands; test_engine_fuzz.py plays those too.
ENDS = [stop for stop in ReplyStop if stop is not ReplyStop.PAUSE]
stops = st.sampled_from([None, *ENDS])
replies = st.builds(Reply, text=st.text(max_size=8), calls=calls, stop=stops)


class Careless(ScriptedModel):
    """Gives its calls whatever ids it likes."""

    def __init__(self, script: list[Reply], call_ids: list[str]) -> None:
        super().__init__(script)
        self.call_ids = call_ids
        self.requests: list[ModelRequest] = []

    def complete(self, request: ModelRequest) -> ModelReply:
        self.requests.append(request)
        reply = super().complete(request)
        calls = tuple(
            ToolCall(
                self.call_ids[place % len(self.call_ids)], call.name, call.arguments
            )
            for place, call in enumerate(reply.calls)
        )
        return ModelReply(reply.text, calls, reply.usage, reply.stop)


def give(arguments: dict[str, Any]) -> ToolResult:
    return ToolResult("x", value=arguments)


@settings(max_examples=150, deadline=None)
@given(
    script=st.lists(replies, max_size=6),
    call_ids=st.lists(ids, min_size=1, max_size=3),
    cap=st.integers(0, 3),
)
def test_every_call_is_answered_once_and_every_run_ends(
    script: list[Reply], call_ids: list[str], cap: int
) -> None:
    model = Careless(script, call_ids)
    tools = [
        Tool("look", "Looks.", {}, give, "context"),
        Tool("ask", "Asks.", {}, give),
    ]
    limits = Limits(tool_calls=cap, iterations=5, parallel_calls=2)
    events: list[Event] = list(run(model, Task("Go."), tools, limits=limits))

    assert isinstance(events[-1], RunFinished)
    replied = [event.reply for event in events if isinstance(event, ModelReplied)]
    asked = [
        call.id
        for reply in replied
        if reply.stop is not ReplyStop.REFUSAL
        for call in reply.calls
    ]
    answered = [event.call_id for event in events if isinstance(event, ToolAnswered)]
    assert answered == asked
    assert len(set(asked)) == len(asked)
    for request in model.requests:
        assert transcript_problem(request.messages) is None
        assert request.messages[-1].role is not Role.ASSISTANT
    ran = [event for event in events if isinstance(event, ToolCalled)]
    assert sum(event.tool_kind == "business" for event in ran) <= cap
    assert sum(event.tool_kind == "context" for event in ran) <= 2 * cap
