"""The dossier as plain values: facts and findings apart, figures with denominators."""

import json

from research.evidence import Evidence, load_evidence
from research.exports import dossier_as_json
from research.models import Claim
from tests.factories.research import BLEACH, EvidenceRows


def test_it_is_json(evidence: Evidence) -> None:
    dossier = dossier_as_json(evidence)
    assert json.loads(json.dumps(dossier)) == dossier


def test_facts_and_findings_stand_apart(evidence: Evidence) -> None:
    dossier = dossier_as_json(evidence)
    assert [lookup["outcome"] for lookup in dossier["facts"]] == [
        "found",
        "absent",
        "unknown",
    ]
    assert [question["outcome"] for question in dossier["findings"]] == [
        "answered",
        "answered",
        "searched_not_found",
    ]


def test_every_figure_has_its_denominator(evidence: Evidence) -> None:
    assert dossier_as_json(evidence)["counts"] == {
        "lookups": {"found": 1, "absent": 1, "unknown": 1, "total": 3},
        "questions": {
            "answered": 2,
            "searched_not_found": 1,
            "not_checked": 0,
            "total": 3,
        },
        "claims": {"accepted": 3, "rejected": 0, "total": 3},
        "citations": {"proven": 3, "total": 3},
    }


def test_a_citation_names_its_place_in_the_archived_text(evidence: Evidence) -> None:
    citation = dossier_as_json(evidence)["findings"][0]["claims"][0]["citations"][0]
    start, end = citation["characters"]
    assert BLEACH[start:end] == citation["quote"]
    assert citation["bytes"] == [start, end]
    assert citation["text_sha256"] == evidence.sources[0].snapshot.text_sha256


def test_a_rejected_claim_is_counted_and_not_shown(rows: EvidenceRows) -> None:
    rejected = rows.citations[0].claim
    Claim.objects.filter(pk=rejected.pk).update(rejected_reason="quote_missing")
    dossier = dossier_as_json(load_evidence(rows.dossier))
    assert dossier["counts"]["claims"] == {"accepted": 2, "rejected": 1, "total": 3}
    assert dossier["findings"][0]["rejected_claims"] == 1
    assert dossier["findings"][0]["claims"] == []


def test_it_says_that_no_language_model_was_used(evidence: Evidence) -> None:
    researcher = dossier_as_json(evidence)["researcher"]
    assert researcher["language_model"] is False
    assert researcher["note"].startswith("No language model was used")


def test_a_dossier_without_a_run_has_no_researcher(rows: EvidenceRows) -> None:
    evidence = Evidence(dossier=rows.dossier, sources=[], lookups=[], runs=[])
    dossier = dossier_as_json(evidence)
    assert dossier["researcher"]["language_model"] is None
    assert dossier["findings"] == dossier["runs"] == []
