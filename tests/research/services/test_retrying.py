"""A fault is tried again from before it; what cannot be helped ends, and says so."""

from collections.abc import Callable

import pytest
from django.utils import timezone

from accounts.actor import Actor
from accounts.services import remove_member
from chat import engine
from chat.providers.extractive import ExtractiveModel
from research.models import Run
from research.queries import evidence_digest, newest_dossier
from research.services.bring_documents import Document
from research.services.cancel_run import cancel_run
from research.services.claim_run import claim_run, end_worn_out_runs
from research.services.decide import Ruling, decide
from research.services.execute_run import execute_run
from research.services.researchers import RESEARCHERS
from research.services.start_run import start_run
from research.states import CaseStatus, RunStatus
from research.subjects.identity import parse_subject
from tests.factories.accounts import Cast, enable, make_cast

pytestmark = pytest.mark.django_db
POLICY = b"Access logs are kept for 30 days. After that they are deleted.\n"
QUESTION = "For how many days are access logs kept?"


@pytest.fixture
def cast() -> Cast:
    cast = make_cast()
    enable(cast.organization, "mcp_approval", "mcp_research")
    return cast


@pytest.fixture
def ben(cast: Cast) -> Actor:
    return cast.actor(cast.ben)


class Troubled(ExtractiveModel):
    """The extractive researcher behind a provider that is away at first."""

    def __init__(self, *faults: Exception) -> None:
        self.faults = list(faults)
        self.requests = 0

    def complete(self, request: engine.ModelRequest) -> engine.ModelReply:
        self.requests += 1
        if self.faults:
            raise self.faults.pop(0)
        return super().complete(request)


@pytest.fixture
def troubled(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Troubled]:
    def install(*faults: Exception) -> Troubled:
        model = Troubled(*faults)
        monkeypatch.setitem(RESEARCHERS, "troubled", lambda: model)
        return model

    return install


def ask(by: Actor, body: bytes = POLICY, **options: object) -> Run:
    return start_run(
        by=by,
        subject=parse_subject(QUESTION, "question"),
        documents=[Document("policy.txt", body)],
        ring_bell=False,
        **options,
    )


def execute(run: Run) -> Run:
    Run.objects.filter(pk=run.pk).update(not_before=None)
    execute_run(run.public_id, owner="worker")
    run.refresh_from_db()
    return run


def fall_silent(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(lease_expires_at=timezone.now())


def clean_digest(ben: Actor) -> str:
    return evidence_digest(execute(ask(ben)).dossier)


@pytest.mark.parametrize("kind", ["authentication", "invalid_request", "spend_cap"])
def test_what_would_be_refused_again_is_not_asked_again(
    ben: Actor, troubled: Callable[..., Troubled], kind: str
) -> None:
    model = troubled(engine.ModelError(engine.ErrorKind(kind)))
    run = execute(ask(ben, researcher="troubled"))
    assert (run.status, run.attempts) == (RunStatus.FAILED, 1)
    assert model.requests == 1


def test_after_a_fault_the_next_attempt_asks_again(
    ben: Actor, troubled: Callable[..., Troubled]
) -> None:
    model = troubled(RuntimeError("broken"))
    run = execute(ask(ben, researcher="troubled"))
    assert (run.status, model.requests) == (RunStatus.WAITING, 1)
    assert execute(run).status == RunStatus.COMPLETED


def test_a_fault_in_the_middle_changes_nothing_of_the_evidence(
    ben: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = clean_digest(ben)

    class Later(Troubled):
        def complete(self, request: engine.ModelRequest) -> engine.ModelReply:
            if self.requests == 1 and self.faults:
                self.requests += 1
                raise self.faults.pop()
            self.requests += 1
            return ExtractiveModel.complete(self, request)

    later = Later(RuntimeError("The machine hiccuped."))
    monkeypatch.setitem(RESEARCHERS, "troubled", lambda: later)
    run = execute(ask(ben, researcher="troubled"))
    assert run.status == RunStatus.WAITING
    assert "hiccuped" not in run.error
    assert execute(run).status == RunStatus.COMPLETED
    Run.objects.filter(pk=run.pk).update(researcher="extractive")
    assert evidence_digest(run.dossier) == wanted


def test_a_run_that_failed_leaves_the_dossier_and_the_approval_as_they_were(
    ben: Actor, troubled: Callable[..., Troubled]
) -> None:
    first = execute(ask(ben))
    digest = evidence_digest(first.dossier)
    decide(by=ben, case=first.case, ruling=Ruling("approved", "Short.", digest))
    troubled(*[engine.ModelError(engine.ErrorKind.AUTHENTICATION)] * 3)
    second = ask(ben, POLICY.replace(b"30", b"300"), researcher="troubled")
    for _ in range(3):
        execute(second)
    assert second.status == RunStatus.FAILED
    assert newest_dossier(first.case) == first.dossier
    first.case.refresh_from_db()
    assert first.case.status == CaseStatus.APPROVED


def test_a_cancelled_run_leaves_them_too(ben: Actor) -> None:
    first = execute(ask(ben))
    second = ask(ben)
    execute_run(
        second.public_id,
        owner="worker",
        on_event=lambda event: (
            Run.objects.filter(pk=second.pk).update(cancel_requested_at=timezone.now())
            and None
        ),
    )
    second.refresh_from_db()
    assert second.status == RunStatus.CANCELLED
    assert newest_dossier(first.case) == first.dossier


def test_a_run_whose_worker_is_gone_can_be_cancelled(ben: Actor) -> None:
    run = ask(ben)
    claim_run(run.public_id, "gone")
    fall_silent(run)
    cancel_run(by=ben, run=run)
    run.refresh_from_db()
    assert (run.status, run.stop_reason) == (RunStatus.CANCELLED, "cancelled")


def test_a_cancelled_run_is_not_tried_again_after_a_fault(
    ben: Actor, troubled: Callable[..., Troubled]
) -> None:
    troubled(RuntimeError("The machine hiccuped."))
    run = ask(ben, researcher="troubled")
    Run.objects.filter(pk=run.pk).update(cancel_requested_at=timezone.now())
    assert execute(run).status == RunStatus.CANCELLED


def test_a_cancelled_run_that_wore_out_its_attempts_is_cancelled(ben: Actor) -> None:
    run = ask(ben)
    for owner in ("first", "second", "third"):
        claim_run(run.public_id, owner)
        fall_silent(run)
    Run.objects.filter(pk=run.pk).update(cancel_requested_at=timezone.now())
    assert end_worn_out_runs() == 1
    run.refresh_from_db()
    assert run.status == RunStatus.CANCELLED


def test_a_run_of_somebody_who_left_does_not_begin(cast: Cast, ben: Actor) -> None:
    run = ask(ben)
    membership = cast.organization.memberships.get(user=cast.ben)
    remove_member(by=cast.actor(cast.ada), membership=membership)
    execute(run)
    assert run.status == RunStatus.FAILED
    assert "may no longer start runs" in run.error
