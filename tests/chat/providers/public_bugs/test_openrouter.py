"""Rows 38 and 39: sources and errors that others lost between OpenRouter and them."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from chat.engine import (
    AgentResult,
    ErrorKind,
    Event,
    ModelFailed,
    StopReason,
    Task,
    run,
)
from chat.providers.openai_compatible import OpenAICompatibleModel
from chat.providers.openai_compatible.search import WebPlugin, cited_results
from tests.chat.providers.public_bugs.playing import cited_text, reader
from tests.fakes.model_server import ROUTER_KEY, ModelServer, plain_client, wire
from tests.fakes.model_server.chat.replies import (
    chat,
    chat_failure,
    inside_200,
    tool,
    url_citation,
)
from tests.fakes.model_server.script import Source

URL = "https://a.example.org/p"
OTHER = "https://b.example.org/q"
WORDS = "High water is 4 m, low water 1 m."
SOURCES = [
    url_citation(URL, 14, 17, title="Tides", content="4 m at noon"),
    {"type": "file_citation", "file_citation": {"file_id": "f"}},
    url_citation(OTHER, 29, 32),
]
OVERLOADED = {
    "type": "error",
    "error": {"type": "overloaded_error", "message": "Overloaded"},
}


@contextmanager
def routed(
    source: Source, **options: Any
) -> Iterator[tuple[OpenAICompatibleModel, ModelServer]]:
    with wire(source, socket=False) as server:
        yield (
            OpenAICompatibleModel(
                "anthropic/claude-sonnet-5.5",
                api_key=ROUTER_KEY,
                base_url="http://127.0.0.1/api/v1",
                preset="openrouter",
                http_client=plain_client(server),
                **options,
            ),
            server,
        )


def play(source: Source, **options: Any) -> tuple[list[Event], AgentResult]:
    with routed(source, **options) as (model, _):
        events = list(run(model, Task("How high?"), [reader()]))
    result: AgentResult = events[-1].result  # type: ignore[union-attr]
    return events, result


@pytest.mark.row("C2")
@pytest.mark.parametrize(
    "options",
    [{"search": WebPlugin()}, {"streams": False}, {}],
    ids=["plugin", "whole", "streamed"],
)
def test_bug_38_annotations_are_kept_though_their_chunk_has_no_text(
    options: Any,
) -> None:
    """ai-sdk-provider#63, bifrost#2543, litellm#9358, pydantic-ai#7338: dropped, for
    their type was unknown or the content beside them empty."""
    script = [chat(None, tool("read_file", path="a")), chat(WORDS, annotations=SOURCES)]
    _, result = play(script, **options)
    assert result.output == WORDS
    assert cited_text(result) == [("4 m", URL), ("1 m", OTHER)]
    assert result.citations[0].title == "Tides"


@pytest.mark.row("C2")
def test_bug_38_of_a_search_the_cited_sources_are_the_results() -> None:
    """pydantic-ai#7338: the sources of the plugin never came to the program."""
    _, result = play([chat(WORDS, annotations=SOURCES)], search=WebPlugin())
    raw = [each.raw for each in result.citations]
    assert cited_results(raw) == [("Tides", URL, "4 m at noon"), ("", OTHER, "")]


@pytest.fixture
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chat.engine.model_turn.FIRST_BACKOFF_S", 0.001)


@pytest.mark.row("A9")
@pytest.mark.usefixtures("_soon")
@pytest.mark.parametrize("streams", [False, True])
@pytest.mark.parametrize("failing", [inside_200, chat_failure], ids=["200", "502"])
def test_bug_39_what_the_provider_says_is_unwrapped_and_acted_on(
    failing: Any, streams: bool
) -> None:
    """forgecode#892, CLIProxyAPI#497: an error in the body of a 200 was an empty
    answer, and its text was hidden in `raw`."""
    broken = failing(502, raw=json.dumps(OVERLOADED), provider_name="Anthropic")
    events, result = play([broken, chat(WORDS)], streams=streams)
    assert result.output == WORDS
    [failed] = [each for each in events if isinstance(each, ModelFailed)]
    assert failed.error_kind is ErrorKind.OVERLOADED
    assert "Anthropic: Overloaded" in failed.message


@pytest.mark.row("A9")
def test_bug_39_an_error_for_good_is_shown_in_the_providers_own_words() -> None:
    """CLIProxyAPI#497: all that was shown was "Provider returned error"."""
    words = "tools.0: Input tag 'web_search_20991231' is not known"
    raw = {"error": {"type": "invalid_request_error", "message": words}}
    broken = inside_200(400, "Provider returned error", raw=json.dumps(raw))
    _, result = play([broken], streams=False)
    assert (result.stop, result.output) == (StopReason.ERROR, "")
    assert words in result.detail
