"""POST /api/v1/runs: a subject or a question becomes a queued run."""

from typing import Any

import pytest

from accounts.models import Feature
from accounts.services import set_feature
from research.models import Run
from tests.factories.accounts import Cast
from tests.research.api.clients import Api, problem


def test_a_package_starts_a_queued_run(ada: Api, cast: Cast) -> None:
    response = ada.send("runs", {"subject": "pkg:pypi/bleach"})
    run = Run.objects.get()
    assert response.status_code == 202
    assert response["Location"] == f"/api/v1/runs/{run.public_id}"
    body = response.json()
    assert (body["id"], body["status"]) == (run.public_id, "queued")
    assert body["case"] == run.case.public_id
    assert body["requested_by"] == {"email": "ada@example.org", "name": "Ada"}
    assert run.organization == cast.organization


def test_the_location_answers_with_the_run(ada: Api) -> None:
    started = ada.send("runs", {"subject": "pkg:pypi/bleach"})
    followed = ada.get(started["Location"])
    assert followed.status_code == 200
    assert followed.json() == started.json()


def test_the_researcher_is_said_to_be_no_language_model(ada: Api) -> None:
    body = ada.send("runs", {"subject": "pkg:pypi/bleach"}).json()
    assert body["researcher"] == {"name": "extractive", "language_model": False}


def test_the_dossier_pins_the_version_and_the_case_does_not(ada: Api) -> None:
    ada.send("runs", {"subject": "pkg:pypi/bleach"})
    run = Run.objects.get()
    assert run.case.subject_key == "pkg:pypi/bleach"
    assert run.dossier.subject_version


def test_a_question_starts_a_run(ada: Api) -> None:
    response = ada.send("runs", {"question": "Does the vendor keep logs?"})
    assert response.status_code == 202
    assert Run.objects.get().case.subject_kind == "question"


def test_a_kind_may_be_named(ada: Api) -> None:
    body = {"subject": "Is it safe to hand over a key?", "kind": "question"}
    assert ada.send("runs", body).status_code == 202


@pytest.mark.parametrize(
    ("body", "code", "field"),
    [
        ({}, "bad_input", "subject"),
        (
            {"subject": "pkg:pypi/bleach", "question": "Is it kept up?"},
            "bad_input",
            "subject",
        ),
        ({"subject": "bleach"}, "unknown_subject", "subject"),
        ({"subject": "pkg:pypi/"}, "bad_purl", "subject"),
        ({"subject": "pkg:pypi/bleach", "kind": "hat"}, "bad_input", "kind"),
        ({"question": "Is it kept up?", "kind": "package"}, "bad_input", "kind"),
        ({"question": ""}, "bad_input", "question"),
        ({"question": "   "}, "bad_input", "question"),
        ({"question": "?!"}, "empty", "question"),
        ({"question": "why " * 501}, "bad_input", "question"),
        ({"subject": "pkg:pypi/" + "a" * 5000}, "bad_input", "subject"),
        ({"subject": "pkg:pypi/" + "a" * 600}, "subject_too_long", "subject"),
        ({"question": "Is it\0kept up?"}, "bad_input", "question"),
        ({"question": "Is it \ud800 kept up?"}, "bad_input", "question"),
        ({"question": "Is it\u202ekept up?"}, "control_characters", "question"),
        ({"question": 7}, "bad_input", "question"),
        ({"question": None}, "bad_input", "question"),
        ({"subject": ["pkg:pypi/bleach"]}, "bad_input", "subject"),
        ({"subject": "pkg:pypi/bleach", "kinds": "package"}, "bad_input", "kinds"),
    ],
)
def test_a_bad_request_is_refused_by_field(
    ada: Api, body: dict[str, Any], code: str, field: str
) -> None:
    found = problem(ada.send("runs", body), 400, code)
    assert list(found["errors"]) == [field]
    assert not Run.objects.exists()


def test_what_is_not_installed_is_not_found(ada: Api) -> None:
    response = ada.send("runs", {"subject": "pkg:pypi/no-such-distribution"})
    assert response.status_code == 404
    assert response["Content-Type"] == "application/problem+json"
    assert not Run.objects.exists()


def test_a_second_run_on_the_case_is_refused_while_one_is_active(ada: Api) -> None:
    ada.send("runs", {"subject": "pkg:pypi/bleach"})
    problem(ada.send("runs", {"subject": "pkg:pypi/bleach"}), 409, "run_active")


def test_research_switched_off_is_said(ada: Api, cast: Cast) -> None:
    set_feature(by=cast.actor(cast.ada), feature=Feature.MCP_RESEARCH, enabled=False)
    response = ada.send("runs", {"subject": "pkg:pypi/bleach"})
    problem(response, 403, "feature_off")


def test_a_member_may_not_start_a_run(mia: Api) -> None:
    problem(mia.send("runs", {"subject": "pkg:pypi/bleach"}), 403, "not_allowed")
