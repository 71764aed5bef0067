"""One change to a good request of a scenario, and the contract refuses it."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.fakes.model_client import refusal
from tests.fakes.model_server import ModelServer, load, names, say

Body = dict[str, Any]
GOOD = [
    pytest.param(name, exchange.expected["body"], id=exchange.title)
    for name in names()
    for exchange in load(name).exchanges
    if load(name).provider == "anthropic"
    and exchange.reply.status == 200
    and not exchange.unchecked
    and exchange.expected["path"] == "/v1/messages"
]


def _blocks(body: Body, *kinds: str) -> list[tuple[list[Any], Any]]:
    """Every block of these kinds, with the list that holds it."""
    return [
        (message["content"], block)
        for message in body["messages"]
        if isinstance(message["content"], list)
        for block in message["content"]
        if block["type"] in kinds or not kinds
    ]


def _drop_an_answer(body: Body) -> None:
    for content, block in _blocks(body, "tool_result")[:1]:
        content.remove(block)
        content.append({"type": "text", "text": "no answer"})


def _say_something_before_the_answers(body: Body) -> None:
    for content, _ in _blocks(body, "tool_result")[:1]:
        content.insert(0, {"type": "text", "text": "here:"})


def _answer_twice(body: Body) -> None:
    for content, block in _blocks(body, "tool_result")[:1]:
        content.insert(0, block)


def _call_twice(body: Body) -> None:
    for content, block in _blocks(body, "tool_use", "server_tool_use")[:1]:
        content.append(block)


def _add_a_key(body: Body) -> None:
    for _, block in _blocks(body)[:1]:
        block["index"] = 0


def _rename_a_type(body: Body) -> None:
    for _, block in _blocks(body)[:1]:
        block["type"] += "s"


def _change_a_source(body: Body) -> None:
    for _, block in _blocks(body, "web_search_tool_result")[:1]:
        for hit in block["content"]:
            hit["encrypted_content"] += "x"


def _forget_a_source(body: Body) -> None:
    for _, block in _blocks(body, "web_search_tool_result")[:1]:
        for hit in block["content"]:
            del hit["encrypted_content"]


def _change_a_thought(body: Body) -> None:
    for _, block in _blocks(body, "thinking")[:1]:
        block["thinking"] += " or not"


def _forget_a_signature(body: Body) -> None:
    for _, block in _blocks(body, "thinking")[:1]:
        del block["signature"]


def _drop_a_hidden_thought(body: Body) -> None:
    for content, block in _blocks(body, "redacted_thinking")[:1]:
        content.remove(block)


def _drop_a_servers_call(body: Body) -> None:
    for content, block in _blocks(body, "server_tool_use")[:1]:
        if any(b.get("tool_use_id") == block["id"] for b in content):
            content.remove(block)


def _write_an_input_as_text(body: Body) -> None:
    for _, block in _blocks(body, "tool_use", "server_tool_use")[:1]:
        block["input"] = str(block["input"])


def _say_nothing(body: Body) -> None:
    body["messages"][0]["content"] = [{"type": "text", "text": ""}]


def _forget_the_container(body: Body) -> None:
    # A program that has come to its end can do without.
    if _blocks(body, "tool_result"):
        body.pop("container", None)


def _invent_a_container(body: Body) -> None:
    if "container" in body:
        body["container"] = "container_other"


def _put_words_into_a_paused_turn(body: Body) -> None:
    calls = {block["id"] for _, block in _blocks(body, "server_tool_use")}
    results = {block.get("tool_use_id") for _, block in _blocks(body)}
    if calls - results and body["messages"][-1]["role"] == "assistant":
        body["messages"].append({"role": "user", "content": "Go on."})


def _name_a_tool_twice(body: Body) -> None:
    if body.get("tools"):
        body["tools"] = [*body["tools"], body["tools"][0]]


def _ask_for_a_tool_of_the_future(body: Body) -> None:
    for tool in body.get("tools", []):
        tool["type"] = "web_search_20991231"


def _set_the_temperature(body: Body) -> None:
    body["temperature"] = 1.0


MUTATIONS: dict[Callable[[Body], None], str] = {
    _drop_an_answer: "`tool_use` ids were found without `tool_result` blocks",
    _say_something_before_the_answers: "ids were found without `tool_result` blocks",
    _answer_twice: "each tool_use must have a single result",
    _call_twice: "`tool_use` ids must be unique",
    _add_a_key: "Extra inputs are not permitted",
    _rename_a_type: "does not match any of the expected tags",
    _change_a_source: "Invalid `encrypted_content` in `search_result` block",
    _forget_a_source: "Invalid `encrypted_content` in `search_result` block",
    _change_a_thought: "cannot be modified",
    _forget_a_signature: "thinking.signature: Field required",
    _drop_a_hidden_thought: "cannot be modified",
    _drop_a_servers_call: "unexpected `tool_use_id` found in",
    _write_an_input_as_text: "input: Input should be a valid dictionary",
    _say_nothing: "text content blocks must be non-empty",
    _forget_the_container: "container_id is required",
    _invent_a_container: "'container_other' was not found or has expired",
    _put_words_into_a_paused_turn: "was found without a corresponding",
    _name_a_tool_twice: "tools: Tool names must be unique.",
    _ask_for_a_tool_of_the_future: "Input tag 'web_search_20991231' found",
    _set_the_temperature: "temperature: Extra inputs are not permitted",
}


BEHIND = "Invalid `signature` in `thinking` block"


def _mutants(mutate: Callable[[Body], None]) -> Iterator[tuple[str, Body]]:
    for name, good in ((param.values[0], param.values[1]) for param in GOOD):
        mutant = copy.deepcopy(good)
        mutate(mutant)
        if mutant != good:
            yield name, mutant


@pytest.mark.parametrize("mutate", MUTATIONS, ids=lambda m: m.__name__[1:])
def test_a_changed_request_is_refused(mutate: Callable[[Body], None]) -> None:
    mutants = list(_mutants(mutate))
    assert mutants
    for name, mutant in mutants:
        server = ModelServer([say("1")])
        server.presuppose(load(name))
        said = refusal(server, mutant)
        # Thinking behind what was changed was written to something else.
        assert MUTATIONS[mutate] in said or BEHIND in said


@pytest.mark.parametrize(("name", "good"), GOOD)
def test_the_unchanged_request_is_accepted(name: str, good: Body) -> None:
    server = ModelServer([say("1")])
    server.presuppose(load(name))
    assert refusal(server, good) == ""
