"""GET /api/v1/runs/{id}, and cancelling it."""

from datetime import timedelta

from django.utils import timezone

from research.models import Run
from research.states import RunStatus
from tests.factories.accounts import Cast
from tests.factories.research import EvidenceRows, make_case, make_run
from tests.research.api.clients import Api, problem


def test_a_finished_run_shows_why_it_stopped(ada: Api, evidence: EvidenceRows) -> None:
    body = ada.read(f"runs/{evidence.run.public_id}").json()
    assert (body["status"], body["stop_reason"]) == ("completed", "completed")
    assert body["dossier"] == evidence.dossier.public_id
    assert body["finished_at"]
    assert body["report"] is None


def test_the_report_is_given_as_json(ada: Api, evidence: EvidenceRows) -> None:
    Run.objects.update(report='{"tool_calls":3}')
    body = ada.read(f"runs/{evidence.run.public_id}").json()
    assert body["report"] == {"tool_calls": 3}


def test_a_queued_run_is_cancelled_at_once(ada: Api, cast: Cast) -> None:
    run = make_run(make_case(cast.organization, cast.ada), cast.ada)
    response = ada.send(f"runs/{run.public_id}/cancel")
    assert response.status_code == 202
    assert response.json()["status"] == "cancelled"


def test_a_running_run_is_asked_to_stop(ada: Api, cast: Cast) -> None:
    run = make_run(
        make_case(cast.organization, cast.ada),
        cast.ada,
        status=RunStatus.RUNNING,
        lease_owner="worker",
        lease_expires_at=timezone.now() + timedelta(hours=1),
    )
    body = ada.send(f"runs/{run.public_id}/cancel").json()
    assert body["status"] == "running"
    assert body["cancel_requested_at"]


def test_a_run_that_ended_cannot_be_cancelled(ada: Api, evidence: EvidenceRows) -> None:
    response = ada.send(f"runs/{evidence.run.public_id}/cancel")
    problem(response, 409, "run_over")


def test_no_database_id_is_shown(ada: Api, evidence: EvidenceRows) -> None:
    body = ada.read(f"runs/{evidence.run.public_id}").json()
    assert body["id"] == evidence.run.public_id
    assert body["case"].startswith("case_")
    assert body["dossier"].startswith("dos_")
