from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import OrganizationFeature
from research.models import Claim, Dossier, Question, Run
from tests.factories.accounts import Cast
from tests.factories.research import (
    EvidenceRows,
    make_case,
    make_evidence,
    make_run,
)
from tests.research.views.reading import links, parsed, words


def url(rows: EvidenceRows) -> str:
    return f"/o/harbour/cases/{rows.case.public_id}/"


def cited(client: Client, rows: EvidenceRows, place: int = 1) -> Any:
    return client.get(url(rows), {"citation": rows.citations[place].public_id})


def test_the_head_names_kind_key_version_status_and_run(
    mia: Client, rows: EvidenceRows
) -> None:
    head = words(mia.get(url(rows)), ".case-head")

    for expected in ("Package pkg:pypi/bleach", "6.4.0, pinned by dossier 1"):
        assert expected in head
    assert "Status Not reviewed" in head
    assert "Last run Completed" in head


def test_lookups_have_three_shapes_and_a_denominator(
    mia: Client, rows: EvidenceRows
) -> None:
    page = mia.get(url(rows))

    facts = words(page, ".facts")
    assert "1 of 3 lookups found something, 1 found none, 1 could not be" in facts
    assert "checked, none" in words(page, ".answer-absent")
    assert "could not check" in words(page, ".answer-unknown")
    assert "it is not UTF-8" in words(page, ".answer-unknown")
    shapes = [node.html for node in parsed(page).css(".answer .shape")]
    assert len(set(shapes)) == 3


def test_a_fact_has_its_tier_its_document_and_an_anchor(
    mia: Client, rows: EvidenceRows
) -> None:
    page = mia.get(url(rows))

    assert "Apache-2.0 declared in METADATA" in words(page, "#fact-0-0")
    snapshot = f"/o/harbour/snapshots/{rows.snapshot.public_id}/"
    assert links(page, "#fact-0-0 a") == [snapshot]
    assert "observed" in words(page, "#fact-0-1")


def test_a_gap_leads_to_a_new_run_only_for_those_who_may_start_one(
    mia: Client, ben: Client, rows: EvidenceRows
) -> None:
    assert links(ben.get(url(rows)), ".answer-unknown a") == ["#dossiers"]
    assert links(mia.get(url(rows)), ".answer-unknown a") == []


@pytest.mark.row("D9")
def test_every_question_ends_in_one_of_three_ways(
    mia: Client, rows: EvidenceRows
) -> None:
    Question.objects.create(
        run=rows.run,
        position=9,
        key="incidents",
        wording="Were there incidents?",
        outcome="not_checked",
        reason="It needs the open web.",
    )

    page = mia.get(url(rows))

    findings = words(page, ".findings")
    assert "2 of 4 questions answered, 1 searched and not found, 1 not checked" in (
        findings
    )
    missed = words(page, "#question-advisories")
    assert "Searched, not found. 1 document read" in missed
    assert "“" not in missed  # quotation marks are drawn, not written
    assert "advisory vulnerability CVE" in missed
    assert "Not checked. It needs the open web." in words(page, "#question-incidents")


@pytest.mark.row("D1")
def test_quotes_are_counted_with_their_denominator(
    mia: Client, rows: EvidenceRows
) -> None:
    assert "3 of 3 quotes found in their snapshots." in words(
        mia.get(url(rows)), ".findings"
    )


@pytest.mark.row("D13")
def test_the_extractive_researcher_says_that_it_is_no_language_model(
    mia: Client, rows: EvidenceRows
) -> None:
    sentence = "extractive researcher, which is no language model"
    assert sentence in words(mia.get(url(rows)), ".findings")
    assert sentence in words(mia.get(f"/o/harbour/runs/{rows.run.public_id}/"))


def test_every_claim_and_citation_has_its_anchor(
    mia: Client, rows: EvidenceRows
) -> None:
    page = parsed(mia.get(url(rows)))

    for citation in rows.citations:
        assert page.css_first(f"#{citation.public_id}")
        assert page.css_first(f"#{citation.claim.public_id}")


def test_a_rejected_claim_is_counted_apart_and_is_no_evidence(
    mia: Client, rows: EvidenceRows
) -> None:
    Claim.objects.create(
        run=rows.run,
        question=rows.run.questions.all()[0],
        position=50,
        statement="Bleach is the best.",
        tier="publisher",
        rejected_reason="quote_missing",
    )

    page = mia.get(url(rows))

    assert "1 of 4 claims rejected by code" in words(page, ".rejected summary")
    assert "Bleach is the best." in words(page, ".rejected")
    assert "Bleach is the best." not in words(page, ".questions")
    assert parsed(page).css_first("details.rejected[open]") is None


