"""Runs against servers that refuse what the real ones refuse, streamed and not."""

from typing import Any

import pytest

from chat.engine import AgentResult, Limits, StopReason, Task, execute
from chat.providers.openai_compatible import OpenAICompatibleModel
from tests.chat.providers.openai_compatible.endpoint import reader
from tests.fakes.model_server import ROUTER_KEY, refused, wire
from tests.fakes.model_server.chat.dialects import (
    LLAMA_CPP,
    LM_STUDIO,
    OLLAMA,
    OPENAI,
    OPENROUTER,
    VLLM,
    Dialect,
)
from tests.fakes.model_server.chat.replies import chat, chat_failure, inside_200, tool

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
ALL = (OPENROUTER, OPENAI, OLLAMA, VLLM, LM_STUDIO, LLAMA_CPP)
BOTH = pytest.mark.parametrize("streams", [False, True])


def ran(
    dialect: Dialect,
    *script: Any,
    model: str = "some/model",
    streams: bool = False,
    schema: Any = None,
    **options: Any,
) -> AgentResult:
    """Run a task over the script; the server complains of what it would refuse."""
    with wire(script, dialect=dialect) as server:
        asked = OpenAICompatibleModel(
            model,
            api_key=ROUTER_KEY,
            base_url=f"{server.base_url}/v1",
            preset=dialect.name,
            window=64_000,
            streams=streams,
            **options,
        )
        result = execute(
            asked,
            Task("Read them.", system="Be brief.", output_schema=schema),
            (reader(),),
            limits=Limits(tick_s=0.02, tool_calls=4),
        )
        asked.close()
        return result


@pytest.mark.row("B18")
@pytest.mark.row("A11")
@BOTH
@pytest.mark.parametrize("dialect", ALL)
def test_a_conversation_with_calls_good_and_broken_is_taken_by_every_server(
    dialect: Dialect, streams: bool
) -> None:
    broken = {"arguments": '{"path":'} if dialect is not OLLAMA or streams else {}
    result = ran(
        dialect,
        chat(
            "First:",
            tool("read_file", path="a"),
            tool("read_file", path="b"),
            tool("read_file", **broken),
        ),
        chat(None, tool("read_file", path="c")),
        chat("All read."),
        streams=streams,
    )
    assert (str(result), result.stop) == ("All read.", StopReason.COMPLETED)


@BOTH
@pytest.mark.parametrize("dialect", ALL)
def test_a_run_out_of_calls_ends_in_an_answer_in_its_schema(
    dialect: Dialect, streams: bool
) -> None:
    calls = [tool("read_file", path=str(place)) for place in range(5)]
    result = ran(
        dialect,
        chat(None, *calls),
        chat('{"n": 3}'),
        streams=streams,
        schema=SCHEMA,
    )
    assert result.parsed == {"n": 3}
    assert result.stop is StopReason.TOOL_BUDGET


@BOTH
def test_errors_before_and_after_the_first_word_are_tried_again(streams: bool) -> None:
    result = ran(
        OPENROUTER,
        chat_failure(429, retry_after=0.01),
        inside_200(502, raw='{"error": {"type": "overloaded_error"}}'),
        chat("At last."),
        streams=streams,
    )
    assert (str(result), result.stop) == ("At last.", StopReason.COMPLETED)
    assert result.report.counters.retries == 2


@pytest.mark.parametrize("fault", ["cut_after", "end_after", "error_after"])
def test_a_stream_that_fails_on_the_way_is_tried_again(fault: str) -> None:
    half = chat("word " * 50).streamed(piece=8, **{fault: 9})
    result = ran(OPENROUTER, half, chat("The whole answer."), streams=True)
    assert str(result) == "The whole answer."


def test_a_model_that_must_reason_is_asked_without_the_override() -> None:
    result = ran(
        OPENROUTER,
        refused("Reasoning is mandatory"),
        chat("Thought about it."),
        model="anthropic/claude-opus-5.5",
        reasoning={"enabled": False},
    )
    assert str(result) == "Thought about it."
    assert result.report.counters.fallbacks == 1
