"""Journal lines as they are shown: answers gated, errors named, the rest as it is."""

from typing import Any

import pytest

from chat import engine
from research.models import Run
from research.presentation.journal import WITHHELD, api_errors, shown_events
from tests.factories.accounts import make_cast
from tests.factories.research import make_evidence
from tests.research.hostile_answer import write_event

pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> Run:
    cast = make_cast()
    return make_evidence(cast.organization, cast.ada).run


def shown(run: Run, kind: str, payload: Any) -> Any:
    return shown_events(run, [write_event(run, kind, payload)])[0].payload


@pytest.mark.row("A13")
def test_a_reply_keeps_its_calls_and_loses_what_is_not_gated(run: Run) -> None:
    call = engine.ToolCall("1", "cite", {"quote": "<b>[x](javascript:y)"})
    reply = engine.ModelReply(
        text="<b>words", calls=(call,), raw=["block"], parsed={"a": "<b>"}
    )
    event = engine.ModelReplied(reply=reply, cost=None)
    payload = shown(run, event.kind, engine.event_to_json(event))["reply"]

    assert payload["text"] == "< b>words"
    assert payload["labels"] == []
    assert payload["calls"][0]["arguments"] == {"quote": "<b>[x](javascript:y)"}
    assert "raw" not in payload
    assert "parsed" not in payload


def test_a_reply_in_the_journal_is_not_laid_out_and_not_said_to_be(run: Run) -> None:
    deep = "> " * 60 + "x"
    event = engine.ModelReplied(reply=engine.ModelReply(text=deep), cost=None)
    payload = shown(run, event.kind, engine.event_to_json(event))["reply"]

    assert (payload["text"], payload["labels"]) == (deep, [])
    assert "html" not in payload


@pytest.mark.row("A13")
def test_the_words_of_a_refusal_are_gated_too(run: Run) -> None:
    reply = engine.ModelReply(stop=engine.ReplyStop.REFUSAL, detail="<b>\u202eno")
    event = engine.ModelReplied(reply=reply, cost=None)
    payload = shown(run, event.kind, engine.event_to_json(event))["reply"]

    assert payload["detail"] == "< b>⟨U+202E⟩no"
    assert payload["labels"][0].startswith("Refused:")


@pytest.mark.row("A13")
def test_what_an_api_says_of_a_failure_is_gated_too(run: Run) -> None:
    head = engine.ErrorHead(400, "[x](javascript:y)", "", "<b>")
    failed = engine.ModelFailed(engine.ErrorKind.INVALID_REQUEST, "<b>no", head=head)
    ended = engine.Stopping(engine.StopReason.ERROR, "invalid_request: <b>no")
    error, stop = (
        shown(run, event.kind, engine.event_to_json(event)) for event in (failed, ended)
    )

    assert (error["message"], error["head"]["type"]) == ("< b>no", "[x] (javascript:y)")
    assert (error["head"]["status"], error["head"]["request_id"]) == (400, "< b>")
    assert stop["detail"] == "invalid_request: < b>no"
    (told,) = api_errors(run)
    assert (told.message, told.type) == ("< b>no", "[x] (javascript:y)")


@pytest.mark.row("A13")
def test_a_result_is_gated_where_one_was_journaled(run: Run) -> None:
    model = engine.ScriptedModel([engine.Reply("[x](javascript:y)")])
    event = engine.RunFinished(result=engine.execute(model, engine.Task("Tell.")))
    payload = shown(run, event.kind, engine.event_to_json(event))["result"]

    assert payload["text"] == "[x] (javascript:y)"
    assert "output" not in payload


@pytest.mark.row("A13")
@pytest.mark.parametrize("payload", ["<b>words", ["<b>"], {"reply": "<b>"}, None])
def test_a_reply_of_an_unknown_shape_is_withheld(run: Run, payload: Any) -> None:
    assert shown(run, "model_replied", payload) == {"withheld": WITHHELD}
    assert shown(run, "run_finished", payload) == {"withheld": WITHHELD}
    assert shown(run, "model_failed", payload) == {"withheld": WITHHELD}
    assert shown(run, "stopping", payload) == {"withheld": WITHHELD}


def test_other_lines_are_shown_as_they_are(run: Run) -> None:
    assert shown(run, "run.noted", {"text": "<b>"}) == {"text": "<b>"}


@pytest.mark.row("A9")
def test_errors_of_the_api_are_told_by_their_heads(run: Run) -> None:
    head = engine.ErrorHead(529, "overloaded_error", "", "req_1")
    told = engine.ModelFailed(engine.ErrorKind.OVERLOADED, "Busy\u202e.", head=head)
    bare = engine.ModelFailed(engine.ErrorKind.TIMEOUT, "no reply within 60 s")
    for event in (told, bare):
        write_event(run, event.kind, engine.event_to_json(event))
    write_event(run, "model_failed", {"message": "of an older shape"})
    first, second, third = api_errors(run)

    assert (first.kind, first.status, first.request_id) == ("overloaded", 529, "req_1")
    assert (first.name, first.message) == ("529 overloaded_error", "Busy⟨U+202E⟩.")
    assert (second.name, second.status) == ("timeout", None)
    assert (third.name, third.message) == ("unknown", WITHHELD)
