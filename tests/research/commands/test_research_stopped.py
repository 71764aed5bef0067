"""Ctrl-C, a fault and a switched-off feature end the run; none stays under way."""

import os
import signal
from collections.abc import Callable
from functools import partial

import pytest
from django.core.files.storage import storages

from accounts.actor import Actor
from accounts.models import AuditEntry, Feature, Role
from accounts.services import set_feature
from research.models import Question, Run, Snapshot
from research.services import claim_run
from research.states import RunStatus
from tests.factories.accounts import Cast
from tests.research.commands.streams import call_watched

Write = Callable[[str, bytes], str]
BLEACH = ("pkg:pypi/bleach", "--organization", "harbour")
WHICH_LOGS = ("--organization", "harbour", "--question", "Which logs?", "--document")
press_ctrl_c = partial(os.kill, os.getpid(), signal.SIGINT)
terminate = partial(os.kill, os.getpid(), signal.SIGTERM)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs that have to wait are due again at once."""
    monkeypatch.setattr(claim_run, "BACK_OFF_S", (0, 0))


def remove_archive() -> None:
    """The archive loses all that it holds."""
    for snapshot in Snapshot.objects.select_related("organization"):
        store, digest = storages["snapshots"], snapshot.text_sha256
        store.delete(f"{snapshot.organization.public_id}/{digest[:2]}/{digest}")


def test_ctrl_c_cancels_the_run(cast: Cast) -> None:
    done = call_watched(["read dist:"], press_ctrl_c, *BLEACH)
    assert done.code == 130
    assert done.out == ""
    assert done.err.splitlines()[-1] == "research: The run was cancelled."
    run = Run.objects.get()
    assert (run.status, run.lease_owner) == (RunStatus.CANCELLED, "")
    assert AuditEntry.objects.filter(action="run.cancelled").count() == 1


def test_what_was_looked_for_before_ctrl_c_is_kept(cast: Cast) -> None:
    call_watched(["read dist:"], press_ctrl_c, *BLEACH)
    assert Run.objects.get().events.filter(kind="tool_answered").exists()
    assert set(Question.objects.values_list("outcome", flat=True)) == {"not_checked"}


def test_ctrl_c_twice_stops_at_once(cast: Cast) -> None:
    def press_it_twice() -> None:
        press_ctrl_c()
        press_ctrl_c()

    done = call_watched(["read dist:"], press_it_twice, *BLEACH)
    assert done.code == 130
    assert done.err.splitlines()[-1] == "research: Stopped; no run is left under way."
    run = Run.objects.get()
    assert (run.status, run.lease_owner) == (RunStatus.CANCELLED, "")


def test_a_terminated_command_cancels_its_run_too(cast: Cast) -> None:
    done = call_watched(["read dist:"], terminate, *BLEACH)
    assert done.code == 143
    assert Run.objects.get().status == RunStatus.CANCELLED


def test_ctrl_c_works_as_before_once_the_command_is_over(cast: Cast) -> None:
    before = signal.getsignal(signal.SIGINT)
    call_watched(["read dist:"], press_ctrl_c, *BLEACH)
    assert signal.getsignal(signal.SIGINT) is before


def test_ctrl_c_while_a_run_waits_cancels_it(
    cast: Cast, document: Write, caplog: pytest.LogCaptureFixture
) -> None:
    def disturb() -> None:
        remove_archive() if Run.objects.get().attempts == 0 else press_ctrl_c()

    path = document("policy.txt", b"Access logs are kept for 30 days.\n")
    done = call_watched(["run run_", "waiting: "], disturb, *WHICH_LOGS, path)
    assert done.code == 130
    assert Run.objects.get().status == RunStatus.CANCELLED


def test_a_run_that_fails_three_times_says_so(
    cast: Cast, document: Write, at_once: None, caplog: pytest.LogCaptureFixture
) -> None:
    path = document("policy.txt", b"Access logs are kept for 30 days.\n")
    done = call_watched(["run run_"], remove_archive, *WHICH_LOGS, path)
    assert done.code == 1
    assert done.err.splitlines()[-1] == (
        "research: The run failed: An unexpected fault stopped the run; see the log."
    )
    run = Run.objects.get()
    assert (run.status, run.attempts) == (RunStatus.FAILED, 3)


@pytest.mark.row("C9")
def test_a_feature_switched_off_before_the_run_begins_fails_it(cast: Cast) -> None:
    by = Actor(cast.ada, cast.organization, Role.OWNER)
    off = partial(set_feature, by=by, feature=Feature.MCP_RESEARCH, enabled=False)
    done = call_watched(["run run_"], off, *BLEACH)
    assert (done.code, done.out) == (1, "")
    assert done.err.splitlines()[-1] == (
        "research: The run failed: Your organization has the feature mcp_research"
        " switched off."
    )


@pytest.mark.row("C9")
def test_a_feature_switched_off_during_the_run_stops_it(cast: Cast) -> None:
    by = Actor(cast.ada, cast.organization, Role.OWNER)
    off = partial(set_feature, by=by, feature=Feature.MCP_RESEARCH, enabled=False)
    done = call_watched(["read dist:"], off, *BLEACH)
    run = Run.objects.get()
    assert (done.code, run.stop_reason) == (1, "plugin_halt")
    assert (run.status, "mcp_research" in run.error) == ("failed", True)
    assert "has the feature mcp_research switched off" in done.err


def test_a_reader_of_the_steps_that_goes_away_does_not_stop_the_run(
    cast: Cast,
) -> None:
    def gone() -> None:
        raise BrokenPipeError

    done = call_watched(["read dist:"], gone, *BLEACH)
    assert done.code == 0
    assert "Bleach is no longer maintained." in done.out
