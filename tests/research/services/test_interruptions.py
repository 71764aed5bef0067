"""What may come between: a kill, a cancel, a second delivery, a switch."""

from collections.abc import Callable

import pytest
from django.utils import timezone

from accounts.actor import Actor
from accounts.errors import Conflict
from accounts.services import set_platform_switch
from chat import engine
from research.evidence import load_evidence
from research.models import (
    QuestionOutcome,
    Run,
)
from research.queries import evidence_digest
from research.services.cancel_run import cancel_run
from research.services.execute_run import execute_run
from research.services.journal import broken_link
from research.states import RunStatus
from tests.factories.accounts import Cast, enable, make_cast, make_user
from tests.research.services.runs import ask, execute, fall_silent

pytestmark = pytest.mark.django_db


class Killed(BaseException):
    """What SIGKILL would be, if it could be caught: nothing cleans up."""


def test_a_second_delivery_of_a_finished_run_does_nothing(ben: Actor) -> None:
    run = execute(ask(ben))
    before = run.events.count()
    assert execute_run(run.public_id, owner="late") is False
    assert run.events.count() == before


@pytest.mark.django_db(transaction=True)
def test_a_run_killed_at_any_event_ends_with_the_same_evidence() -> None:
    cast = make_cast()
    enable(cast.organization, "mcp_approval", "mcp_research")
    ben = cast.actor(cast.ben)
    reference = execute(ask(ben))
    events = reference.events.count()
    wanted = evidence_digest(reference.dossier)
    for cut in range(1, events - 1):
        run = ask(ben)
        with pytest.raises(Killed):
            execute_run(run.public_id, owner="doomed", on_event=_killer(cut))
        fall_silent(run)
        execute(run)
        assert run.status == RunStatus.COMPLETED, cut
        assert evidence_digest(run.dossier) == wanted, cut
        replies = run.events.filter(kind="model_replied").count()
        assert replies == reference.events.filter(kind="model_replied").count(), cut
        assert broken_link(run) is None


def _killer(cut: int) -> Callable[[engine.Event], None]:
    seen = 0

    def on_event(event: engine.Event) -> None:
        nonlocal seen
        seen += engine.is_journaled(event)
        if seen >= cut:
            raise Killed

    return on_event


def test_a_stopping_worker_hands_the_run_over(ben: Actor) -> None:
    run = ask(ben)
    execute_run(run.public_id, owner="leaving", stopping=lambda: True)
    run.refresh_from_db()
    assert (run.status, run.attempts) == (RunStatus.QUEUED, 0)
    assert execute(run).status == RunStatus.COMPLETED


def test_a_run_cancelled_in_the_queue_ends_at_once(ben: Actor) -> None:
    run = ask(ben)
    cancel_run(by=ben, run=run)
    run.refresh_from_db()
    assert (run.status, run.stop_reason) == (RunStatus.CANCELLED, "cancelled")
    assert execute_run(run.public_id, owner="worker") is False
    with pytest.raises(Conflict):
        cancel_run(by=ben, run=run)


def test_a_run_cancelled_at_work_stops_and_says_so(ben: Actor) -> None:
    run = ask(ben)
    execute_run(
        run.public_id,
        owner="worker",
        on_event=lambda event: (
            Run.objects.filter(pk=run.pk).update(cancel_requested_at=timezone.now())
            and None
        ),
    )
    run.refresh_from_db()
    assert (run.status, run.stop_reason) == (RunStatus.CANCELLED, "cancelled")


def test_a_researcher_that_stays_down_fails_the_run_after_three_attempts(
    ben: Actor, scripted: Callable[[engine.Model], None]
) -> None:
    down = engine.Reply.failure(engine.ErrorKind.OVERLOADED, retry_after_s=0)
    scripted(engine.ScriptedModel(lambda request: down))
    run = ask(ben, researcher="scripted")
    for _ in range(3):
        Run.objects.filter(pk=run.pk).update(not_before=None)
        execute(run)
    assert (run.status, run.attempts) == (RunStatus.FAILED, 3)
    assert run.error


def test_the_kill_switch_stops_a_run_that_was_already_queued(ben: Actor) -> None:
    run = ask(ben)
    operator = make_user("root@example.org", superuser=True)
    set_platform_switch(by=operator, feature="mcp_research", off=True, reason="Stop.")
    execute(run)
    assert run.status == RunStatus.FAILED
    assert "mcp_research" in run.error


def test_a_feature_switched_off_during_a_run_fails_it_when_nothing_was_found(
    ben: Actor, cast: Cast
) -> None:
    run = ask(ben)
    features = cast.organization.features.filter(feature="mcp_research")
    execute_run(
        run.public_id,
        owner="worker",
        on_event=lambda event: features.update(enabled=False) and None,
    )
    run.refresh_from_db()
    assert (run.status, run.stop_reason) == (RunStatus.FAILED, "plugin_halt")
    assert "mcp_research" in run.error
    (question,) = load_evidence(run.dossier).questions
    assert question.outcome == QuestionOutcome.NOT_CHECKED


def test_what_was_found_before_a_stop_is_kept_and_the_run_is_completed(
    ben: Actor, cast: Cast
) -> None:
    run = ask(ben)
    features = cast.organization.features.filter(feature="mcp_research")

    def switch_off_after_a_citation(event: engine.Event) -> None:
        if isinstance(event, engine.ToolAnswered) and event.name == "cite":
            features.update(enabled=False)

    execute_run(run.public_id, owner="worker", on_event=switch_off_after_a_citation)
    run.refresh_from_db()
    assert (run.status, run.stop_reason) == (RunStatus.COMPLETED, "plugin_halt")
    assert load_evidence(run.dossier).proven == 1
