"""Servers at home: answers held to a schema, and what their presets say."""

from typing import Any

import pytest

from chat.engine import (
    ConfigurationError,
    ErrorKind,
    StopReason,
    Task,
    Tool,
    ToolResult,
    execute,
)
from chat.providers.openai_compatible.presets import preset_named
from tests.chat.providers.openai_compatible.endpoint import (
    PATH,
    ask,
    called,
    failing,
    failure_of,
    model_at,
    reader,
    said,
)

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}}
LOCAL = ("ollama", "vllm", "lm_studio", "llama_cpp")


@pytest.mark.parametrize("preset", LOCAL)
def test_a_local_server_holds_the_answer_to_the_schema(preset: str) -> None:
    model, endpoint = model_at(said('{"n": 3}'), preset=preset)
    reply = model.complete(ask(output_schema=SCHEMA))
    form = endpoint.bodies[0]["response_format"]
    assert form["type"] == "json_schema"
    assert form["json_schema"]["schema"] == SCHEMA
    assert reply.parsed == {"n": 3}


@pytest.mark.parametrize("preset", LOCAL)
def test_no_schema_is_sent_while_tools_may_be_called(preset: str) -> None:
    model, endpoint = model_at(said('{"n": 3}'), said('{"n": 3}'), preset=preset)
    tools = (reader(),)
    reply = model.complete(ask(output_schema=SCHEMA, tools=tools, declared=tools))
    assert "response_format" not in endpoint.bodies[0]
    assert reply.parsed is None
    model.complete(ask(output_schema=SCHEMA, declared=tools))
    assert "response_format" in endpoint.bodies[1]


@pytest.mark.row("B18")
def test_the_schema_is_sent_as_it_is_and_not_closed() -> None:
    nested = {"type": "object", "properties": {"a": SCHEMA}}
    model, endpoint = model_at(said(), preset="vllm")
    model.complete(ask(output_schema=nested, declared=(reader(),)))
    assert endpoint.bodies[0]["response_format"]["json_schema"]["schema"] == nested
    parameters = endpoint.bodies[0]["tools"][0]["function"]["parameters"]
    assert "additionalProperties" not in parameters


@pytest.mark.parametrize("preset", [None, "openrouter"])
def test_elsewhere_the_schema_is_not_sent(preset: str | None) -> None:
    model, endpoint = model_at(said('{"n": 3}'), preset=preset)
    assert model.complete(ask(output_schema=SCHEMA)).parsed is None
    assert "response_format" not in endpoint.bodies[0]


@pytest.mark.parametrize("text", ["", "Sorry.", "[1]", '{"n": ', "null"])
def test_an_answer_that_is_no_object_is_not_parsed(text: str) -> None:
    model, _ = model_at(said(text), preset="vllm")
    assert model.complete(ask(output_schema=SCHEMA)).parsed is None


def test_an_answer_that_was_cut_is_not_parsed() -> None:
    model, _ = model_at(said('{"n": 3}', finish="length"), preset="vllm")
    assert model.complete(ask(output_schema=SCHEMA)).parsed is None


@pytest.mark.row("B9")
@pytest.mark.parametrize("status", [400, 500])
def test_a_schema_that_cannot_be_held_is_told_apart(status: int) -> None:
    error = {"message": "Failed to convert the JSON schema to a grammar"}
    model, _ = model_at(failing(status, error), failing(status, error), preset="vllm")
    with_schema = failure_of(model, ask(output_schema=SCHEMA))
    assert with_schema.kind is ErrorKind.UNPARSEABLE
    assert failure_of(model).kind is not ErrorKind.UNPARSEABLE


@pytest.mark.parametrize(
    ("spelt", "name"),
    [
        ("LM Studio", "lm_studio"),
        ("llama.cpp", "llama_cpp"),
        ("OpenRouter", "openrouter"),
    ],
)
def test_a_preset_is_found_however_it_is_spelt(spelt: str, name: str) -> None:
    assert preset_named(spelt).name == name


@pytest.mark.parametrize(
    ("preset", "port"),
    [("ollama", 11434), ("vllm", 8000), ("lm_studio", 1234), ("llama_cpp", 8080)],
)
def test_a_local_server_has_its_usual_address(preset: str, port: int) -> None:
    model, endpoint = model_at(said(), preset=preset, base_url=None)
    model.complete(ask())
    address: Any = endpoint.requests[0].url
    assert (address.port, address.path) == (port, "/v1/chat/completions")


def test_the_window_of_a_server_that_cuts_in_silence_must_be_named() -> None:
    with pytest.raises(ConfigurationError, match="Set window to the context length"):
        model_at(preset="ollama", window=None)
    for preset in (None, "openrouter", "vllm", "lm_studio", "llama_cpp"):
        model, _ = model_at(preset=preset, window=None)
        assert model.profile.window is None


def test_nothing_longer_than_the_window_reaches_a_server_that_would_cut_it() -> None:
    pages = [called(("c", "read_file", f'{{"path": "{n}"}}')) for n in range(6)]
    model, endpoint = model_at(*pages, said(), preset="ollama", window=4_096)
    long = Tool("read_file", "Reads.", PATH, lambda _: ToolResult("word " * 2_000))
    result = execute(model, Task("Read them."), [long])
    assert result.stop is StopReason.COMPLETED
    sizes = [len(request.content) for request in endpoint.requests]
    assert max(sizes) < 4 * 4_096
