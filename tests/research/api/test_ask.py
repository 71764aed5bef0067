"""POST /api/v1/cases: a member asks for something."""

from typing import Any

import pytest

from accounts.models import Feature
from accounts.services import set_feature
from research.models import Ask, Case
from tests.factories.accounts import Cast
from tests.factories.research import EvidenceRows
from tests.research.api.clients import Api, problem

ASK = {"subject": "pkg:pypi/bleach", "justification": "We render user comments."}


def test_an_ask_opens_a_case(mia: Api) -> None:
    response = mia.send("cases", ASK)
    ask = Ask.objects.get()
    assert response.status_code == 201
    assert response["Location"] == f"/api/v1/cases/{ask.case.public_id}"
    body = response.json()
    assert body["ask"]["id"] == ask.public_id
    assert body["ask"]["justification"] == ASK["justification"]
    assert body["case"]["status"] == "requested"


def test_a_second_ask_joins_the_case(mia: Api, evidence: EvidenceRows) -> None:
    body = mia.send("cases", ASK).json()
    assert body["case"]["id"] == evidence.case.public_id
    assert Case.objects.count() == 1


def test_anything_may_be_asked_for(mia: Api) -> None:
    for subject in ("example.org", "https://mcp.example.org/sse", "npx -y @a/server"):
        assert mia.send("cases", {**ASK, "subject": subject}).status_code == 201


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"subject": "pkg:pypi/bleach"}, "justification"),
        ({**ASK, "justification": " "}, "justification"),
        ({**ASK, "justification": "x" * 10_001}, "justification"),
        ({**ASK, "justification": "a\0b"}, "justification"),
        ({**ASK, "justification": 5}, "justification"),
        ({"justification": "We need it."}, "subject"),
        ({**ASK, "question": "Is it kept up?"}, "question"),
    ],
)
def test_a_bad_ask_is_refused_by_field(
    mia: Api, body: dict[str, Any], field: str
) -> None:
    found = problem(mia.send("cases", body), 400, "bad_input")
    assert list(found["errors"]) == [field]
    assert not Case.objects.exists()


def test_approval_switched_off_is_said(mia: Api, cast: Cast) -> None:
    set_feature(by=cast.actor(cast.ada), feature=Feature.MCP_APPROVAL, enabled=False)
    problem(mia.send("cases", ASK), 403, "feature_off")
