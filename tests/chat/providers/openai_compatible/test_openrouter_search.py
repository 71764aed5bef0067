"""OpenRouter's web search: cited sources are kept, prose is not, streams refused."""

from typing import Any

import pytest

from chat.engine import ConfigurationError, ErrorKind, ModelError
from chat.providers.openai_compatible.routing import Routing
from chat.providers.openai_compatible.search import (
    CitedResult,
    WebPlugin,
    WebSearchTool,
    cited_results,
)
from tests.chat.providers.openai_compatible.endpoint import (
    ask,
    delta,
    model_at,
    reader,
    said,
    streaming,
    whole_of,
)

A, B = "https://a.test/p", "https://b.test/p"


def annotation(url: str = A, **more: Any) -> dict[str, Any]:
    """A citation as OpenRouter writes it."""
    return {"type": "url_citation", "url_citation": {"url": url, **more}}


def searching(*answers: Any, **options: Any) -> Any:
    return model_at(*answers, preset="openrouter", **{"search": WebPlugin(), **options})


@pytest.mark.row("C2")
def test_the_prose_is_discarded_and_the_cited_sources_are_kept() -> None:
    sources = [annotation(A, title="A", content="Excerpt."), annotation(B, title="B")]
    model, _ = searching(said("Trust me, see https://evil.test.", annotations=sources))
    assert cited_results(model.complete(ask())) == [
        ("A", A, "Excerpt."),
        ("B", B, ""),
    ]


@pytest.mark.row("C2")
def test_an_answer_without_citations_has_no_results() -> None:
    model, _ = searching(said("I know it: https://evil.test."))
    assert cited_results(model.complete(ask())) == []


@pytest.mark.row("C2")
def test_a_source_that_is_cited_often_is_one_result_with_its_excerpt() -> None:
    twice = [annotation(A, title="A"), annotation(A, title="A", content="Excerpt.")]
    assert cited_results(twice) == [CitedResult("A", A, "Excerpt.")]
    assert cited_results(twice[::-1]) == [CitedResult("A", A, "Excerpt.")]


@pytest.mark.row("C2")
@pytest.mark.parametrize(
    "odd",
    [
        {"type": "file_citation", "url_citation": {"url": A}},
        {"type": "url_citation", "url_citation": {"url": "javascript:alert(1)"}},
        {"type": "url_citation", "url_citation": {"url": None}},
        {"type": "url_citation"},
        "url_citation",
        None,
    ],
)
def test_what_is_no_citation_of_a_page_is_no_result(odd: Any) -> None:
    assert cited_results([odd]) == []


@pytest.mark.row("C2")
def test_flat_citations_are_read_as_well() -> None:
    flat = {"type": "url_citation", "url": A, "title": "A", "start_index": 0}
    assert cited_results([flat]) == [("A", A, "")]


@pytest.mark.row("C2")
@pytest.mark.parametrize(
    "options",
    [
        {"search": WebPlugin()},
        {"search": WebSearchTool()},
        {"search": None, "model": "some/model:online"},
        {"search": None, "routing": Routing(models=["other/model:online"])},
    ],
)
def test_a_search_on_a_stream_is_refused_before_anything_is_sent(options: Any) -> None:
    model, endpoint = searching(said(), **options)
    assert model.profile.streams is False
    with pytest.raises(ModelError, match="web search cannot be asked for on a stream"):
        model.stream(ask())
    assert endpoint.requests == []


@pytest.mark.row("C2")
def test_the_refusal_is_not_tried_again() -> None:
    model, _ = searching()
    with pytest.raises(ModelError) as refused:
        model.stream(ask())
    assert refused.value.kind is ErrorKind.INVALID_REQUEST


@pytest.mark.row("C2")
def test_citations_of_a_stream_are_kept_from_pieces_without_text() -> None:
    found = annotation(A, title="A", start_index=0, end_index=5)
    model, _ = model_at(
        streaming(
            delta(content="Sales rose."),
            delta(content="", annotations=[found]),
            delta("stop", content=None),
        )
    )
    [citation] = whole_of(model.stream(ask())).citations
    assert (citation.source, citation.start, citation.end) == (A, 0, 5)
    assert citation.raw == found


@pytest.mark.row("C2")
def test_citations_are_kept_that_come_with_a_message_at_the_end() -> None:
    last = delta("stop", content="Sales rose.")
    last["choices"][0]["message"] = {"annotations": [annotation(A)]}
    model, _ = model_at(streaming(last))
    assert [each.url for each in cited_results(whole_of(model.stream(ask())))] == [A]


