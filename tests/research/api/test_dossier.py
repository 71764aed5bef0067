"""GET /api/v1/dossiers/{id}: facts and findings, kept apart, with denominators."""

from typing import Any

from drf_spectacular.generators import SchemaGenerator
from pytest_django import DjangoAssertNumQueries

from research.models import Claim, Question
from tests.factories.accounts import Cast
from tests.factories.research import EvidenceRows, make_evidence
from tests.research.api.clients import Api


def test_facts_and_findings_stand_apart(ada: Api, evidence: EvidenceRows) -> None:
    body = ada.read(f"dossiers/{evidence.dossier.public_id}").json()
    assert body["subject"] == {"kind": "package", "key": "pkg:pypi/bleach"}
    assert body["subject_version"] == "6.4.0"
    assert set(body["facts"]) == {"lookups", "lookup_counts", "fact_counts"}
    assert "claims" not in str(body["facts"])
    assert "lookups" not in str(body["findings"])


def test_lookups_have_three_answers_with_their_reasons(
    ada: Api, evidence: EvidenceRows
) -> None:
    facts = ada.read(f"dossiers/{evidence.dossier.public_id}").json()["facts"]
    found, absent, unknown = facts["lookups"]
    assert (found["outcome"], len(found["facts"])) == ("found", 2)
    assert (absent["outcome"], absent["facts"]) == ("absent", [])
    assert unknown["outcome"] == "unknown"
    assert "cannot be read" in unknown["reason"]
    assert facts["lookup_counts"] == {"total": 3, "found": 1, "absent": 1, "unknown": 1}
    assert facts["fact_counts"] == {"total": 2, "declared": 1, "observed": 1}


def test_findings_carry_their_quotes_and_offsets(
    ada: Api, evidence: EvidenceRows
) -> None:
    findings = ada.read(f"dossiers/{evidence.dossier.public_id}").json()["findings"]
    citation = findings["questions"][0]["claims"][0]["citations"][0]
    stored = evidence.citations[0]
    assert citation == {
        "id": stored.public_id,
        "snapshot": evidence.snapshot.public_id,
        "uri": "dist:bleach==6.4.0/METADATA",
        "quote": "License-Expression: Apache-2.0",
        "grade": "exact",
        "start": stored.start,
        "end": stored.end,
        "byte_start": stored.byte_start,
        "byte_end": stored.byte_end,
        "crosses_blocks": False,
    }


def test_every_figure_has_its_denominator(ada: Api, evidence: EvidenceRows) -> None:
    findings = ada.read(f"dossiers/{evidence.dossier.public_id}").json()["findings"]
    assert findings["question_counts"] == {
        "total": 3,
        "answered": 2,
        "searched_not_found": 1,
        "not_checked": 0,
    }
    assert findings["claim_counts"] == {"total": 3, "accepted": 3, "rejected": 0}
    assert findings["citation_counts"]["total"] == 3
    assert findings["citation_counts"]["missing"] == 0


def test_what_was_looked_for_is_listed(ada: Api, evidence: EvidenceRows) -> None:
    findings = ada.read(f"dossiers/{evidence.dossier.public_id}").json()["findings"]
    unanswered = findings["questions"][2]
    assert unanswered["outcome"] == "searched_not_found"
    assert unanswered["searches"] == ["advisory vulnerability CVE"]
    assert unanswered["claims"] == []


def test_a_rejected_claim_is_counted_and_is_no_evidence(
    ada: Api, evidence: EvidenceRows
) -> None:
    Claim.objects.create(
        run=evidence.run,
        question=Question.objects.get(key="licence"),
        position=9,
        statement="It is under the MIT licence.",
        tier="publisher",
        rejected_reason="quote_missing",
    )
    findings = ada.read(f"dossiers/{evidence.dossier.public_id}").json()["findings"]
    assert findings["claim_counts"] == {"total": 4, "accepted": 3, "rejected": 1}
    assert "MIT" not in str(findings["questions"])
    (rejected,) = findings["rejected_claims"]
    assert (rejected["question"], rejected["rejected_reason"]) == (
        "licence",
        "quote_missing",
    )


def test_the_run_behind_the_findings_is_named(ada: Api, evidence: EvidenceRows) -> None:
    findings = ada.read(f"dossiers/{evidence.dossier.public_id}").json()["findings"]
    assert findings["run"] == {
        "id": evidence.run.public_id,
        "researcher": {
            "name": "extractive",
            "language_model": False,
            "models": [],
        },
        "ended": True,
        "stop_reason": "completed",
    }


def test_the_answer_has_just_the_fields_that_its_description_has(
    ada: Api, evidence: EvidenceRows
) -> None:
    Claim.objects.create(
        run=evidence.run,
        question=Question.objects.get(key="licence"),
        position=9,
        statement="It is under the MIT licence.",
        tier="publisher",
        rejected_reason="quote_missing",
    )
    body = ada.read(f"dossiers/{evidence.dossier.public_id}").json()
    described = SchemaGenerator().get_schema(public=True)["components"]["schemas"]
    assert_described(body, {"$ref": "#/components/schemas/DossierOut"}, described)


def assert_described(value: Any, schema: Any, named: dict[str, Any]) -> None:
    """Every field is described and every described one is there, at any depth."""
    if "allOf" in schema:
        (schema,) = schema["allOf"]
    if "$ref" in schema:
        schema = named[schema["$ref"].rsplit("/", 1)[-1]]
    if schema.get("type") == "object":
        assert set(value) == set(schema["properties"]) == set(schema["required"])
        for name, part in schema["properties"].items():
            assert_described(value[name], part, named)
    if schema.get("type") == "array":
        for item in value:
            assert_described(item, schema["items"], named)
    if "enum" in schema:
        assert value in schema["enum"]


def test_the_etag_is_the_evidence_digest(ada: Api, evidence: EvidenceRows) -> None:
    response = ada.read(f"dossiers/{evidence.dossier.public_id}")
    assert response["ETag"] == f'"{response.json()["evidence_digest"]}"'


def test_a_dossier_that_is_known_is_not_sent_again(
    ada: Api, evidence: EvidenceRows
) -> None:
    address = f"/api/v1/dossiers/{evidence.dossier.public_id}"
    etag = ada.get(address)["ETag"]
    again = ada.get(address, headers={"if-none-match": etag})
    assert (again.status_code, again.content) == (304, b"")
    assert again["ETag"] == etag


def test_answers_are_not_for_shared_caches(ada: Api, evidence: EvidenceRows) -> None:
    response = ada.read(f"dossiers/{evidence.dossier.public_id}")
    assert response["Cache-Control"] == "private, no-cache"


def test_500_citations_take_few_queries(
    ada: Api, cast: Cast, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    quotes = [f"Sentence number {number} stands here." for number in range(500)]
    evidence = make_evidence(
        cast.organization,
        cast.ada,
        text="\n\n".join(quotes),
        answers=[("licence", "What licence is it under?", quotes)],
    )
    with django_assert_max_num_queries(19):
        response = ada.read(f"dossiers/{evidence.dossier.public_id}")
    assert response.json()["findings"]["citation_counts"]["total"] == 500
