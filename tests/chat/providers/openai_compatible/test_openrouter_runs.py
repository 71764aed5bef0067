"""Whole runs over OpenRouter: what must last from one request to the next."""

import json
from typing import Any

import pytest

from chat.engine import AgentResult, Limits, StopReason, Task, execute
from chat.providers.openai_compatible.routing import Routing
from chat.providers.openai_compatible.search import (
    WebPlugin,
    WebSearchTool,
    cited_results,
)
from tests.chat.providers.openai_compatible.endpoint import (
    Endpoint,
    called,
    model_at,
    reader,
    said,
)
from tests.chat.providers.openai_compatible.test_runs import BOTH, as_stream

THOUGHTS = [
    {"type": "reasoning.text", "index": 0, "text": "Both files.", "signature": "s1"},
    {"type": "reasoning.encrypted", "index": 1, "data": "abc", "id": "c1"},
]
URL = "https://alpha.example.org/report"
FOUND = {
    "type": "url_citation",
    "url_citation": {"url": URL, "title": "Alpha", "start_index": 0, "end_index": 11},
}


def ran(
    *answers: Any, streams: bool = False, **options: Any
) -> tuple[AgentResult, Endpoint]:
    """Run a task with one tool over these answers."""
    sent = [as_stream(answer) if streams else answer for answer in answers]
    model, endpoint = model_at(*sent, streams=streams, preset="openrouter", **options)
    limits = Limits(tick_s=0.02)
    return execute(model, Task("Read them."), (reader(),), limits=limits), endpoint


def reads(name: str, path: str, **message: Any) -> Any:
    """A turn with one call."""
    return called((name, "read_file", json.dumps({"path": path})), **message)


@BOTH
def test_thoughts_go_back_with_their_turn_in_every_later_request(streams: bool) -> None:
    first = reads("c1", "a", reasoning_details=THOUGHTS)
    second = reads("c2", "b", reasoning_details=THOUGHTS[:1])
    result, endpoint = ran(first, second, said("Both read."), streams=streams)
    assert str(result) == "Both read."
    turns = [
        [
            each.get("reasoning_details")
            for each in body["messages"]
            if each["role"] == "assistant"
        ]
        for body in endpoint.bodies
    ]
    assert turns == [[], [THOUGHTS], [THOUGHTS, THOUGHTS[:1]]]


def test_thoughts_that_name_a_call_follow_it_to_its_new_id() -> None:
    again = reads("c1", "b", reasoning_details=THOUGHTS)
    _, endpoint = ran(reads("c1", "a"), again, said("Both read."))
    assistant = endpoint.bodies[-1]["messages"][3]
    [call] = assistant["tool_calls"]
    assert call["id"] != "c1"
    assert assistant["reasoning_details"][1]["id"] == call["id"]


@BOTH
@pytest.mark.row("A11")
def test_a_call_with_broken_arguments_is_answered_and_the_run_goes_on(
    streams: bool,
) -> None:
    broken = called(("c1", "read_file", '{"path": "a"'))
    result, endpoint = ran(
        broken, reads("c2", "a"), said("Read at last."), streams=streams
    )
    assert (str(result), result.stop) == ("Read at last.", StopReason.COMPLETED)
    answer = endpoint.bodies[1]["messages"][-1]
    assert answer["tool_call_id"] == "c1"
    assert answer["content"].startswith("This call failed. ")
    counters = result.report.counters
    assert (counters.invalid, counters.tool_calls_business) == (1, 1)


@pytest.mark.row("C2")
def test_a_run_with_the_search_tool_counts_its_searches_and_keeps_its_sources() -> None:
    usage = {
        "prompt_tokens": 9,
        "completion_tokens": 3,
        "cost": 0.021,
        "server_tool_use": {"web_search_requests": 2},
    }
    result, endpoint = ran(
        reads("c1", "a"),
        said("Sales rose. More.", annotations=[FOUND], usage=usage),
        search=WebSearchTool(max_total_results=20),
    )
    [citation] = result.citations
    assert result.output[citation.start : citation.end] == "Sales rose."
    assert [each.url for each in cited_results([citation.raw])] == [URL]
    assert result.report.counters.searches == 2
    kinds = [tool["type"] for tool in endpoint.bodies[0]["tools"]]
    assert kinds == ["function", "function", "openrouter:web_search"]


def test_a_policy_holds_in_every_request_of_a_run_also_when_it_is_asked_again() -> None:
    policy = Routing(data_collection="deny", zdr=True, allowed_models={"some/model"})
    result, endpoint = ran(
        reads("c1", "a"), said("Done."), routing=policy, search=WebPlugin()
    )
    assert str(result) == "Done."
    sent = {json.dumps(body["provider"]) for body in endpoint.bodies}
    assert sent == {'{"data_collection": "deny", "zdr": true}'}
