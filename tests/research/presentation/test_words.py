"""Every stored value has its words; an unknown one is shown as it is."""

from datetime import UTC, datetime

import pytest

from chat.engine import StopReason
from research.models import ClaimTier, Outcome, QuestionOutcome, Run
from research.presentation import runs, sources, words
from research.services.researchers import RESEARCHERS
from research.states import CaseStatus, RunStatus
from research.subjects.values import SubjectKind
from tests.factories.research import EvidenceRows

AT = datetime(2026, 11, 3, 14, 5, 9, tzinfo=UTC)


def test_every_stored_value_has_its_words() -> None:
    assert set(words.KINDS) == set(SubjectKind)
    assert set(words.CASE_STATUSES) == set(CaseStatus.values)
    assert set(words.LOOKUPS) == set(Outcome.values)
    assert set(words.QUESTIONS) == set(QuestionOutcome.values)
    assert set(words.TIERS) == set(ClaimTier.values)
    assert set(runs.RUN_STATUSES) == set(RunStatus.values)
    assert set(runs.STOPS) == set(StopReason)


def test_a_question_has_the_shape_of_the_lookup_that_ends_alike() -> None:
    assert {words.shape(outcome) for outcome in QuestionOutcome} == set(Outcome)
    assert [words.shape(outcome) for outcome in Outcome] == list(Outcome)


def test_an_unknown_value_is_shown_as_it_is() -> None:
    assert words.kind_words("plugin") == "plugin"
    assert words.rejection_words("too_many_claims") == "too many claims"
    assert runs.stop_words("solar_flare") == "Solar flare."


def test_a_moment_names_its_zone() -> None:
    assert words.moment(AT) == "3 Nov 2026, 14:05:09 UTC"
    assert words.minute(AT) == "3 Nov 2026, 14:05 UTC"
    assert words.moment(None) == "not yet"


def test_the_end_of_a_run_says_why_where_that_says_more() -> None:
    run = Run(status="completed", stop_reason="completed", finished_at=AT)
    assert runs.run_end(run) == "Completed, 3 Nov 2026, 14:05:09 UTC."
    run.stop_reason = "deadline"
    assert runs.run_end(run).endswith("UTC. The time for one run was over.")


@pytest.mark.row("D13")
def test_the_extractive_researcher_is_no_language_model() -> None:
    assert str(runs.researcher_note(Run(researcher="extractive"))) == (
        "By the extractive researcher, which is no language model: it copies passages"
        " that match fixed patterns for each question, and concludes nothing."
    )


def test_a_researcher_is_what_its_profile_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RESEARCHERS, "rules", RESEARCHERS["extractive"])
    assert str(runs.researcher_note(Run(researcher="rules"))) == (
        "By the rules researcher, which is no language model."
    )


@pytest.mark.django_db
def test_a_researcher_that_is_gone_is_called_unknown() -> None:
    note = str(runs.researcher_note(Run(researcher="gone")))
    assert note.startswith("By an unknown researcher, gone: it is not installed here")


def test_a_text_that_lacks_something_says_what(rows: EvidenceRows) -> None:
    snapshot = rows.snapshot
    assert sources.reading_faults(snapshot) == []
    snapshot.text_truncated, snapshot.replaced, snapshot.removed = True, 1, 2000
    assert [fault for _, fault in sources.reading_faults(snapshot)] == [
        "The text was longer than the reader keeps; its end is missing.",
        "1 character could not be decoded, shown as �.",
        "2,000 invisible characters taken out.",
    ]
