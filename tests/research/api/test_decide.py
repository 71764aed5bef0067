"""POST /api/v1/cases/{id}/decisions: on exactly the evidence that was read."""

from typing import Any

import pytest

from research.models import Decision, Lookup, Outcome
from tests.factories.accounts import Cast
from tests.factories.research import EvidenceRows, make_case
from tests.research.api.clients import Api, problem

DENIAL = {"verdict": "denied", "rationale": "It is no longer maintained."}


def etag_of(api: Api, evidence: EvidenceRows) -> str:
    return str(api.read(f"dossiers/{evidence.dossier.public_id}")["ETag"])


def send(api: Api, evidence: EvidenceRows, body: Any, etag: str | None) -> Any:
    headers = {} if etag is None else {"if-match": etag}
    path = f"cases/{evidence.case.public_id}/decisions"
    return api.send(path, body, **headers)


def test_the_dossiers_etag_carries_the_decision(
    ada: Api, evidence: EvidenceRows
) -> None:
    etag = etag_of(ada, evidence)
    response = send(ada, evidence, DENIAL, etag)
    decision = Decision.objects.get()
    assert response.status_code == 201
    body = response.json()
    assert body["id"] == decision.public_id
    assert body["evidence_digest"] == etag.strip('"') == decision.evidence_digest
    assert body["decided_by"]["email"] == "ada@example.org"
    case = ada.read(f"cases/{evidence.case.public_id}").json()
    assert case["status"] == "denied"
    assert case["decisions"]["newest"][0] == body


def test_the_digest_may_stand_in_the_body(ada: Api, evidence: EvidenceRows) -> None:
    dossier = ada.read(f"dossiers/{evidence.dossier.public_id}").json()
    body = {**DENIAL, "evidence_digest": dossier["evidence_digest"]}
    assert send(ada, evidence, body, None).status_code == 201


def test_conditions_and_an_expiry_are_kept(ada: Api, evidence: EvidenceRows) -> None:
    body = {
        "verdict": "approved",
        "rationale": "Good enough for now.",
        "conditions": "Replace it by spring.",
        "expires_at": "2999-03-01T00:00:00+01:00",
    }
    found = send(ada, evidence, body, etag_of(ada, evidence)).json()
    assert found["conditions"] == "Replace it by spring."
    assert found["expires_at"] == "2999-02-28T23:00:00Z"


def test_a_decision_on_unnamed_evidence_is_refused(
    ada: Api, evidence: EvidenceRows
) -> None:
    response = send(ada, evidence, DENIAL, None)
    problem(response, 428, "precondition_required")
    assert not Decision.objects.exists()


def test_evidence_that_moved_on_is_not_decided_on(
    ada: Api, evidence: EvidenceRows
) -> None:
    etag = etag_of(ada, evidence)
    Lookup.objects.create(
        dossier=evidence.dossier, position=9, source="late", outcome=Outcome.FOUND
    )
    problem(send(ada, evidence, DENIAL, etag), 412, "evidence_moved")
    assert not Decision.objects.exists()


@pytest.mark.parametrize("etag", ["*", 'W/"abc"', '"a", "b"', "abc", ""])
def test_if_match_takes_one_strong_etag(
    ada: Api, evidence: EvidenceRows, etag: str
) -> None:
    problem(send(ada, evidence, DENIAL, etag), 400, "if_match")


def test_header_and_body_must_agree(ada: Api, evidence: EvidenceRows) -> None:
    body = {**DENIAL, "evidence_digest": "0" * 64}
    response = send(ada, evidence, body, etag_of(ada, evidence))
    problem(response, 400, "if_match")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"verdict": "maybe"}, "verdict"),
        ({"verdict": None}, "verdict"),
        ({"rationale": ""}, "rationale"),
        ({"rationale": "x" * 10_001}, "rationale"),
        ({"expires_at": "soon"}, "expires_at"),
        ({"expires_at": "2999-03-01T00:00:00"}, "expires_at"),
        ({"expires_at": 5}, "expires_at"),
        ({"evidence_digest": "ABC"}, "evidence_digest"),
        ({"score": 3}, "score"),
    ],
)
def test_a_bad_decision_is_refused_by_field(
    ada: Api, evidence: EvidenceRows, change: dict[str, Any], field: str
) -> None:
    response = send(ada, evidence, {**DENIAL, **change}, etag_of(ada, evidence))
    assert list(problem(response, 400, "bad_input")["errors"]) == [field]
    assert not Decision.objects.exists()


def test_an_expiry_in_the_past_is_refused(ada: Api, evidence: EvidenceRows) -> None:
    body = {**DENIAL, "expires_at": "2020-01-01T00:00:00Z"}
    response = send(ada, evidence, body, etag_of(ada, evidence))
    problem(response, 400, "expires_at")


def test_a_case_without_evidence_cannot_be_decided(ada: Api, cast: Cast) -> None:
    case = make_case(cast.organization, cast.ada)
    body = {**DENIAL, "evidence_digest": "0" * 64}
    response = ada.send(f"cases/{case.public_id}/decisions", body)
    problem(response, 409, "no_evidence")


def test_a_member_may_not_decide(mia: Api, ada: Api, evidence: EvidenceRows) -> None:
    response = send(mia, evidence, DENIAL, etag_of(ada, evidence))
    problem(response, 403, "not_allowed")
