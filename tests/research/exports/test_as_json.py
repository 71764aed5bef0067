"""The dossier as plain values: facts and findings apart, figures with denominators."""

import json
from typing import Any

from research.api.serializers.dossiers import DossierOut
from research.evidence import Evidence, load_evidence
from research.exports import dossier_as_json
from research.models import Claim
from tests.factories.research import BLEACH, EvidenceRows


def as_answered(evidence: Evidence) -> Any:
    """What the REST API answers for the same dossier."""
    return json.loads(json.dumps(DossierOut(evidence).data))


def test_it_is_what_the_rest_api_answers(evidence: Evidence) -> None:
    dossier = dossier_as_json(evidence)
    assert json.loads(json.dumps(dossier)) == dossier == as_answered(evidence)


def test_it_is_so_with_rejected_claims_too(rows: EvidenceRows) -> None:
    rejected = rows.citations[0].claim
    Claim.objects.filter(pk=rejected.pk).update(rejected_reason="quote_missing")
    evidence = load_evidence(rows.dossier)
    dossier = dossier_as_json(evidence)
    assert dossier == as_answered(evidence)
    findings = dossier["findings"]
    assert findings["claim_counts"] == {"total": 3, "accepted": 2, "rejected": 1}
    assert findings["questions"][0]["claims"] == []


def test_facts_and_findings_stand_apart(evidence: Evidence) -> None:
    dossier = dossier_as_json(evidence)
    lookups, questions = dossier["facts"]["lookups"], dossier["findings"]["questions"]
    assert [row["outcome"] for row in lookups] == ["found", "absent", "unknown"]
    outcomes = [row["outcome"] for row in questions]
    assert outcomes == ["answered", "answered", "searched_not_found"]


def test_every_figure_has_its_denominator(evidence: Evidence) -> None:
    dossier = dossier_as_json(evidence)
    facts, findings = dossier["facts"], dossier["findings"]
    assert facts["lookup_counts"] == {"total": 3, "found": 1, "absent": 1, "unknown": 1}
    assert findings["question_counts"]["total"] == 3
    assert findings["citation_counts"] == {
        "total": 3,
        "exact": 2,
        "typographic": 1,
        "missing": 0,
    }


def test_a_citation_names_its_place_in_the_archived_text(evidence: Evidence) -> None:
    question = dossier_as_json(evidence)["findings"]["questions"][0]
    citation = question["claims"][0]["citations"][0]
    assert BLEACH[citation["start"] : citation["end"]] == citation["quote"]
    assert citation["byte_start"] == citation["start"]


def test_it_says_that_no_language_model_was_used(evidence: Evidence) -> None:
    run = dossier_as_json(evidence)["findings"]["run"]
    assert run["researcher"] == {"name": "extractive", "language_model": False}


def test_a_dossier_without_a_run_has_no_researcher(rows: EvidenceRows) -> None:
    evidence = Evidence(dossier=rows.dossier, sources=[], lookups=[], runs=[])
    findings = dossier_as_json(evidence)["findings"]
    assert findings["run"] is None
    assert findings["questions"] == []