def test_without_a_chosen_quote_the_documents_are_listed(
    mia: Client, rows: EvidenceRows
) -> None:
    page = mia.get(url(rows))

    assert "1 document archived for this dossier." in words(page, ".sources")
    assert f"/o/harbour/snapshots/{rows.snapshot.public_id}/" in links(
        page, ".sources a"
    )


def test_an_earlier_dossier_can_be_read_but_not_decided_on(
    ben: Client, rows: EvidenceRows
) -> None:
    ended = {"status": "completed", "finished_at": timezone.now()}
    newer = make_run(rows.case, rows.run.requested_by, **ended).dossier
    newer.collected_at = timezone.now()
    newer.save()

    page = ben.get(url(rows), {"dossier": rows.dossier.public_id})

    assert "This is dossier 1, an earlier one." in words(page, ".case-head")
    assert parsed(page).css_first("#decide") is None
    dossier = f"{url(rows)}?dossier={rows.dossier.public_id}"
    assert links(page, "a.quote-link")[0].startswith(f"{dossier}&citation=cit_")
    assert dossier in links(ben.get(url(rows)), ".dossiers a")


def test_a_dossier_of_another_case_is_not_there(
    cast: Cast, mia: Client, rows: EvidenceRows
) -> None:
    other = make_evidence(
        cast.organization, cast.ada, case_fields={"subject_key": "pkg:pypi/other"}
    )

    answer = mia.get(url(rows), {"dossier": other.dossier.public_id})

    assert answer.status_code == 404


def test_a_case_without_evidence_offers_the_next_step(
    cast: Cast, mia: Client, ben: Client
) -> None:
    case = make_case(cast.organization, cast.ada)
    address = f"/o/harbour/cases/{case.public_id}/"

    assert "A reviewer can start the research." in words(mia.get(address))
    assert "Start research" in words(ben.get(address), "#start-run")


def test_a_run_under_way_is_followed_instead_of_started_again(
    cast: Cast, ben: Client
) -> None:
    run = make_run(make_case(cast.organization, cast.ada), cast.ben)

    page = ben.get(f"/o/harbour/cases/{run.case.public_id}/")

    assert f"/o/harbour/runs/{run.public_id}/" in links(page, ".blank a")
    assert parsed(page).css_first("#start-run") is None


def test_with_research_off_the_page_says_whom_to_ask(cast: Cast, ben: Client) -> None:
    case = make_case(cast.organization, cast.ada)
    OrganizationFeature.objects.filter(feature="mcp_research").update(enabled=False)

    page = words(ben.get(f"/o/harbour/cases/{case.public_id}/"))

    assert "Research is switched off for Harbour" in page


@pytest.mark.parametrize("named", ["citation", "dossier"])
def test_a_nul_byte_in_the_address_is_not_there(
    mia: Client, rows: EvidenceRows, named: str
) -> None:
    assert mia.get(url(rows), {named: "a\0b"}).status_code == 404


def test_another_organizations_case_is_not_there(
    cy: Client, rows: EvidenceRows
) -> None:
    for slug in ("harbour", "depot"):
        address = f"/o/{slug}/cases/{rows.case.public_id}/"
        assert cy.get(address).status_code == 404


def test_no_score_and_no_verdict_is_suggested(ben: Client, rows: EvidenceRows) -> None:
    page = parsed(cited(ben, rows))

    assert page.css("input[name=verdict][checked]") == []
    text = page.body.text().lower() if page.body else ""
    for word in ("score", "risk", "safe to", "recommend", "%"):
        assert word not in text


def test_the_ledger_shown_is_that_of_the_newest_run_which_has_one(
    mia: Client, rows: EvidenceRows
) -> None:
    Run.objects.filter(pk=rows.run.pk).update(researcher="extractive")
    later = make_run(
        rows.case,
        rows.run.requested_by,
        status="failed",
        finished_at=timezone.now(),
        error="It fell over.",
    )
    Run.objects.filter(pk=later.pk).update(dossier=rows.dossier)
    Dossier.objects.filter(pk=later.dossier_id).exclude(pk=rows.dossier.pk).delete()

    page = mia.get(url(rows))

    assert "Last run Failed" in words(page, ".case-head")
    assert "3 of 3 quotes" in words(page, ".findings")
