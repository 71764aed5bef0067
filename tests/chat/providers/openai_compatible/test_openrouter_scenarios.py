"""The scenario files of OpenRouter, over a real socket, request for request."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from chat.engine import ErrorKind, ModelError, ReplyStop
from chat.engine.model import Citation
from chat.providers.openai_compatible import OpenAICompatibleModel
from chat.providers.openai_compatible.assembly import Assembly
from chat.providers.openai_compatible.frames import frames
from chat.providers.openai_compatible.reply import Asked, read_reply
from chat.providers.openai_compatible.routing import Routing
from chat.providers.openai_compatible.search import WebPlugin, cited_results
from tests.chat.providers.openai_compatible.endpoint import ask, failure_of, reader
from tests.fakes.model_server import ROUTER_KEY, Tolerance, load, wire

MODEL = "anthropic/claude-sonnet-5.5"
PLUGIN = WebPlugin(max_results=3, engine="exa", search_prompt="Use these results:")
ROUTING = Routing(
    order=["anthropic"],
    allow_fallbacks=False,
    require_parameters=True,
    data_collection="deny",
)
STREAM = Path(__file__).parents[3] / "data" / "wire" / "29_openrouter_stream.sse"


@contextmanager
def model_of(name: str, **options: Any) -> Iterator[OpenAICompatibleModel]:
    """A model that speaks to the scenario, with every parameter compared."""
    with wire(name, tolerance=Tolerance(details=frozenset())) as server:
        base_url = f"{server.base_url}/api/v1"
        model = OpenAICompatibleModel(
            MODEL,
            api_key=ROUTER_KEY,
            base_url=base_url,
            preset="openrouter",
            **options,
        )
        yield model
        model.close()


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
