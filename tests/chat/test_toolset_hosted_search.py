"""Searches by a provider: only what it cites is a result, and it must cite."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

import chat.toolset  # noqa: F401 - registers these searches
from chat.web.search import (
    SearchBackend,
    SearchError,
    SearchLimited,
    SearchRefused,
    SearchResult,
    SearchUnavailable,
    SearchUncited,
    backend,
)
from tests.chat.providers.openai_compatible.endpoint import (
    BASE_URL,
    KEY,
    Endpoint,
    failing,
)
from tests.chat.providers.openai_compatible.endpoint import said as answered
from tests.fakes.model_server import KEY as CLAUDE_KEY
from tests.fakes.model_server import ModelServer, failure, say, sdk_client, wire
from tests.fakes.model_server.replies import cited, hit, search

A, B = "https://weighed.org/a", "https://weighed.org/b"
PROSE = "Trust me, see https://evil.org/ too."


def annotation(url: str, **more: Any) -> dict[str, Any]:
    return {"type": "url_citation", "url_citation": {"url": url, **more}}


def openrouter(*answers: httpx.Response, **options: Any) -> Any:
    endpoint = Endpoint(answers)
    made = backend(
        "openrouter",
        api_key=KEY,
        base_url=BASE_URL,
        http_client=endpoint.client,
        **options,
    )
    return made, endpoint


@contextmanager
def anthropic(*script: Any) -> Iterator[tuple[SearchBackend, ModelServer]]:
    with wire(list(script)) as server:
        client = sdk_client(server)
        yield backend("anthropic", api_key=CLAUDE_KEY, http_client=client), server


@pytest.mark.row("C2")
def test_openrouter_gives_the_cited_sources_and_no_prose() -> None:
    sources = [
        annotation(A, title="A <b>page</b>", content="An excerpt."),
        annotation(B, title="B"),
        annotation("http://10.0.0.7/", title="Private"),
        annotation(A, title="Again"),
    ]
    made, endpoint = openrouter(answered(PROSE, annotations=sources))
    assert made.search("what is weighed?", 3) == [
        SearchResult("A page", A, "An excerpt."),
        SearchResult("B", B, ""),
    ]
    (body,) = endpoint.bodies
    assert body["plugins"] == [{"id": "web", "max_results": 3}]
    assert "stream" not in body
    assert body["messages"][-1]["content"] == "what is weighed?"


@pytest.mark.row("C2")
def test_openrouter_without_citations_is_an_error() -> None:
    made, _ = openrouter(answered(PROSE))
    with pytest.raises(SearchUncited, match="without citing"):
        made.search("what is weighed?")


@pytest.mark.parametrize(
    ("status", "error", "kind"),
    [
        (401, "No auth credentials found", SearchRefused),
        (402, "Insufficient credits", SearchLimited),
        (429, "Rate limit exceeded", SearchLimited),
        (503, "No instances available", SearchUnavailable),
        (400, "No such model", SearchUnavailable),
    ],
)
def test_a_failure_of_openrouter_has_its_kind(
    status: int, error: str, kind: type[SearchError]
) -> None:
    made, _ = openrouter(failing(status, {"code": status, "message": error}))
    with pytest.raises(SearchError) as raised:
        made.search("python")
    assert type(raised.value) is kind
    assert KEY not in str(raised.value)


def test_openrouter_says_when_to_ask_again() -> None:
    busy = failing(429, {"code": 429, "message": "Slow"}, {"retry-after": "9"})
    made, _ = openrouter(busy)
    with pytest.raises(SearchLimited) as raised:
        made.search("python")
    assert raised.value.retry_after_s == 9


def test_none_is_asked_of_no_provider() -> None:
    made, endpoint = openrouter()
    assert made.search("python", 0) == []
    assert endpoint.requests == []


@pytest.mark.row("B17")
def test_anthropic_gives_the_cited_sources_and_no_prose() -> None:
    answer = say(
        *search("what is weighed?", hit(A), hit(B)),
        PROSE,
        cited("Four metres", A),
        cited("Four metres, again", A),
    )
    with anthropic(answer) as (made, server):
        (found,) = made.search("what is weighed?", 5)
        (seen,) = server.seen
    assert found.url == A
    assert "evil.org" not in str(found)
    (tool,) = seen.body["tools"]
    assert (tool["name"], tool["max_uses"]) == ("web_search", 1)
    assert not seen.body.get("stream")


@pytest.mark.row("B17")
def test_anthropic_without_citations_is_an_error() -> None:
    with (
        anthropic(say(*search("python", hit(A)), PROSE)) as (made, _),
        pytest.raises(SearchUncited),
    ):
        made.search("python")


@pytest.mark.parametrize(
    ("code", "kind"),
    [("too_many_requests", SearchLimited), ("unavailable", SearchUnavailable)],
)
def test_a_search_that_failed_within_a_good_answer_is_no_empty_one(
    code: str, kind: type[SearchError]
) -> None:
    answer = say(*search("python", error=code), "I could not search.")
    with anthropic(answer) as (made, _), pytest.raises(kind, match=code):
        made.search("python")


@pytest.mark.parametrize(
    ("status", "kind"),
    [(401, SearchRefused), (429, SearchLimited), (529, SearchUnavailable)],
)
def test_a_failure_of_anthropic_has_its_kind(
    status: int, kind: type[SearchError]
) -> None:
    with anthropic(failure(status)) as (made, _), pytest.raises(kind):
        made.search("python")


def test_a_key_that_may_not_search_is_refused_whatever_was_answered() -> None:
    off = failure(400, "web search is not enabled for this organization")
    with (
        anthropic(off, say("From memory.")) as (made, _),
        pytest.raises(SearchRefused, match="may not search"),
    ):
        made.search("python")


def test_results_of_a_provider_are_held_to_the_same_rules() -> None:
    sources = [annotation(A, title="A"), annotation("https://evil.org/", title="E")]
    answer = answered("x", annotations=sources)
    made, endpoint = openrouter(answer, block=["evil.org"])
    assert [each.url for each in made.search("python", 1)] == [A]
    assert endpoint.bodies[0]["plugins"][0]["max_results"] == 10
