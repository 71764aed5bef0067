"""The dossier as plain values: facts and findings apart, figures with denominators."""

import json

import pytest

from research.evidence import Evidence, load_evidence
from research.presentation.as_json import dossier_as_json
from tests.factories.research import BLEACH, EvidenceRows


def test_it_passes_through_json_unchanged(evidence: Evidence) -> None:
    dossier = dossier_as_json(evidence)
    assert json.loads(json.dumps(dossier)) == dossier


def test_a_rejected_claim_is_counted_and_stands_apart(rows: EvidenceRows) -> None:
    evidence = load_evidence(rows.dossier)
    evidence.claims[0].rejected_reason = "quote_missing"
    findings = dossier_as_json(evidence)["findings"]
    assert findings["claim_counts"] == {"total": 3, "accepted": 2, "rejected": 1}
    assert findings["questions"][0]["claims"] == []
    (rejected,) = findings["rejected_claims"]
    assert (rejected["question"], rejected["statement"]) == (
        "licence",
        "License-Expression: Apache-2.0",
    )


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
    assert run["researcher"] == {
        "name": "extractive",
        "language_model": False,
        "models": [],
    }


def test_of_an_unknown_researcher_nobody_can_tell(evidence: Evidence) -> None:
    evidence.questions[0].run.researcher = "gone"
    run = dossier_as_json(evidence)["findings"]["run"]
    assert run["researcher"] == {"name": "gone", "language_model": None, "models": []}


@pytest.mark.parametrize("stored", ["", "no JSON", '{"a": 1}'])
def test_searches_that_cannot_be_read_are_none(evidence: Evidence, stored: str) -> None:
    evidence.questions[0].searches = stored
    question = dossier_as_json(evidence)["findings"]["questions"][0]
    assert question["searches"] == []


def test_a_dossier_without_a_run_has_no_researcher(rows: EvidenceRows) -> None:
    evidence = Evidence(dossier=rows.dossier, sources=[], lookups=[], runs=[])
    findings = dossier_as_json(evidence)["findings"]
    assert findings["run"] is None
    assert findings["questions"] == []
