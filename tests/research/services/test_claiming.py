"""One worker holds a run; the others leave, and a silent one loses it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from research.models import Run
from research.services.claim_run import (
    MAX_ATTEMPTS,
    claim_run,
    end_worn_out_runs,
    finish_run,
    postpone_run,
    release_run,
    runs_to_ring,
)
from research.services.journal import LeaseLost, hold_lease, note_event
from research.states import RunStatus
from tests.factories.accounts import make_cast
from tests.factories.research import make_case, make_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> Run:
    cast = make_cast()
    return make_run(make_case(cast.organization, cast.ben), cast.ben)


def silence(run: Run) -> None:
    """The worker that held it has not been heard of for longer than the lease."""
    past = timezone.now() - timedelta(seconds=1)
    Run.objects.filter(pk=run.pk).update(lease_expires_at=past)


def test_a_queued_run_is_claimed_once(run: Run) -> None:
    claimed = claim_run(run.public_id, "first")
    assert claimed is not None
    assert (claimed.status, claimed.attempts) == (RunStatus.RUNNING, 1)
    assert claim_run(run.public_id, "second") is None


def test_a_run_whose_worker_went_silent_is_claimed_by_another(run: Run) -> None:
    claim_run(run.public_id, "first")
    silence(run)
    second = claim_run(run.public_id, "second")
    assert second is not None
    assert (second.lease_owner, second.attempts) == ("second", 2)


def test_the_first_worker_cannot_write_once_another_holds_the_run(run: Run) -> None:
    claim_run(run.public_id, "first")
    silence(run)
    claim_run(run.public_id, "second")
    with pytest.raises(LeaseLost):
        note_event(run, "first", "run.claimed", {})
    assert run.events.count() == 0
    assert not finish_run(run, "first", RunStatus.COMPLETED)


def test_a_lease_that_ran_out_is_no_longer_held(run: Run) -> None:
    claim_run(run.public_id, "first")
    silence(run)
    with pytest.raises(LeaseLost):
        hold_lease(run, "first")


def test_a_run_handed_over_is_queued_and_costs_no_attempt(run: Run) -> None:
    claim_run(run.public_id, "first")
    assert release_run(run, "first")
    run.refresh_from_db()
    assert (run.status, run.attempts, run.lease_owner) == (RunStatus.QUEUED, 0, "")


def test_a_postponed_run_waits_until_it_is_due(run: Run) -> None:
    claim_run(run.public_id, "first")
    postpone_run(run, "first", "The provider was down.")
    assert claim_run(run.public_id, "second") is None
    Run.objects.filter(pk=run.pk).update(not_before=timezone.now())
    assert claim_run(run.public_id, "second") is not None


def test_the_third_attempt_that_fails_is_the_last(run: Run) -> None:
    for owner in ("first", "second", "third"):
        Run.objects.filter(pk=run.pk).update(not_before=None)
        assert claim_run(run.public_id, owner) is not None
        postpone_run(run, owner, "The provider was down.")
    run.refresh_from_db()
    assert (run.status, run.attempts) == (RunStatus.FAILED, MAX_ATTEMPTS)
    assert run.error == "The provider was down."
    assert run.finished_at is not None


def test_a_run_that_killed_three_workers_is_failed_not_running(run: Run) -> None:
    for owner in ("first", "second", "third"):
        claim_run(run.public_id, owner)
        silence(run)
    assert claim_run(run.public_id, "fourth") is None
    assert end_worn_out_runs() == 1
    run.refresh_from_db()
    assert run.status == RunStatus.FAILED


@pytest.mark.row("A13")
@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("no\0thing \ud800", "no⟨U+0000⟩thing ⟨U+D800⟩"),
        ("<b>[x](javascript:y)", "< b>[x] (javascript:y)"),
        ("x" * 2_000, "x" * 1_000),
    ],
)
def test_why_a_run_ended_can_be_kept_and_shown_whatever_a_model_said(
    run: Run, said: str, kept: str
) -> None:
    claim_run(run.public_id, "first")
    assert finish_run(run, "first", RunStatus.FAILED, error=said)
    run.refresh_from_db()
    assert run.error == kept


@pytest.mark.parametrize("status", [RunStatus.COMPLETED, RunStatus.CANCELLED])
def test_an_ended_run_is_claimed_by_nobody(run: Run, status: RunStatus) -> None:
    claim_run(run.public_id, "first")
    assert finish_run(run, "first", status)
    assert claim_run(run.public_id, "second") is None
    assert not finish_run(run, "first", RunStatus.FAILED)


def test_a_run_is_rung_for_again_only_after_a_minute(run: Run) -> None:
    assert runs_to_ring() == [run.public_id]
    assert runs_to_ring() == []
    long_ago = timezone.now() - timedelta(minutes=2)
    Run.objects.filter(pk=run.pk).update(rung_at=long_ago)
    assert runs_to_ring() == [run.public_id]


def test_a_run_at_work_is_left_alone_until_its_lease_runs_out(run: Run) -> None:
    claim_run(run.public_id, "first")
    assert runs_to_ring() == []
    silence(run)
    assert runs_to_ring() == [run.public_id]
