"""Every scenario file, played by the loop and the SDK over a real socket.

Requests equal what the file expects, `expect` holds, and what the file has refused is
refused by the very server that accepted ours. Whole and in pieces, whatever the file
has. Files that a correct loop plays otherwise are named here and asserted in
test_scenarios_otherwise.py; every file that is not named is played, also a new one.
"""

from collections.abc import Iterator

import pytest

from chat.engine import model_turn
from tests.chat.providers.anthropic.expecting import CHECKS, check_expected
from tests.chat.providers.anthropic.playing import Play, Played, breaks_off
from tests.fakes.model_server import load, names
from tests.fakes.model_server.values import read_request

# Of each the reason: what the loop does otherwise, or that there is no run in it.
OTHERWISE = {
    "09_max_tokens_mid_tool_use": "a cut call is answered, not asked for again",
    "12b_spend_cap_429": "the SDK's own three tries; the loop stops at one",
    "16_prompt_too_long_then_compact": "the loop's compaction has its own form",
    "19_json_with_prose": "three conversations",
    "25_http_errors": "one error of each kind, no run",
    "26_runner_threads_default": "the traffic of the SDK's runner, never the loop's",
    "27_count_tokens": "a count, no run",
}


RUNS = [
    name
    for name in names()
    if load(name).provider == "anthropic" and name not in OTHERWISE
]
WAYS = {"as it is": None, "in pieces": True, "whole": False}
PLAYS = [
    pytest.param(name, streams, id=f"{name} {way}")
    for name in RUNS
    for way, streams in WAYS.items()
    # A recording that just ends is nothing that can be sent whole.
    if way != "whole" or not any(map(breaks_off, load(name).exchanges))
]
HEADERS = ("authorization", "anthropic-version", "content-type", "anthropic-beta")


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_turn, "FIRST_BACKOFF_S", 0.001)


@pytest.mark.row("A4")
@pytest.mark.row("A5")
@pytest.mark.row("A7")
@pytest.mark.row("A8")
@pytest.mark.row("A10")
@pytest.mark.row("A11")
@pytest.mark.parametrize(("name", "streams"), PLAYS)
def test_a_scenario_is_played_as_it_is_written(name: str, streams: bool | None) -> None:
    played = Play(load(name), streams).play()
    check_expected(played)
    assert list(_wrong_headers(played)) == []
    assert list(_accepted_negatives(played)) == []


def test_every_scenario_is_played_or_named() -> None:
    ours = {name for name in names() if load(name).provider == "anthropic"}
    assert ours == {*RUNS, *OTHERWISE}


@pytest.mark.parametrize("name", RUNS)
def test_a_key_that_nothing_reads_would_fail(name: str) -> None:
    assert load(name).expect.keys() <= CHECKS.keys()


@pytest.mark.row("A4")
def test_a_wrong_text_in_a_file_would_fail() -> None:
    played = Play(load("05_pause_turn_twice")).play()
    with pytest.raises(AssertionError):
        check_expected(played, {"final_text": "Growth was between 3.8 and 4.2 %"})
    with pytest.raises(KeyError):
        check_expected(played, {"something_new": 1})


@pytest.mark.row("A5")
@pytest.mark.row("A10")
def test_a_search_is_among_the_tools_used_and_its_text_is_whole() -> None:
    played = Play(load("01_citation_first_text")).play()
    used = {each.name: each.calls for each in played.result.report.tools}
    assert used == {"web_search": 1}
    (citation,) = played.result.citations
    stretch = played.result.output[citation.start : citation.end]
    assert stretch == "the `export` command came with version 4.2"


@pytest.mark.row("A8")
@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("14_ptc_conflict_fallback", "server_search_direct"),
        ("15_unknown_tool_version_fallback", "server_search_basic_version"),
    ],
)
def test_a_step_down_is_told_once_and_logged_once(
    name: str, word: str, caplog: pytest.LogCaptureFixture
) -> None:
    played = Play(load(name)).play()
    assert [notice for reply in played.replies for notice in reply.notices] == [word]
    assert played.result.report.counters.fallbacks == 1
    falls = [each for each in caplog.records if "falls back" in each.getMessage()]
    assert len(falls) == 1


def _wrong_headers(played: Played) -> Iterator[str]:
    """Headers that are not those of the file, and any but the loop's own retries."""
    for request, exchange in zip(
        played.requests, played.scenario.exchanges, strict=True
    ):
        wanted = exchange.expected["headers"]
        for name in HEADERS:
            if request.headers.get(name) != wanted.get(name):
                yield f"{name}: {request.headers.get(name)}"
        if "x-api-key" in request.headers:
            yield "x-api-key"
        if request.headers.get("x-stainless-retry-count") != "0":
            yield "the SDK has tried again"


def _accepted_negatives(played: Played) -> Iterator[str]:
    for exchange in played.scenario.negatives:
        wanted = exchange.expected
        request = read_request(
            "POST", wanted["path"], wanted["headers"], wanted["body"]
        )
        refusal = played.server.messages.refusal(request)
        said = exchange.reply.body["error"]["message"]
        if refusal is None or refusal.text != said:
            yield exchange.title