@pytest.mark.row("A10")
def test_offsets_are_code_points_of_the_text_and_never_beyond_it() -> None:
    text = "\U0001f600 rose"
    places = [(2, 6), (4, 99), (-3, 2), (5, 1), (None, "x")]
    found = [annotation(A, start_index=a, end_index=b) for a, b in places]
    model, _ = searching(said(text, annotations=found))
    citations = model.complete(ask()).citations
    assert [(each.start, each.end) for each in citations] == [
        (2, 6),
        (4, 6),
        (0, 2),
        (5, 5),
        (0, 0),
    ]
    assert text[citations[0].start : citations[0].end] == "rose"


def test_the_plugin_is_asked_for_with_what_is_set() -> None:
    plugin = WebPlugin(max_results=3, engine="exa", include_domains=["a.test"])
    model, endpoint = searching(said(), search=plugin)
    model.complete(ask())
    [sent] = endpoint.bodies[0]["plugins"]
    assert sent == {
        "id": "web",
        "max_results": 3,
        "engine": "exa",
        "include_domains": ["a.test"],
    }


def test_the_server_tool_stands_among_the_tools_and_its_name_is_its_own() -> None:
    tool = WebSearchTool(max_total_results=20, excluded_domains=["b.test"])
    model, endpoint = searching(said(), search=tool)
    ours = (reader(), reader("web_search"))
    model.complete(ask(tools=ours, declared=ours))
    first, second = endpoint.bodies[0]["tools"]
    assert first["function"]["name"] == "read_file"
    assert second == {
        "type": "openrouter:web_search",
        "parameters": {
            "max_results": 5,
            "max_total_results": 20,
            "excluded_domains": ["b.test"],
        },
    }


@pytest.mark.parametrize("search", [WebPlugin(), WebSearchTool()])
def test_nothing_is_searched_in_the_closing_turn(search: Any) -> None:
    model, endpoint = searching(said(), search=search)
    reply = model.complete(ask(declared=(reader(),)))
    assert "plugins" not in endpoint.bodies[0]
    assert len(endpoint.bodies[0]["tools"]) == 1
    assert reply.server_calls == ()


def test_the_plugin_counts_as_one_search_unless_the_server_counts() -> None:
    usage = {"prompt_tokens": 1, "completion_tokens": 1}
    told = {**usage, "server_tool_use": {"web_search_requests": 3}}
    model, _ = searching(said(usage=usage), said(usage=None), said(usage=told))
    replies = [model.complete(ask()) for _ in range(3)]
    assert [len(reply.server_calls) for reply in replies] == [1, 1, 3]
    assert [reply.usage and reply.usage.searches for reply in replies] == [1, None, 3]


def test_a_model_that_is_online_by_its_name_searches_to_the_end() -> None:
    online = {"search": None, "model": "some/model:online"}
    model, _ = searching(said(), said(), **online)
    asked = [ask(), ask(declared=(reader(),))]
    assert [model.complete(each).server_calls for each in asked] == [
        ("web_search",)
    ] * 2
    assert [model.estimate(each) for each in asked] == [None, None]


def test_no_addition_to_the_body_searches_unseen() -> None:
    for name in ("plugins", "web_search_options", "models"):
        with pytest.raises(ConfigurationError, match=name):
            searching(search=None, extra={name: {}})


def test_a_search_has_no_upper_price() -> None:
    model, _ = searching(model="anthropic/claude-sonnet-5.5")
    assert model.estimate(ask(max_output_tokens=10)) is None


@pytest.mark.parametrize("count", [0, -1, 26, 2.5, True, None])
def test_the_number_of_results_is_never_quietly_changed(count: Any) -> None:
    for kind in (WebPlugin, WebSearchTool):
        with pytest.raises(ConfigurationError, match="1 to 25"):
            kind(max_results=count)


def test_what_excludes_each_other_is_refused() -> None:
    with pytest.raises(ConfigurationError):
        WebPlugin(include_domains=["a.test"], exclude_domains=["b.test"])
    with pytest.raises(ConfigurationError):
        WebSearchTool(allowed_domains="a.test")
    with pytest.raises(ConfigurationError):
        WebPlugin(engine="auto")


@pytest.mark.parametrize("preset", [None, "openai", "ollama", "vllm"])
def test_no_other_server_is_asked_to_search(preset: str | None) -> None:
    with pytest.raises(ConfigurationError, match="no web search"):
        model_at(preset=preset, search=WebPlugin())
