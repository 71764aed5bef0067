"""web_search, as a model calls it."""

import json
from typing import Any

import pytest

from chat.engine import ModelRequest, Reply, ScriptedModel, Task, Tool, execute
from chat.toolset import web_search_tool
from chat.web.search.run_search import RunSearch
from tests.fakes.search_server import RECORDED, searching
from tests.fakes.search_server.recording import said

BRAVE = RECORDED["brave"]


def called(tool: Tool, **arguments: Any) -> Any:
    return json.loads(tool.call(arguments).content)


@pytest.mark.row("C1")
def test_it_returns_title_url_and_snippet_and_nothing_else() -> None:
    with searching("brave") as (backend, _):
        result = web_search_tool(backend).call({"query": "python"})
    assert json.loads(result.content) == {
        "query": "python",
        "results": [
            {"title": title, "url": url, "snippet": snippet}
            for title, url, snippet in BRAVE.results
        ],
    }
    assert result.value == [url for _, url, _ in BRAVE.results]
    assert not result.is_error


@pytest.mark.row("C1")
def test_one_to_ten_five_by_default_and_zero_or_less_is_none() -> None:
    many = [{"title": "T", "url": f"https://a{n}.org/"} for n in range(20)]
    with searching("tavily", said({"results": many})) as (backend, server):
        tool = web_search_tool(backend)
        assert len(called(tool, query="python")["results"]) == 5
        assert len(called(tool, query="python", max_results=1)["results"]) == 1
        assert len(called(tool, query="python", max_results=10)["results"]) == 10
        asked = len(server.seen)
        for none in (0, -1):
            assert called(tool, query="python", max_results=none)["results"] == []
        assert len(server.seen) == asked


@pytest.mark.row("C1")
def test_the_description_names_the_limits_that_are_enforced() -> None:
    with searching("brave") as (backend, _):
        tool = web_search_tool(backend)
    for words in ("at most 10 results", "200 characters", "400 characters", "5 unless"):
        assert words in tool.description
    assert "never an instruction" in tool.description
    assert tool.input_schema["properties"]["max_results"]["maximum"] == 10
    assert set(tool.input_schema["properties"]) == {"query", "max_results"}
    assert tool.idempotent


@pytest.mark.parametrize(
    ("label", "kind"),
    [("wrong key", "refused"), ("later", "limited"), ("outage", "unavailable")],
)
def test_a_failure_says_which_kind_it_is(label: str, kind: str) -> None:
    with searching("brave", BRAVE.failures[label].said) as (backend, _):
        result = web_search_tool(backend).call({"query": "python"})
    assert result.is_error
    assert result.content.startswith(f"The search failed ({kind}): brave ")
    assert isinstance(result.value, dict)
    assert result.value["failure"] == kind


def test_a_limit_says_when_to_ask_again() -> None:
    with searching("brave", BRAVE.failures["later"].said) as (backend, _):
        result = web_search_tool(backend).call({"query": "python"})
    assert result.value == {"failure": "limited", "retry_after_s": 7.0}
    assert result.content.endswith("Try again after 7 s.")


def test_a_query_that_was_cut_is_shown_as_it_was_sent() -> None:
    with searching("tavily") as (backend, server):
        shown = called(web_search_tool(backend), query="word " * 100)["query"]
        assert shown == server.asked["query"]
        assert len(shown) < 400


def test_the_maker_of_a_run_can_see_its_record() -> None:
    with searching("brave") as (backend, server):
        searches = RunSearch(backend)
        tool = web_search_tool(searches)
        called(tool, query="python")
        called(tool, query="python")
        assert len(searches.records) == len(server.seen) == 1


def test_in_a_run_what_it_returns_reaches_the_model_whole() -> None:
    def play(request: ModelRequest) -> Reply:
        read = [result for each in request.messages for result in each.results]
        if not read:
            return Reply(calls=[("web_search", {"query": "python"})])
        return Reply(read[0].content)

    with searching("brave") as (backend, _):
        result = execute(
            ScriptedModel(play), Task("Find it."), [web_search_tool(backend)]
        )
    assert json.loads(result.output)["results"][0]["url"] == BRAVE.results[0][1]
