from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.models import OrganizationFeature
from research.models import Decision
from research.queries import evidence_digest
from tests.factories.accounts import Cast
from tests.factories.research import EvidenceRows, make_case
from tests.research.views.reading import links, parsed, words

Post = Callable[..., Any]
RATIONALE = "No fixes any more; see https://example.org/why."


def url(rows: EvidenceRows) -> str:
    return f"/o/harbour/cases/{rows.case.public_id}/"


def digest_on(page: Any) -> str:
    field = parsed(page).css_first("input[name=evidence_digest]")
    assert field is not None
    return str(field.attributes["value"])


@pytest.fixture
def post(rows: EvidenceRows) -> Post:
    """Fills in the form as it stands on the page, and sends it."""

    def sent(client: Client, **fields: str) -> Any:
        filled = {
            "verdict": "denied",
            "rationale": RATIONALE,
            "evidence_digest": evidence_digest(rows.dossier),
            **fields,
        }
        return client.post(f"{url(rows)}decide/", filled)

    return sent


def test_a_decision_is_recorded_on_the_digest_that_the_page_carries(
    cast: Cast, ben: Client, rows: EvidenceRows, post: Post
) -> None:
    digest = digest_on(ben.get(url(rows)))

    answer = post(ben, evidence_digest=digest, expires_on="2099-12-31")

    decision = Decision.objects.get()
    assert answer["Location"] == f"{url(rows)}#{decision.public_id}"
    assert decision.evidence_digest == digest
    assert decision.decided_by == cast.ben
    assert decision.expires_at is not None
    assert decision.expires_at.isoformat() == "2099-12-31T23:59:59+00:00"
    rows.case.refresh_from_db()
    assert rows.case.status == "denied"


def test_the_record_shows_who_when_why_and_on_what(
    ben: Client, mia: Client, rows: EvidenceRows, post: Post
) -> None:
    post(ben, conditions="Look at nh3.", expires_on="2099-12-31")
    decision = Decision.objects.get()

    page = mia.get(url(rows))

    record = words(page, f"#{decision.public_id}")
    assert "Denied by Ben, just now" in record
    assert "on condition Look at nh3." in record
    assert "(31 Dec 2099, 23:59 UTC)" in record
    assert decision.evidence_digest in record
    why = links(page, f"#{decision.public_id} .prose a")
    assert [link.rstrip(".") for link in why] == ["https://example.org/why"]


def test_markup_in_a_rationale_stays_text(
    ben: Client, mia: Client, rows: EvidenceRows, post: Post
) -> None:
    post(ben, rationale="<img src=x onerror=alert(1)> <b>bold</b>")

    record = parsed(mia.get(url(rows))).css_first(".decisions .prose")

    assert record is not None
    assert record.css_first("img, b") is None
    assert "<img src=x" in record.text()


def test_when_the_evidence_moved_on_the_words_are_kept_for_the_new_evidence(
    ben: Client, rows: EvidenceRows, post: Post
) -> None:
    answer = post(ben, evidence_digest="0" * 64, conditions="Only inside.")

    assert answer.status_code == 412
    assert Decision.objects.count() == 0
    assert "The evidence has changed since it was shown" in words(answer, ".summary")
    assert "Nothing was recorded." in words(answer, ".summary")
    assert words(answer, "#id_rationale") == RATIONALE
    assert words(answer, "#id_conditions") == "Only inside."
    assert parsed(answer).css("input[name=verdict][checked]") == []
    assert digest_on(answer) == evidence_digest(rows.dossier)


def test_quotes_can_be_read_from_the_page_of_a_refused_form(
    ben: Client, rows: EvidenceRows, post: Post
) -> None:
    answer = post(ben, evidence_digest="0" * 64)

    for link in links(answer, "a.quote-link"):
        assert ben.get(link.removesuffix("#quote")).status_code == 200


@pytest.mark.parametrize(
    ("fields", "where", "sentence"),
    [
        ({"verdict": ""}, "#id_verdict_error", "required"),
        ({"verdict": "perhaps"}, "#id_verdict_error", "perhaps"),
        ({"rationale": "  "}, "#id_rationale_error", "required"),
        ({"expires_on": "2001-01-01"}, "#id_expires_on_error", "expired already"),
        ({"expires_on": "soon"}, "#id_expires_on_error", "valid date"),
    ],
)
def test_a_faulty_form_is_shown_again_with_the_fault_at_its_field(
    ben: Client, post: Post, fields: dict[str, str], where: str, sentence: str
) -> None:
    answer = post(ben, **fields)

    assert answer.status_code == 400
    assert sentence in words(answer, where)
    assert sentence in words(answer, ".summary")
    assert Decision.objects.count() == 0


def test_the_summary_leads_to_the_field(ben: Client, post: Post) -> None:
    answer = post(ben, verdict="", rationale="")

    for anchor in links(answer, ".summary a"):
        assert parsed(answer).css_first(anchor) is not None, anchor


def test_a_form_without_its_digest_decides_nothing(ben: Client, post: Post) -> None:
    answer = post(ben, evidence_digest="")

    assert answer.status_code == 400
    assert Decision.objects.count() == 0


def test_a_member_sees_no_form_and_cannot_decide(
    mia: Client, rows: EvidenceRows, post: Post
) -> None:
    assert parsed(mia.get(url(rows))).css_first("#decide") is None

    answer = post(mia)

    assert answer.status_code == 403
    assert "The role member" in words(answer, ".lede")


def test_with_approval_off_nobody_decides(ben: Client, post: Post) -> None:
    OrganizationFeature.objects.filter(feature="mcp_approval").update(enabled=False)

    assert post(ben).status_code == 403
    assert Decision.objects.count() == 0


def test_without_evidence_there_is_nothing_to_decide_on(
    cast: Cast, ben: Client
) -> None:
    case = make_case(cast.organization, cast.ada)
    fields = {"verdict": "denied", "rationale": "No.", "evidence_digest": "0" * 64}

    answer = ben.post(f"/o/harbour/cases/{case.public_id}/decide/", fields)

    assert answer.status_code == 409
    assert "There is no evidence to decide on yet" in words(answer, ".summary")


def test_another_organizations_case_cannot_be_decided_on(
    cy: Client, post: Post
) -> None:
    assert post(cy).status_code == 404
    assert Decision.objects.count() == 0
