"""A reader is told when an answer is not a whole one."""

import json

import pytest

from chat import engine
from chat.engine import AnswerSource, ModelReply, ReplyStop, Status, StopReason
from chat.engine.stops import NORMAL
from chat.output_gate import NOTE, Answer, gate
from chat.output_gate.labels import EMPTY, MISFIT, PARTIAL

pytestmark = pytest.mark.row("A13")


def labels(text: str = "Some words.", **how: object) -> tuple[str, ...]:
    values = {"stop": StopReason.COMPLETED, **how}
    return gate(Answer(text, **values)).labels  # type: ignore[arg-type]


@pytest.mark.parametrize("stop", sorted(NORMAL))
def test_a_complete_answer_has_none(stop: StopReason) -> None:
    assert labels(stop=stop) == ()


@pytest.mark.parametrize("stop", sorted(set(StopReason) - NORMAL))
def test_every_other_end_is_told(stop: StopReason) -> None:
    (label,) = labels(stop=stop, status=Status.PARTIAL)

    assert label.endswith(".")
    assert label.split()[0].rstrip(":") in {
        "Cut",
        "Empty",
        "Not",
        "Partial",
        "Refused",
        "Stopped",
        "Withheld",
    }


def test_a_cut_answer_of_a_run_out_of_budget_says_both() -> None:
    told = labels(stop=StopReason.COST_BUDGET, secondary=(StopReason.TRUNCATED,))

    assert told[0].startswith("Stopped early: the budget for money was used up")
    assert told[1].startswith("Cut off:")


def test_an_answer_that_is_not_of_its_schema_says_so_once() -> None:
    assert labels(schema_valid=False, secondary=(StopReason.SCHEMA_INVALID,)) == (
        MISFIT,
    )


@pytest.mark.parametrize("text", ["", " \n\t"])
def test_no_words_are_an_empty_answer(text: str) -> None:
    assert labels(text) == (EMPTY,)


def test_an_unsound_answer_without_another_reason_is_partial() -> None:
    assert labels(status=Status.PARTIAL) == (PARTIAL,)


def test_every_answer_says_that_it_is_not_evidence() -> None:
    assert gate(Answer("Yes.", StopReason.COMPLETED)).note == NOTE


def test_a_reply_in_the_middle_of_a_run_may_be_empty() -> None:
    assert gate(Answer.of_reply(ModelReply())).labels == ()
    cut = gate(Answer.of_reply(ModelReply("Some", stop=ReplyStop.MAX_TOKENS)))
    refused = gate(Answer.of_reply(ModelReply("No", stop=ReplyStop.REFUSAL)))
    assert cut.labels[0].startswith("Cut off:")
    assert refused.labels[0].startswith("Refused:")


def test_what_is_stored_can_be_read_back_and_holds_no_block_of_the_provider() -> None:
    citation = engine.Citation("web", 0, 4, "https://example.org", raw={"index": "x"})
    answer = Answer.of_reply(ModelReply("Some", citations=(citation,)))
    stored = json.loads(json.dumps(answer.to_json()))

    assert Answer.from_json(stored) == answer
    assert answer.citations[0].raw is None


def test_a_result_keeps_how_it_ended() -> None:
    model = engine.ScriptedModel(
        [engine.Reply("Half of it", stop=ReplyStop.MAX_TOKENS)]
    )
    answer = Answer.of(engine.execute(model, engine.Task("Tell.")))

    assert (answer.text, answer.stop) == ("Half of it", StopReason.TRUNCATED)
    assert (answer.status, answer.source) == (Status.PARTIAL, AnswerSource.REPLY)


def test_what_is_no_stored_answer_is_refused() -> None:
    with pytest.raises(ValueError, match="stop"):
        Answer.from_json({"text": "x", "stop": "never heard of"})
