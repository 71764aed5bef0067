"""A run's closing words: stored whole, shown gated, and labelled when it failed."""

import pytest

from chat import engine
from chat.output_gate import NOTE, Answer
from research.canonical import canonical_json
from research.models import Run
from research.presentation.answers import FAILED, NO_MODEL_NOTE, UNREADABLE, answer_of
from tests.factories.accounts import make_cast
from tests.factories.research import URI, make_evidence

pytestmark = [pytest.mark.django_db, pytest.mark.row("A13")]


@pytest.fixture
def run() -> Run:
    cast = make_cast()
    return make_evidence(cast.organization, cast.ada).run


def leave(run: Run, text: str = "It is deprecated.", **how: object) -> Run:
    values = {"stop": engine.StopReason.COMPLETED, **how}
    answer = Answer(text, **values)  # type: ignore[arg-type]
    Run.objects.filter(pk=run.pk).update(answer=canonical_json(answer.to_json()))
    run.refresh_from_db()
    return run


def test_a_run_under_way_has_none(run: Run) -> None:
    assert answer_of(run) is None


def test_a_citation_may_name_a_document_of_the_run_and_no_other(run: Run) -> None:
    known, unknown = (engine.Citation("x", 0, 5, uri) for uri in (URI, "dist:other"))
    found = answer_of(leave(run, citations=(known, unknown)))

    assert found is not None
    assert [one.source for one in found.citations] == [URI]
    assert found.labels[0].startswith("1 of 2 citations was not usable")


def test_a_partial_answer_of_a_failed_run_says_so_first(run: Run) -> None:
    run = leave(run, stop=engine.StopReason.ERROR, status=engine.Status.PARTIAL)
    run.status = "failed"
    found = answer_of(run)

    assert found is not None
    assert found.labels[0] == FAILED
    assert found.labels[1].startswith("Partial: a fault stopped the run")


def test_the_note_says_whether_a_language_model_wrote_it(run: Run) -> None:
    by_program = answer_of(leave(run))
    run.researcher = "somebody/unknown"
    by_model = answer_of(run)

    assert by_program is not None
    assert by_model is not None
    assert (by_program.note, by_model.note) == (NO_MODEL_NOTE, NOTE)


@pytest.mark.parametrize("stored", ["no JSON", "[]", '{"text": "<b>"}', '{"text": 1}'])
def test_what_cannot_be_read_is_not_shown(run: Run, stored: str) -> None:
    run.answer = stored
    found = answer_of(run)

    assert found is not None
    assert (found.text, found.labels) == ("", (UNREADABLE,))


def test_halves_of_pairs_and_noughts_can_be_stored_and_shown(run: Run) -> None:
    found = answer_of(leave(run, "a\0b\ud800c\u202ed 漢"))

    assert found is not None
    assert found.text == "a⟨U+0000⟩b⟨U+D800⟩c⟨U+202E⟩d 漢"
