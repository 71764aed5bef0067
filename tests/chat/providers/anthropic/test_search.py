"""The provider's own web search: its block, who gets it, and what is tried instead."""

from typing import Any

import pytest

from chat.engine import ConfigurationError, Task, execute
from chat.providers.server_search import BASIC, ServerSearch, UserLocation
from tests.chat.providers.anthropic.wire import (
    ask,
    read_file,
    results,
    said,
    streamed,
    talking,
)
from tests.fakes.model_server import ModelServer, call, failure, refused, say
from tests.fakes.model_server.replies import cited, hit, search

NEWER = "web_search_20260209"
URL = "https://alpha.example.org/p"
OFF = failure(400, "web search is not enabled for this organization")


def tools_of(server: ModelServer, request: int = 0) -> list[Any]:
    tools: list[Any] = server.seen[request].body.get("tools", [])
    return [
        {key: value for key, value in tool.items() if key != "cache_control"}
        for tool in tools
    ]


def test_the_block_is_the_basic_version_with_five_uses() -> None:
    assert ServerSearch().block() == {
        "type": "web_search_20250305",
        "name": "web_search",
        "max_uses": 5,
    }


def test_a_newer_version_is_called_by_the_model_alone() -> None:
    assert ServerSearch(version=NEWER).block()["allowed_callers"] == ["direct"]
    filtering = ServerSearch(version=NEWER, dynamic_filtering=True)
    assert "allowed_callers" not in filtering.block()


def test_domains_and_a_place_are_sent_where_they_are_known() -> None:
    place = UserLocation(city="Gouda", country="NL")
    block = ServerSearch(allowed_domains=["a.example"], user_location=place).block()
    assert block["allowed_domains"] == ["a.example"]
    assert "blocked_domains" not in block
    assert block["user_location"] == {
        "type": "approximate",
        "city": "Gouda",
        "country": "NL",
    }


@pytest.mark.parametrize(
    "wrong",
    [
        {"allowed_domains": ["a.example"], "blocked_domains": ["b.example"]},
        {"allowed_domains": ["https://a.example"]},
        {"allowed_domains": "a.example"},
        {"max_uses": 0},
        {"max_uses": True},
        {"version": "20250305"},
        {"dynamic_filtering": True},
        {"code_tools": ["read_file"]},
        {"version": NEWER, "code_execution": "code_execution_20260120"},
    ],
)
def test_a_search_that_no_server_takes_cannot_be_described(wrong: Any) -> None:
    with pytest.raises(ConfigurationError):
        ServerSearch(**wrong)


def test_a_place_without_a_name_is_refused() -> None:
    with pytest.raises(ConfigurationError):
        UserLocation()


@pytest.mark.row("A1")
def test_only_a_model_that_was_given_the_search_carries_it() -> None:
    with talking([say("a")]) as (model, server):
        model.complete(ask(tools=(read_file(),)))
    assert [tool["name"] for tool in tools_of(server)] == ["read_file"]


@pytest.mark.row("A2")
def test_an_own_tool_of_the_same_name_gives_way_and_it_is_said(
    caplog: pytest.LogCaptureFixture,
) -> None:
    own = read_file(name="web_search")
    with talking([say("a")], search=ServerSearch()) as (model, server):
        reply = model.complete(ask(tools=(own, read_file()), declared=(own,)))
    assert [tool.get("type") for tool in tools_of(server)] == [BASIC]
    assert reply.notices == ("tool_removed_web_search",)
    assert "web_search" in caplog.text


@pytest.mark.row("A2")
def test_an_own_search_stays_where_the_server_has_none() -> None:
    own = read_file(name="web_search")
    with talking([say("a")]) as (model, server):
        reply = model.complete(ask(tools=(own,)))
    assert [tool["name"] for tool in tools_of(server)] == ["web_search"]
    assert reply.notices == ()


@pytest.mark.row("A11")
def test_the_stopgap_is_sent_and_takes_the_compatible_version() -> None:
    request = ask(tools=(read_file(),), disable_parallel_tool_use=True)
    with talking([say("a")], search=ServerSearch(version=NEWER)) as (model, server):
        model.complete(request)
    choice = {"type": "auto", "disable_parallel_tool_use": True}
    assert server.seen[0].body["tool_choice"] == choice
    assert tools_of(server)[-1]["type"] == BASIC


@pytest.mark.row("A8")
def test_a_conflict_with_calls_from_code_falls_back_to_direct_ones(
    caplog: pytest.LogCaptureFixture,
) -> None:
    filtering = ServerSearch(version=NEWER, dynamic_filtering=True)
    script = [refused("programmatic tool calling"), say("a"), say("b")]
    request = ask(disable_parallel_tool_use=True)
    with talking(script, search=filtering) as (model, server):
        replies = [model.complete(request) for _ in range(2)]
    assert [tool["type"] for tool in tools_of(server, 1)] == [NEWER]
    assert tools_of(server, 1)[0]["allowed_callers"] == ["direct"]
    assert replies[0].notices == ("server_search_direct",)
    assert len([each for each in caplog.records if "falls back" in each.message]) == 1


