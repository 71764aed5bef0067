"""Ollama wants the arguments of earlier calls as a mapping; nobody else does."""

from typing import Any

import pytest

from chat.engine import CallResult, Message, Role, ToolCall
from chat.providers.openai_compatible.messages import as_mapping
from chat.providers.openai_compatible.parts import an_object
from tests.chat.providers.openai_compatible.endpoint import (
    ask,
    called,
    failing,
    model_at,
    reader,
    said,
)

REFUSED = (
    "json: cannot unmarshal object into Go struct field "
    "ChatCompletionRequest.messages.tool_calls.function.arguments of type string"
)


def answered(*calls: ToolCall, raw: Any = None) -> tuple[Message, ...]:
    """A conversation in which the calls have their answers."""
    results = tuple(CallResult(call.id, call.name, "done") for call in calls)
    return (
        Message.user("x"),
        Message(Role.ASSISTANT, calls=calls, raw=raw),
        Message(Role.TOOL, results=results),
    )


def replayed(messages: tuple[Message, ...], preset: str | None) -> list[Any]:
    """The arguments of the calls as they are sent again."""
    model, endpoint = model_at(said(), preset=preset)
    model.complete(ask(messages=messages))
    calls = endpoint.bodies[0]["messages"][1]["tool_calls"]
    return [an_object(call["function"])["arguments"] for call in calls]


@pytest.mark.row("B18")
@pytest.mark.parametrize(
    ("arguments", "mapping"),
    [
        ({"path": "a"}, {"path": "a"}),
        (None, {}),
        ("", {}),
        (" \n", {}),
        ('{"path": "a"}', {"path": "a"}),
        ('{"path": ', {"_raw": '{"path": '}),
        ("[1, 2]", {"_raw": "[1, 2]"}),
        ("null", {"_raw": "null"}),
        ([1, 2], {"_raw": [1, 2]}),
        (7, {"_raw": 7}),
    ],
)
def test_all_arguments_become_a_mapping(arguments: Any, mapping: Any) -> None:
    assert as_mapping(arguments) == mapping


@pytest.mark.row("B18")
def test_earlier_calls_are_sent_with_mappings() -> None:
    calls = (ToolCall("c1", "read", {"path": "a"}), ToolCall("c2", "read", "{bro"))
    assert replayed(answered(*calls), "ollama") == [{"path": "a"}, {"_raw": "{bro"}]


@pytest.mark.row("B18")
@pytest.mark.parametrize("given", [{"path": "a"}, '{"path":"a"}'])
def test_what_ollama_said_goes_back_to_it_as_a_mapping(given: Any) -> None:
    model, _ = model_at(called(("c1", "read", given)), preset="ollama")
    reply = model.complete(ask())
    assert reply.calls[0].arguments == {"path": "a"}
    messages = answered(*reply.calls, raw=reply.raw)
    assert replayed(messages, "ollama") == [{"path": "a"}]


@pytest.mark.row("B18")
@pytest.mark.parametrize(
    "preset", [None, "openai", "openrouter", "vllm", "lm_studio", "llama_cpp"]
)
def test_no_other_server_is_sent_a_mapping(preset: str | None) -> None:
    calls = (ToolCall("c1", "read", {"path": "a"}), ToolCall("c2", "read", ""))
    assert replayed(answered(*calls), preset) == ['{"path":"a"}', "{}"]


@pytest.mark.row("B18")
def test_an_ollama_that_wants_text_is_given_text_from_then_on() -> None:
    refused = failing(400, {"message": REFUSED, "type": "invalid_request_error"})
    model, endpoint = model_at(refused, said(), said(), preset="ollama")
    messages = answered(ToolCall("c1", "read", {"path": "a"}))
    first = model.complete(ask(messages=messages))
    second = model.complete(ask(messages=messages))
    sent = [
        body["messages"][1]["tool_calls"][0]["function"]["arguments"]
        for body in endpoint.bodies
    ]
    assert sent == [{"path": "a"}, '{"path":"a"}', '{"path":"a"}']
    assert (first.notices, second.notices) == (("without_mapping",), ())


def test_a_server_that_obeys_no_tool_choice_is_shown_no_tool_at_the_end() -> None:
    model, endpoint = model_at(said(), preset="ollama")
    model.complete(ask(declared=(reader(),)))
    assert "tools" not in endpoint.bodies[0]
    assert "tool_choice" not in endpoint.bodies[0]
