"""Own search results on the wire: cited passage by passage, through the whole loop."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from chat.engine import AgentResult, Limits, Plugin, Task, ToolResult, execute
from chat.providers.own_results import Readers
from chat.providers.server_search import ServerSearch
from chat.toolset import CITED_TOOLS, document_tools
from chat.web.search import Document
from chat.web.search.rendering import Hit, parse_address
from tests.chat.providers.anthropic.wire import talking
from tests.fakes.model_server import ModelServer, call, say
from tests.fakes.model_server.replies import Reply, cited, hit, search, text

TIDES = Document("https://tides.example/a", "Tides", "Intro.\n\nThe tide is 4 m high.")
MOON = Document(
    "doc:moon", "", "# Moon\n\nThe moon pulls the tide.\n\nNobody lives there."
)
METRES = {
    "type": "object",
    "properties": {"metres": {"type": "integer"}},
    "required": ["metres"],
    "additionalProperties": False,
}
URL = "https://alpha.example.org/p"


def look() -> Any:
    """A search that finds both."""
    return call("search_documents", query="tide")


def runs(
    source: list[Any] | Callable[[Any], Reply],
    *,
    documents: tuple[Document, ...] = (TIDES, MOON),
    plugins: tuple[Plugin, ...] = (),
    limits: Limits | None = None,
    schema: Mapping[str, Any] | None = None,
    cited_tools: Readers = CITED_TOOLS,
    **options: Any,
) -> tuple[AgentResult, ModelServer]:
    """A run with the tools for documents, and the server that it asked."""
    task = Task("How high is the tide?", output_schema=schema)
    tools = document_tools(documents)
    with talking(source, cited_tools=cited_tools, **options) as (model, server):
        result = execute(model, task, tools, plugins=plugins, limits=limits or Limits())
    return result, server


def shown(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Every search_result of a request, in the order that a citation counts in."""
    return [
        inner
        for message in body["messages"]
        for block in message["content"]
        if isinstance(block.get("content"), list) and block["type"] == "tool_result"
        for inner in block["content"]
    ]


def of_result(body: Mapping[str, Any], index: int) -> dict[str, Any]:
    """A citation of the search_result with that index, as the API words it."""
    result = shown(body)[index]
    return {
        "type": "search_result_location",
        "cited_text": result["content"][0]["text"],
        "search_result_index": index,
        "source": result["source"],
        "title": result["title"],
        "start_block_index": 0,
        "end_block_index": 1,
    }


def results_of(server: ModelServer, request: int = -1) -> list[Any]:
    """What stands in the tool results of a request: a text, or blocks."""
    return [
        block.get("content")
        for message in server.seen[request].body["messages"]
        for block in message["content"]
        if block["type"] == "tool_result"
    ]


def test_a_citation_leads_to_the_document_and_its_characters() -> None:
    def answer(request: Any) -> Reply:
        if not shown(request.body):
            return say(look())
        return say(text("It is 4 m.", of_result(request.body, 0)), " The moon does it.")

    result, server = runs(answer)
    (citation,) = result.citations
    place = parse_address(citation.source)
    assert place == Hit(TIDES.uri, 0, len(TIDES.text))
    assert citation.title == "Tides"
    assert TIDES.text[place.start : place.end].split() == citation.cited.split()
    assert result.output[citation.start : citation.end] == "It is 4 m."
    assert [each["citations"] for each in shown(server.seen[-1].body)] == [
        {"enabled": True}
    ] * 2


def test_a_page_that_was_read_is_cited_by_its_paragraphs() -> None:
    def answer(request: Any) -> Reply:
        if not shown(request.body):
            return say(call("read_document", uri=MOON.uri))
        return say(text("The moon.", of_result(request.body, 1)))

    result, server = runs(answer)
    head, *_ = shown(server.seen[-1].body)
    assert head["content"][0]["text"] == f"Characters 0 to {len(MOON.text)} of 53."
    (citation,) = result.citations
    place = parse_address(citation.source)
    assert place is not None
    assert MOON.text[place.start : place.end] == citation.cited


