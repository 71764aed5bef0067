"""Ten calls to the real Messages API, which cost a few cents.

    WEIGHHOUSE_LIVE=1 ANTHROPIC_API_KEY=... python -m pytest tests/live

They ask whether the API still is what the local model server plays. The traffic is
written as scenarios; docs/live-tests.md says how one becomes a test.
"""

import anthropic
import pytest

from chat.engine import ErrorKind, ModelError, ReplyStop
from chat.providers.server_search import ServerSearch
from tests.chat.providers.anthropic.wire import (
    ask,
    read_file,
    results,
    said,
    streamed,
)
from tests.live.conftest import MODEL, URL, Line, key

pytestmark = pytest.mark.live

WORD = "Answer with the one word harbour."
FILES = "Read the files a.txt, b.txt and c.txt, all three calls in this one turn."
SEARCH = "Search the web once: who maintains the Python package Django? Cite it."
# Long enough for the cache of every model.
RULES = "Weigh what is written, and nothing else. " * 700
NOWHERE = "claude-of-nowhere-1"
TOWN = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "place": {
            "type": "object",
            "properties": {"country": {"type": "string", "minLength": 2}},
            "required": ["country"],
        },
    },
    "required": ["name", "place"],
}


def test_a_plain_answer(line: Line) -> None:
    reply = line.model(stream=False).complete(ask(WORD, max_output_tokens=2_048))
    assert "harbour" in reply.text.lower()
    assert reply.stop is ReplyStop.END_TURN
    assert reply.usage is not None
    assert reply.usage.prompt_tokens > 0 < reply.usage.output_tokens


def test_three_tools_in_one_turn(line: Line) -> None:
    model, tools = line.model(), (read_file("The tide is at 4 m.\n"),)
    called = model.complete(ask(FILES, tools=tools))
    assert sorted(str(each.arguments) for each in called.calls) == [
        str({"path": f"{name}.txt"}) for name in "abc"
    ]
    said_so = (said(called), results(called, "The tide is at 4 m.\n"))
    answer = model.complete(ask(FILES, *said_so, tools=tools))
    assert "4" in answer.text


def test_a_search_with_citations(line: Line) -> None:
    model = line.model(search=ServerSearch(max_uses=1))
    reply = model.complete(ask(SEARCH))
    assert reply.server_calls == ("web_search",)
    assert reply.citations
    assert all(each.source.startswith("http") for each in reply.citations)
    assert reply.usage is not None
    assert reply.usage.searches == 1


def test_a_streamed_search_with_citations(line: Line) -> None:
    model = line.model(search=ServerSearch(max_uses=1))
    pieces, reply = streamed(model, ask(SEARCH))
    assert pieces == reply.text
    assert reply.citations


def test_an_answer_in_a_schema(line: Line) -> None:
    request = ask("Which town has the Rijksmuseum?", output_schema=TOWN)
    reply = line.model().complete(request)
    assert isinstance(reply.parsed, dict)
    assert reply.parsed["name"] == "Amsterdam"
    assert reply.parsed["place"].keys() == {"country"}


def test_a_wrong_model_name_is_told_with_the_head_of_the_error(line: Line) -> None:
    with pytest.raises(ModelError) as raised:
        line.model(NOWHERE).complete(ask(WORD))
    assert raised.value.kind is ErrorKind.INVALID_REQUEST
    assert "404 not_found_error" in raised.value.message
    assert NOWHERE in raised.value.message
    assert "req_" in raised.value.message


def test_a_second_call_reads_the_cache(line: Line) -> None:
    model, request = line.model(), ask(WORD, system=RULES, max_output_tokens=2_048)
    first, second = (model.complete(request).usage for _ in range(2))
    assert first is not None
    assert first.cache_write_tokens + first.cache_read_tokens > 4_096
    assert second is not None
    assert second.cache_read_tokens > 4_096


def test_tokens_are_counted(line: Line) -> None:
    client = anthropic.Anthropic(
        api_key=key(), base_url=URL, http_client=line.client, max_retries=0
    )
    message = {"role": "user", "content": WORD}
    counted = client.messages.count_tokens(model=MODEL, messages=[message])
    assert counted.input_tokens > 0