@pytest.mark.row("A8")
@pytest.mark.parametrize(
    ("words", "attached"),
    [
        ("'claude-haiku-4-5' does not support programmatic tool calling.", NEWER),
        ("web_search: programmatic tool calling is not supported here", NEWER),
        ("web_search_20260209 is not supported by this model", BASIC),
    ],
)
def test_a_search_that_can_be_had_otherwise_is_not_given_up(
    words: str, attached: str
) -> None:
    filtering = ServerSearch(version=NEWER, dynamic_filtering=True)
    script = [failure(400, words), say("a")]
    with talking(script, search=filtering) as (model, server):
        model.complete(ask())
    assert [tool["type"] for tool in tools_of(server, 1)] == [attached]


@pytest.mark.row("A8")
def test_what_the_api_said_of_a_search_is_not_logged_as_it_said_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    quoting = "no programmatic tool calling: {'content': 'our secret plan'}"
    filtering = ServerSearch(version=NEWER, dynamic_filtering=True)
    with talking([failure(400, quoting), say("a")], search=filtering) as (model, _):
        model.complete(ask("our secret plan"))
    assert "falls back" in caplog.text
    assert "secret" not in caplog.text


@pytest.mark.row("A8")
def test_a_conflict_that_stays_falls_back_to_the_basic_version() -> None:
    conflict = failure(400, "no programmatic tool calling with this model")
    filtering = ServerSearch(version=NEWER, dynamic_filtering=True)
    with talking([conflict, conflict, say("a")], search=filtering) as (model, server):
        reply = model.complete(ask())
    assert [tools_of(server, n)[0]["type"] for n in range(3)] == [NEWER, NEWER, BASIC]
    assert reply.notices == ("server_search_direct", "server_search_basic_version")


@pytest.mark.row("A8")
@pytest.mark.parametrize("streams", [False, True])
def test_an_unknown_version_falls_back_once_and_is_remembered(streams: bool) -> None:
    unknown = ServerSearch(version="web_search_20991231")
    script = [refused("Input tag 'web_search_"), say("a"), say("b")]
    with talking(script, search=unknown) as (model, server):
        one, two = (
            streamed(model, ask())[1] if streams else model.complete(ask())
            for _ in range(2)
        )
    assert [tools_of(server, n)[0]["type"] for n in (1, 2)] == [BASIC, BASIC]
    assert one.notices == ("server_search_basic_version",)
    # Another run, for which it is as new.
    assert two.notices == one.notices


@pytest.mark.row("A8")
def test_a_fallback_is_said_once_in_a_run() -> None:
    unknown = ServerSearch(version="web_search_20991231")
    turns = [say(call("read_file", path="a")), say("Done.")]
    script = [refused("Input tag 'web_search_"), *turns]
    with talking(script, search=unknown) as (model, _):
        result = execute(model, Task("x"), [read_file()])
    assert result.output == "Done."
    assert result.report.counters.fallbacks == 1


@pytest.mark.row("A8")
def test_a_fallback_is_said_also_when_the_next_try_fails() -> None:
    unknown = ServerSearch(version="web_search_20991231")
    turns = [refused("Input tag 'web_search_"), failure(529), say("Done.")]
    with talking(turns, search=unknown) as (model, _):
        result = execute(model, Task("x"))
    assert result.report.counters.fallbacks == 1


@pytest.mark.row("A8")
def test_a_search_that_is_not_enabled_is_left_out_and_said(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with talking([OFF, say("From memory.")], search=ServerSearch()) as (model, server):
        reply = model.complete(ask())
    assert reply.text == "From memory."
    assert reply.notices == ("server_search_not_enabled",)
    assert not tools_of(server, 1)
    assert "not_enabled" in caplog.text


@pytest.mark.row("A8")
def test_other_refusals_are_no_reason_to_search_less() -> None:
    script = [failure(400, "messages: something else")]
    with (
        talking(script, search=ServerSearch()) as (model, server),
        pytest.raises(Exception, match="something else"),
    ):
        model.complete(ask())
    assert len(server.seen) == 1


def test_a_search_that_failed_is_named() -> None:
    script = [say(*search("tides", error="unavailable"), "From memory.")]
    with talking(script, search=ServerSearch()) as (model, _):
        reply = model.complete(ask())
    assert reply.notices == ("web_search_unavailable",)
    assert reply.server_calls == ("web_search",)


def test_what_the_server_found_goes_back_byte_for_byte() -> None:
    found = search("tides", hit(URL))
    first = say(*found, cited("4 m", URL), call("read_file", path="a"))
    tools = (read_file(),)
    with talking([first, say("Done.")], search=ServerSearch()) as (model, server):
        reply = model.complete(ask(tools=tools))
        model.complete(ask("x", said(reply), results(reply), tools=tools))
    # The server refuses encrypted texts that it did not issue.
    assert server.seen[1].body["messages"][1]["content"][:2] == list(found)
