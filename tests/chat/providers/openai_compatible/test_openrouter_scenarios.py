"""The scenario files of OpenRouter, over a real socket, request for request."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from chat.engine import (
    ErrorKind,
    ModelError,
    ModelFailed,
    ReplyStop,
    StopReason,
    Task,
    ToolAnswered,
    ToolOutcome,
    execute,
)
from chat.engine.model import Citation
from chat.providers.openai_compatible import OpenAICompatibleModel
from chat.providers.openai_compatible.assembly import Assembly
from chat.providers.openai_compatible.frames import frames
from chat.providers.openai_compatible.reply import Asked, read_reply
from chat.providers.openai_compatible.routing import Routing
from chat.providers.openai_compatible.search import WebPlugin, cited_results
from tests.chat.providers.following import followed
from tests.chat.providers.openai_compatible.endpoint import ask, failure_of, reader
from tests.fakes.model_server import ROUTER_KEY, ModelServer, Tolerance, load, wire
from tests.fakes.model_server.script import Source

MODEL = "anthropic/claude-sonnet-5.5"
PLUGIN = WebPlugin(max_results=3, engine="exa", search_prompt="Use these results:")
ROUTING = Routing(
    order=["anthropic"],
    allow_fallbacks=False,
    require_parameters=True,
    data_collection="deny",
)
STREAM = Path(__file__).parents[3] / "data" / "wire" / "29_openrouter_stream.sse"


# The files do not describe their tools, as every tool of the loop is described.
EXACT = Tolerance(details=frozenset(), extra_tools=frozenset({"recall"}))


@contextmanager
def model_of(source: Source, **options: Any) -> Iterator[OpenAICompatibleModel]:
    """A model that speaks to the scenario, with every parameter compared."""
    with wire(source, tolerance=EXACT) as server:
        model = router(server, **options)
        yield model
        model.close()


def router(server: ModelServer, **options: Any) -> OpenAICompatibleModel:
    """OpenRouter at the server."""
    return OpenAICompatibleModel(
        MODEL,
        api_key=ROUTER_KEY,
        base_url=f"{server.base_url}/api/v1",
        preset="openrouter",
        **options,
    )


@pytest.mark.row("C2")
def test_28_annotations_and_the_cost_of_a_search() -> None:
    expected = load("28_openrouter_annotations").expect
    with model_of("28_openrouter_annotations", search=PLUGIN, routing=ROUTING) as model:
        reply = model.complete(ask("April?"))
    [citation] = reply.citations
    assert reply.text == expected["final_text"]
    assert reply.text[citation.start : citation.end].startswith("[alpha.example.org]")
    assert [each.url for each in cited_results(reply)] == expected["urls"]
    assert reply.usage is not None
    assert str(model.price(reply.usage)) == str(expected["cost"])


@pytest.mark.row("C2")
@pytest.mark.row("A10")
@pytest.mark.parametrize("streams", [True, False])
def test_28_as_a_run_has_its_text_its_source_and_its_cost(streams: bool) -> None:
    """In one piece in any case: a run that searches never streams, as 29 would."""
    expected = load("28_openrouter_annotations").expect
    options = {"search": PLUGIN, "routing": ROUTING, "streams": streams}
    with model_of("28_openrouter_annotations", **options) as model:
        result = execute(model, Task("April?"))
    assert (result.output, result.stop) == (
        expected["final_text"],
        StopReason.COMPLETED,
    )
    assert [each.source for each in result.citations] == expected["urls"]
    assert result.report.cost == Decimal(str(expected["cost"]))


@pytest.mark.row("C2")
def test_29_is_refused_as_a_stream_before_anything_is_sent() -> None:
    with model_of("28_openrouter_annotations", search=PLUGIN, routing=ROUTING) as model:
        with pytest.raises(ModelError, match="stream"):
            model.stream(ask("April?"))
        model.complete(ask("April?"))


@pytest.mark.row("C2")
@pytest.mark.row("A10")
def test_29_decodes_with_its_comment_its_empty_piece_and_its_cost() -> None:
    expected = load("29_openrouter_stream").expect
    assembly = Assembly()
    text = "".join(assembly.take(frame) for frame in frames([STREAM.read_bytes()]))
    reply = read_reply(assembly.completion(), Asked(ask(), MODEL))
    assert text == reply.text == expected["final_text"]
    assert reply.citations == (
        Citation(
            kind="url_citation",
            start=0,
            end=15,
            source=expected["urls"][0],
            title="Alpha report",
            cited="Excerpt that the engine gave.",
            raw=reply.citations[0].raw,
        ),
    )
    assert str(getattr(reply.usage, "cost", None)) == str(expected["cost"])


@pytest.mark.row("A9")
@pytest.mark.row("A11")
def test_30_as_a_run_answers_both_calls_tries_again_and_stops_without_credit() -> None:
    """The file's errors meet the request with both answers, three times the same."""
    scenario = load("30_openrouter_tools_and_errors")
    first, *errors = scenario.exchanges
    script = [first, *(replace(each, expected=None) for each in errors)]
    schema = first.expected["body"]["tools"][0]["function"]["parameters"]
    tool = replace(reader(), input_schema=schema)
    with wire(script, tolerance=EXACT) as server:
        model = router(server, streams=False)
        events = followed(model, Task("Read a and b."), [tool])
        model.close()
    result = events[-1].result
    answered = [each for each in events if isinstance(each, ToolAnswered)]
    ran = [each for each in answered if each.outcome is ToolOutcome.RETURNED]
    failed = [each for each in answered if each.result.is_error]
    assert len(ran) == scenario.expect["tools_run"]
    assert len(failed) == scenario.expect["tool_errors"]
    kinds = [each.error_kind for each in events if isinstance(each, ModelFailed)]
    assert kinds == ["overloaded", "rate_limited", "spend_cap"]
    assert result.stop is StopReason.PROVIDER_UNAVAILABLE
    assert "Insufficient credits" in result.detail
    bodies = [request.body["messages"] for request in server.seen]
    assert [each["role"] for each in bodies[1]] == ["user", "assistant", "tool", "tool"]
    assert bodies[1] == bodies[2] == bodies[3]


@pytest.mark.row("A9")
@pytest.mark.row("A11")
def test_30_a_broken_call_an_error_in_a_200_a_limit_and_no_credit() -> None:
    with model_of("30_openrouter_tools_and_errors") as model:
        reply = model.complete(ask("Read a and b.", tools=(reader(),)))
        failures = [failure_of(model) for _ in range(3)]
    assert reply.stop is ReplyStop.TOOL_USE
    assert [call.arguments for call in reply.calls] == [{"path": "a"}, '{"path":"b"']
    assert [each.kind for each in failures] == [
        ErrorKind.OVERLOADED,
        ErrorKind.RATE_LIMITED,
        ErrorKind.SPEND_CAP,
    ]
    assert "Anthropic: Overloaded" in failures[0].message
    assert failures[1].facts["retry_after_s"] == 2.0
