"""A run over a socket that meets everything at once, whole and in pieces."""

from decimal import Decimal
from typing import Any

import pytest

from chat.engine import (
    AgentResult,
    Status,
    StopReason,
    Task,
    TextDelta,
    model_turn,
    run,
)
from chat.providers.server_search import ServerSearch
from tests.chat.engine.toolbox import result_of
from tests.chat.providers.anthropic.wire import read_file, talking
from tests.fakes.model_server import Reply, call, failure, refused, say
from tests.fakes.model_server.replies import cited, hit, search

ALPHA, BETA = "https://alpha.example.org/tides", "https://beta.example.org/tides"
PARTS = ("The tide is four metres. ", "It comes twice a day. ", "So say three files.")
# Input 2, output 10 dollars a million tokens, a search 10 a thousand.
COST = Decimal("4000") * 2 / 10**6 + Decimal("400") * 10 / 10**6 + Decimal("0.02")


def usage(searches: int = 0) -> dict[str, Any]:
    asked = {"web_search_requests": searches} if searches else None
    return {"input_tokens": 1000, "output_tokens": 100, "server_tool_use": asked}


def script() -> list[Reply]:
    reads = [call("read_file", path=path) for path in ("a", "b", "c")]
    return [
        refused("Input tag 'web_search_20991231'"),
        failure(529),
        say(*reads, usage=usage()),
        say(
            *search("tides", hit(ALPHA)),
            cited(PARTS[0], ALPHA),
            stop="pause_turn",
            usage=usage(1),
        ),
        say(
            *search("tides a day", hit(BETA)),
            cited(PARTS[1], BETA),
            stop="pause_turn",
            usage=usage(1),
        ),
        say(PARTS[2], usage=usage()),
    ]


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_turn, "FIRST_BACKOFF_S", 0.001)


def played(*, stream: bool) -> tuple[AgentResult, str]:
    searching = ServerSearch(version="web_search_20991231")
    options = {"socket": True, "search": searching, "stream": stream}
    with talking(script(), **options) as (model, _):
        events = list(run(model, Task("How high is the tide?"), [read_file()]))
    pieces = [event.text for event in events if isinstance(event, TextDelta)]
    return result_of(events), "".join(pieces)


@pytest.mark.row("A4", "A5", "A8", "A10", "A11")
@pytest.mark.parametrize("stream", [True, False])
def test_three_calls_two_pauses_a_busy_server_and_an_old_search(
    stream: bool, caplog: pytest.LogCaptureFixture
) -> None:
    result, pieces = played(stream=stream)

    assert (result.status, result.stop) == (Status.SUCCESS, StopReason.COMPLETED)
    assert result.output == "".join(PARTS)
    stretches = [result.output[each.start : each.end] for each in result.citations]
    assert stretches == [*PARTS[:2]]
    assert [each.source for each in result.citations] == [ALPHA, BETA]
    used = {tool.name: tool.calls for tool in result.report.tools if tool.calls}
    assert used == {"read_file": 3, "web_search": 2}
    assert result.report.cost == COST
    counters = result.report.counters
    assert (counters.retries, counters.pauses, counters.iterations) == (1, 2, 2)
    assert counters.fallbacks == 1
    assert "server_search_basic_version" in caplog.text
    assert pieces == ("".join(PARTS) if stream else "")
