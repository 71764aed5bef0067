"""A run is seen through in this process, whoever else has a hand in it."""

import io
from datetime import timedelta

from django.utils import timezone
from rich.console import Console

from accounts.queries import actor_for
from research.management.inline_run import see_through
from research.management.interruption import Interruption
from research.management.reporting import Reporter
from research.models import Run
from research.services.claim_run import MAX_ATTEMPTS, claim_run
from research.services.start_run import start_run
from research.states import RunStatus
from research.subjects.identity import parse_subject
from tests.factories.accounts import Cast


def begin(cast: Cast) -> Run:
    by = actor_for(cast.ben, "harbour")
    return start_run(by=by, subject=parse_subject("pkg:pypi/bleach"), ring_bell=False)


def see(cast: Cast, run: Run) -> str:
    """What standard error says until the run is over."""
    out = io.StringIO()
    reporter = Reporter(Console(file=out, width=100), quiet=False)
    see_through(run, actor_for(cast.ben, "harbour"), reporter, Interruption())
    return out.getvalue()


def lose(run: Run, **fields: object) -> None:
    """Another process holds the run and falls silent in a moment."""
    claim_run(run.public_id, "another")
    soon = timezone.now() + timedelta(milliseconds=300)
    Run.objects.filter(pk=run.pk).update(lease_expires_at=soon, **fields)


def test_a_run_held_by_a_process_that_died_is_taken_over(cast: Cast) -> None:
    run = begin(cast)
    lose(run)
    told = see(cast, run)
    assert told.count("running: another process holds the run") == 1
    assert (run.status, run.attempts) == (RunStatus.COMPLETED, 2)


def test_a_run_that_is_worn_out_is_failed_and_not_waited_for(cast: Cast) -> None:
    run = begin(cast)
    lose(run, attempts=MAX_ATTEMPTS)
    see(cast, run)
    assert run.status == RunStatus.FAILED
    assert "was tried 3 times" in run.error


def test_a_run_that_is_over_is_left_alone(cast: Cast) -> None:
    run = begin(cast)
    see(cast, run)
    finished = run.finished_at
    see(cast, run)
    assert (run.attempts, run.finished_at) == (1, finished)