def test_own_and_web_results_are_cited_side_by_side() -> None:
    def answer(request: Any) -> Reply:
        if not shown(request.body):
            return say(*search("tides", hit(URL)), look())
        own = of_result(request.body, 0)
        return say(text("4 m here,", own), cited(" 5 m there.", URL))

    result, server = runs(answer, search=ServerSearch())
    assert [each.kind for each in result.citations] == [
        "search_result_location",
        "web_search_result_location",
    ]
    assert all(each["citations"]["enabled"] for each in shown(server.seen[-1].body))


def test_a_cited_reply_is_sent_back_with_its_citations() -> None:
    def answer(request: Any) -> Reply:
        found = len(shown(request.body))
        if found == 0:
            return say(look())
        if found == 2:
            said = text("It is 4 m.", of_result(request.body, 0))
            return say(said, call("read_document", uri=MOON.uri))
        return say("Done.")

    _, server = runs(answer)
    (said,) = [
        block
        for message in server.seen[-1].body["messages"]
        if message["role"] == "assistant"
        for block in message["content"]
        if block["type"] == "text"
    ]
    assert said["citations"] == [of_result(server.seen[1].body, 0)]


@pytest.mark.parametrize("readers", [CITED_TOOLS, {}])
def test_what_can_be_cited_is_never_sent_with_a_schema(readers: Readers) -> None:
    script = [say(look()), say('{"metres": "4"}'), say('{"metres": 4}')]
    result, server = runs(script, schema=METRES, cited_tools=readers)
    assert result.parsed == {"metres": 4}
    finalizer = server.seen[-1].body
    assert bool(shown(finalizer)) is bool(readers)
    assert ("output_config" in finalizer) is (not readers)


def test_a_failed_call_is_sent_as_the_text_that_it_is() -> None:
    _, server = runs([say(call("read_document", uri="doc:none")), say("Nothing.")])
    assert results_of(server) == ["There is no document 'doc:none'."]


def test_a_search_that_found_nothing_is_sent_as_a_text() -> None:
    _, server = runs([say(call("search_documents", query="zebra")), say("Nothing.")])
    assert results_of(server) == ["[]"]


class Failing(Plugin):
    """Marks each result as failed, whatever it holds."""

    def after_tool(self, call: Any, result: ToolResult) -> ToolResult:
        return ToolResult(result.content, is_error=True)


def test_hits_of_a_call_that_counts_as_failed_are_not_cited() -> None:
    _, server = runs([say(look()), say("Nothing.")], plugins=(Failing(),))
    assert not shown(server.seen[-1].body)
    assert isinstance(results_of(server)[0], str)


def test_a_page_that_was_cut_is_sent_as_the_text_that_it_is() -> None:
    lines = "\n\n".join(f"The tide of day {day} is 4 m high." for day in range(2_000))
    diary = Document("doc:diary", "Diary", lines)
    pages = [
        call("read_document", uri="doc:diary", offset=place * 20_000, limit=20_000)
        for place in range(3)
    ]
    script = [*(say(look(), page) for page in pages), say("4 m.")]
    result, server = runs(
        script, documents=(TIDES, diary), limits=Limits(window=12_000)
    )
    assert result.report.counters.masks
    hits, page = results_of(server)
    assert hits == shown(server.seen[-1].body)
    assert isinstance(page, str)
    assert page.startswith("[You have not seen this whole: ")


def test_a_result_that_a_program_reads_is_a_text() -> None:
    """Nothing else is taken while the program waits for it."""
    code = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "code_execution"}
    by_code = {"type": "code_execution_20260120", "tool_id": "srvtoolu_1"}
    container = {"id": "container_1", "expires_at": "2026-11-30T20:15:00Z"}
    called = {**look(), "caller": by_code}
    script = [
        say({**code, "input": {"code": "..."}}, called, container=container),
        say("Done."),
    ]
    filtering = ServerSearch(
        version="web_search_20260209",
        dynamic_filtering=True,
        code_execution="code_execution_20260120",
        code_tools=["search_documents"],
    )
    result, server = runs(script, search=filtering)
    assert result.output == "Done."
    (given,) = results_of(server, 1)
    assert isinstance(given, str)
    assert "4 m high" in given
