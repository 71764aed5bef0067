"""What a token may do is the least of its scopes and its maker's role."""

import pytest

from tests.factories.accounts import Cast
from tests.factories.research import EvidenceRows
from tests.research.api.clients import Api, problem

DENIAL = {
    "verdict": "denied",
    "rationale": "No longer maintained.",
    "evidence_digest": "0" * 64,
}
ASK = {"subject": "pkg:pypi/bleach", "justification": "We render comments."}
# What each scope opens: the refusal is 403, all else shows that it was let through.
CALLS = {
    "read": ("GET", "cases", None),
    "ask": ("POST", "cases", ASK),
    "run": ("POST", "runs", {"subject": "pkg:pypi/nowhere"}),
    "decide": ("POST", "cases/{case}/decisions", DENIAL),
}


@pytest.mark.parametrize("scope", CALLS)
@pytest.mark.parametrize("call", CALLS)
def test_a_scope_opens_its_own_calls_and_no_others(
    cast: Cast, evidence: EvidenceRows, scope: str, call: str
) -> None:
    api = Api(cast.actor(cast.ada), [scope])
    method, path, body = CALLS[call]
    path = path.format(case=evidence.case.public_id)
    response = api.read(path) if method == "GET" else api.send(path, body)
    if scope == call:
        assert response.status_code != 403
    else:
        problem(response, 403, "not_allowed")


@pytest.mark.parametrize(
    "path",
    [
        "runs/{run}",
        "runs/{run}/events",
        "cases",
        "cases/{case}",
        "dossiers/{dossier}",
        "snapshots/{snapshot}",
        "snapshots/{snapshot}/text",
    ],
)
def test_every_read_takes_the_read_scope(
    cast: Cast, evidence: EvidenceRows, path: str
) -> None:
    api = Api(cast.actor(cast.ada), ["ask", "run", "decide"])
    address = path.format(
        run=evidence.run.public_id,
        case=evidence.case.public_id,
        dossier=evidence.dossier.public_id,
        snapshot=evidence.snapshot.public_id,
    )
    problem(api.read(address), 403, "not_allowed")


def test_a_reviewer_may_start_and_decide(cast: Cast, evidence: EvidenceRows) -> None:
    ben = Api(cast.actor(cast.ben))
    etag = ben.read(f"dossiers/{evidence.dossier.public_id}")["ETag"].strip('"')
    body = {**DENIAL, "evidence_digest": etag}
    path = f"cases/{evidence.case.public_id}/decisions"
    assert ben.send(path, body).status_code == 201
    assert ben.send("runs", {"question": "Is it kept up?"}).status_code == 202


def test_a_member_may_not_cancel(mia: Api, evidence: EvidenceRows) -> None:
    response = mia.send(f"runs/{evidence.run.public_id}/cancel")
    problem(response, 403, "not_allowed")
