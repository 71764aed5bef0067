"""Rows 31 to 34 and 37: which tools are sent, in which version, and how."""

import logging
from typing import Any

import pytest

from chat.engine import Limits
from chat.providers.openai_compatible.search import WebPlugin, WebSearchTool
from chat.providers.server_search import BASIC, ServerSearch
from tests.chat.providers.public_bugs.playing import (
    URL,
    Played,
    play,
    reader,
)
from tests.fakes.model_server import Contract, call, refused, say
from tests.fakes.model_server.contract.shapes import TOOLS
from tests.fakes.model_server.replies import cited, hit, search

NEWER = "web_search_20260209"
HAIKU = "claude-haiku-4-5"


def searches(played: Played) -> list[Any]:
    """The search of each request, its version and who may call it."""
    return [
        (tool["type"], tool.get("allowed_callers"))
        for body in played.bodies
        for tool in body["tools"]
        if tool["name"] == "web_search"
    ]


def answer() -> Any:
    return say(*search("tides", hit(URL)), cited("4 m", URL))


def test_bug_31_lists_of_domains_that_are_empty_are_not_sent() -> None:
    """CLIProxyAPI#2681, cherry-studio#10374: blocked_domains [] from an empty form."""
    form = ServerSearch(allowed_domains=[], blocked_domains=[])
    played = play([answer()], search=form)
    assert played.result.output == "4 m"
    [tool] = played.bodies[0]["tools"]
    assert not {"allowed_domains", "blocked_domains"} & tool.keys()
    # Nor by the other ways to search.
    others = WebPlugin(include_domains=[], exclude_domains=[]).to_json()
    others |= WebSearchTool(allowed_domains=[], excluded_domains=[]).to_json()
    assert "domains" not in str(others)


@pytest.mark.row("A8")
def test_bug_32_a_gateway_that_does_not_know_the_version_is_asked_with_an_older_one(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """anthropic-sdk-go#235, claude-code#61624: Input tag does not match."""
    older = tuple(name for name in TOOLS if name in ("custom", BASIC))
    script = [refused(f"Input tag '{NEWER}'"), say(call("read_file", path="a"))]
    played = play(
        [*script, answer()],
        reader(),
        search=ServerSearch(version=NEWER),
        contract=Contract(known_tools=older),
    )
    assert played.result.output == "4 m"
    assert searches(played) == [(NEWER, ["direct"]), (BASIC, None), (BASIC, None)]
    assert played.result.report.counters.fallbacks == 1
    loud = [each for each in caplog.records if each.levelno >= logging.WARNING]
    assert len([each for each in loud if "falls back" in each.message]) == 1


@pytest.mark.row("A8")
@pytest.mark.row("A11")
def test_bug_33_one_call_a_turn_goes_with_a_search_that_code_may_call() -> None:
    """vercel/ai#15652: disableParallelToolUse breaks with programmatic search."""
    filtering = ServerSearch(version=NEWER, dynamic_filtering=True)
    script = [
        refused("disable_parallel_tool_use: true cannot be used with programmatic"),
        say(call("read_file", path="a")),
        answer(),
    ]
    limits = Limits(disable_parallel_tool_use=True)
    played = play(script, reader(), search=filtering, limits=limits)
    assert played.result.output == "4 m"
    assert searches(played) == [(NEWER, None), (NEWER, ["direct"]), (NEWER, ["direct"])]
    choices = [body["tool_choice"] for body in played.bodies]
    assert choices == [{"type": "auto", "disable_parallel_tool_use": True}] * 3


@pytest.mark.row("A11")
def test_bug_33_a_search_that_the_model_calls_never_meets_the_conflict() -> None:
    """vercel/ai#15652: the switch was forced on whatever the version."""
    script = [say(call("read_file", path="a")), answer()]
    limits = Limits(disable_parallel_tool_use=True)
    played = play(script, reader(), search=ServerSearch(version=NEWER), limits=limits)
    assert searches(played) == [(BASIC, None)] * 2


@pytest.mark.row("A8")
def test_bug_34_a_model_without_programs_is_given_a_search_to_call_itself() -> None:
    """geode PR#460: Haiku 4.5 with web_search_20260209 is a 400."""
    direct = play([answer()], model=HAIKU, search=ServerSearch(version=NEWER))
    assert searches(direct) == [(NEWER, ["direct"])]
    filtering = ServerSearch(version=NEWER, dynamic_filtering=True)
    script = [refused("does not support programmatic tool calling"), answer()]
    played = play(script, model=HAIKU, search=filtering)
    assert searches(played) == [(NEWER, None), (NEWER, ["direct"])]
    assert played.result.output == direct.result.output == "4 m"
    assert played.result.report.counters.fallbacks == 1


@pytest.mark.parametrize("streams", [False, True])
def test_bug_37_a_conversation_is_sent_whole_and_never_as_a_thread(
    streams: bool,
) -> None:
    """teamclaude#378: a gateway that ignores `thread` saw a lone tool_result."""
    turns = [say(call("read_file", path=name)) for name in "ab"]
    played = play([*turns, answer()], reader(), search=ServerSearch(), stream=streams)
    assert [len(body["messages"]) for body in played.bodies] == [1, 3, 5]
    for request in played.server.seen:
        assert "thread" not in request.body
        assert "anthropic-beta" not in request.headers
        assert [tool["name"] for tool in request.body["tools"]][-1] == "web_search"
        assert request.body["messages"][0]["content"][0]["text"] == "How high?"
