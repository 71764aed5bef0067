"""Long answers with many sources keep every character, however they are written.

Over a real socket, whole and streamed, with the keys of every block in every order.
"""

import itertools
import json
from decimal import Decimal
from typing import Any

import pytest

from chat.engine import AgentResult, Task, execute
from chat.providers.server_search import ServerSearch
from tests.chat.providers.anthropic.wire import MODEL, talking
from tests.fakes.model_server import Reply, say
from tests.fakes.model_server.ledger import billed_searches
from tests.fakes.model_server.replies import (
    cited,
    found,
    hit,
    mint,
    open_search,
    search,
)
from tests.fakes.model_server.sse import Plan, frames_of_message
from tests.fakes.model_server.values import Frame

URLS = [f"https://{name}.example.org/p" for name in ("alpha", "beta", "gamma")]
TASK = Task("How high is the tide?")
ORDERS = list(itertools.permutations(["citations", "text", "type"]))

# Of the short answer, 281 of 360 characters stand in blocks with citations.
PLAIN = [
    "I looked at three surveys of the harbour. ",
    "They agree on all but one figure. ",
    "So.",
]
CITED = [
    "The harbour office has a high water of 4.1 m for the day, and a low of 0.9 m. ",
    "The hydrographic service gives 4.2 m for that same day and the same gauge. ",
    "A third one, by a university from its own boat, has 3.8 m, 0.3 m either way. ",
    "All of these pages say that the gauge is set anew. ",
]
# Several thousand characters, and a last word that no other sentence has.
LONG = [
    f"Sentence {n} tells of gauge {n * 7} in the harbour, with its source at hand. "
    for n in range(80)
]
LAST = "Nevertheless."


def ordered(value: Any, order: tuple[str, ...]) -> Any:
    """The same JSON; of every object, those three keys in this order."""
    if isinstance(value, list):
        return [ordered(each, order) for each in value]
    if not isinstance(value, dict):
        return value
    keys = sorted(value, key=lambda key: order.index(key) if key in order else 1)
    return {key: ordered(value[key], order) for key in keys}


class Writer:
    """Writes replies with the keys in one order, whole or event by event."""

    def __init__(self, order: tuple[str, ...], *, streams: bool) -> None:
        self._order = order
        self._streams = streams

    def say(self, *blocks: Any, stop: str = "end_turn") -> Reply:
        usage = {
            "input_tokens": 1_000,
            "output_tokens": 100,
            "server_tool_use": {"web_search_requests": billed_searches([*blocks])},
        }
        whole = say(*ordered([*blocks], self._order), stop=stop, usage=usage)
        if not self._streams:
            return whole
        head = {"id": mint("msg_"), "type": "message", "role": "assistant"}
        message = {**head, "model": MODEL, "stop_sequence": None, **whole.body}
        return Reply(frames=tuple(map(self._frame, frames_of_message(message, Plan()))))

    def answered(self, *script: Reply) -> AgentResult:
        options: dict[str, Any] = {"search": ServerSearch(), "cache": None}
        options["stream"] = self._streams
        with talking(script, socket=True, **options) as (model, _):
            return execute(model, TASK)

    def _frame(self, frame: Frame) -> Frame:
        named, text = frame.data.decode().rstrip().split("\ndata: ")
        data = json.loads(text)
        if data.get("content_block", {}).get("type") == "text":
            data["content_block"]["citations"] = []
        text = json.dumps(ordered(data, self._order))
        return Frame(f"{named}\ndata: {text}\n\n".encode())


@pytest.fixture(params=ORDERS, ids="-".join)
def order(request: pytest.FixtureRequest) -> tuple[str, ...]:
    """The keys of a block, in one of their orders."""
    keys: tuple[str, ...] = request.param
    return keys


@pytest.fixture(params=[False, True], ids=["whole", "streamed"])
def writer(request: pytest.FixtureRequest, order: tuple[str, ...]) -> Writer:
    """Replies in that order, both ways."""
    return Writer(order, streams=request.param)


def plain(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def three_searches() -> list[Any]:
    return [block for url in URLS for block in search("tides", hit(url))]


def stretches(result: AgentResult) -> list[tuple[str, str]]:
    return [
        (result.output[each.start : each.end], each.source) for each in result.citations
    ]


@pytest.mark.row("A10")
def test_an_answer_of_several_thousand_characters_keeps_its_last_word(
    writer: Writer,
) -> None:
    cites = [cited(words, URLS[n % 3]) for n, words in enumerate(LONG)]
    blocks = [*cites, plain(LAST)]
    result = writer.answered(writer.say(*three_searches(), *blocks))
    assert result.output == "".join(LONG) + LAST
    assert len(result.output) > 5_000
    assert result.output.endswith(LAST)
    assert stretches(result) == [(w, URLS[n % 3]) for n, w in enumerate(LONG)]
    assert result.report.counters.server_calls == 3


@pytest.mark.row("A10")
def test_blocks_that_begin_with_their_citations_lose_none_of_360_characters(
    writer: Writer,
) -> None:
    blocks = [
        plain(PLAIN[0]),
        cited(CITED[0], URLS[0]),
        plain(PLAIN[1]),
        cited(CITED[1], URLS[1]),
        cited(CITED[2], URLS[2]),
        cited(CITED[3], URLS[0]),
        plain(PLAIN[2]),
    ]
    # What a scanner that drops cited blocks would show.
    assert sum(map(len, PLAIN)) == 79
    result = writer.answered(writer.say(*three_searches(), *blocks))
    assert len(result.output) == 360
    assert result.output == "".join(block["text"] for block in blocks)
    assert stretches(result) == list(zip(CITED, [*URLS, URLS[0]], strict=True))


@pytest.mark.row("A4")
@pytest.mark.row("A10")
def test_a_long_answer_that_is_paused_twice_is_one_text_with_all_its_sources(
    writer: Writer,
) -> None:
    cites = [cited(words, URLS[n % 3]) for n, words in enumerate(LONG)]
    blocks = [*cites, plain(LAST)]
    asked = open_search("tides")
    second = search("tides", hit(URLS[1]))
    result = writer.answered(
        writer.say(*search("tides", hit(URLS[0])), *blocks[:30], stop="pause_turn"),
        writer.say(*second, *blocks[30:31], asked, stop="pause_turn"),
        writer.say(found(asked, hit(URLS[2])), *blocks[31:]),
    )
    assert result.output == "".join(LONG) + LAST
    assert stretches(result) == [(w, URLS[n % 3]) for n, w in enumerate(LONG)]
    counters = result.report.counters
    assert (counters.iterations, counters.pauses) == (1, 2)
    assert (counters.server_calls, counters.searches) == (3, 3)
    # Three responses, each with a search.
    assert result.report.cost == 3 * Decimal("0.013")
