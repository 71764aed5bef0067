"""A turn that the provider pauses is continued, and is one turn."""

from dataclasses import replace

import pytest

from chat.engine import (
    AnswerSource,
    Citation,
    Limits,
    ModelReply,
    ModelRequest,
    Reply,
    ReplyStop,
    Role,
    ScriptedModel,
    StopReason,
    Task,
    execute,
)
from tests.chat.engine.toolbox import Recorder, quick

TASK = Task("Look it up.")


def paused(text: str) -> Reply:
    return Reply(text, stop=ReplyStop.PAUSE)


def test_the_text_of_a_paused_turn_accumulates() -> None:
    recorder = Recorder()
    model = ScriptedModel([paused("First, "), paused("second, "), Reply("third.")])
    result = execute(model, TASK, plugins=[recorder])

    assert result.output == "First, second, third."
    roles = [message.role for message in recorder.requests[-1].messages]
    assert roles == [Role.USER, Role.ASSISTANT, Role.ASSISTANT], (
        "nothing is put between"
    )


def test_a_paused_turn_is_one_turn() -> None:
    script = [paused("a"), paused("b"), Reply("c")]
    result = execute(ScriptedModel(script), TASK, limits=Limits(iterations=1))

    assert result.stop is StopReason.COMPLETED
    counters = result.report.counters
    assert (counters.iterations, counters.pauses) == (1, 2)


@pytest.mark.row("B1")
def test_a_turn_that_is_paused_for_good_ends_in_a_closing_turn() -> None:
    model = ScriptedModel(
        lambda request: (
            paused("more")
            if request.tools == () and not said(request)
            else Reply("Enough.")
        )
    )
    result = execute(model, TASK, limits=quick(pauses=3))

    assert (result.stop, result.output) == (StopReason.PAUSE_LIMIT, "Enough.")
    assert result.answer_source is AnswerSource.CLOSING
    assert result.report.counters.pauses == 4


def said(request: object) -> bool:
    messages = request.messages  # type: ignore[attr-defined]
    return "last turn" in messages[-1].text


def test_an_empty_pause_is_continued_too() -> None:
    result = execute(ScriptedModel([paused(""), Reply("Done.")]), TASK)

    assert result.output == "Done."


def test_citations_of_a_paused_turn_keep_their_places() -> None:
    class Citing(ScriptedModel):
        def complete(self, request: ModelRequest) -> ModelReply:
            reply = super().complete(request)
            cited = (Citation("web", 0, len(reply.text), source=reply.text),)
            return replace(reply, citations=cited, server_calls=("web_search",))

    result = execute(Citing([paused("First, "), Reply("last.")]), TASK)

    stretches = [result.output[each.start : each.end] for each in result.citations]
    assert (
        stretches == [each.source for each in result.citations] == ["First, ", "last."]
    )
    assert result.report.counters.server_calls == 2
    (search,) = [tool for tool in result.report.tools if tool.kind == "server"]
    assert (search.name, search.calls) == ("web_search", 2)
