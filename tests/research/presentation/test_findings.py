"""Claims and quotes in words."""

import pytest

from research.evidence import Evidence
from research.models import Citation, Claim
from research.presentation.findings import (
    findings_run,
    outcome_sentences,
    quote_light,
    says_more,
)
from tests.factories.accounts import Cast
from tests.factories.research import EvidenceRows, make_evidence


def claim_of(rows: EvidenceRows, statement: str, *quotes: str) -> Claim:
    """A claim that is stored with these quotes, wherever they stand."""
    claim = Claim.objects.create(
        run=rows.run,
        question=rows.run.questions.all()[0],
        position=rows.run.claims.count(),
        statement=statement,
        tier="publisher",
    )
    for position, quote in enumerate(quotes):
        Citation.objects.create(
            claim=claim,
            snapshot=rows.snapshot,
            position=position,
            quote=quote,
            grade="missing",
        )
    return claim


@pytest.mark.parametrize(
    ("statement", "quotes"),
    [
        ("It is deprecated.", ["It is deprecated."]),
        ("It is deprecated.", ["It  is\n deprecated."]),
        ("NOTE: It is deprecated.", ["**NOTE: It is `deprecated`.**"]),
        ("Fix bug 2023812.", ["* Fix bug 2023812."]),
        ("Security", ["## Security"]),
        ("It is deprecated.", ["It is deprecated.", "*It is deprecated.*"]),
    ],
)
def test_a_statement_that_is_its_quote_says_no_more(
    rows: EvidenceRows, statement: str, quotes: list[str]
) -> None:
    assert not says_more(claim_of(rows, statement, *quotes))


@pytest.mark.parametrize(
    ("statement", "quotes"),
    [
        ("It is not deprecated.", ["It is deprecated."]),
        ("deprecated", ["It is not deprecated."]),
        ("23", ["2*3"]),
        ("snakecase", ["snake_case"]),
        ("It is deprecated.", ["It is deprecated.", "Nobody maintains it."]),
        ("It is deprecated.", []),
    ],
)
def test_a_statement_that_says_anything_else_is_shown(
    rows: EvidenceRows, statement: str, quotes: list[str]
) -> None:
    assert says_more(claim_of(rows, statement, *quotes))


def test_the_first_light_says_where_the_quote_stands(rows: EvidenceRows) -> None:
    exact, across = rows.citations[0], rows.citations[2]
    across.crosses_blocks = True
    assert quote_light(exact) == (
        "Quote is in the page (exact; characters 50–80, bytes 50–80)."
    )
    assert quote_light(across).startswith(
        "Quote is in the page (typographic: quotation marks, dashes, spaces or line"
        " breaks differ, across paragraphs; characters "
    )
    exact.grade = "missing"
    assert quote_light(exact) == "Quote is not in the page."


def test_a_question_says_what_was_searched_in_vain(evidence: Evidence) -> None:
    answered, _, missed = evidence.questions
    assert outcome_sentences(answered) == "Answered."
    missed.reason = "Nothing matched."
    assert outcome_sentences(missed) == (
        "Searched, not found. 1 document read; searched for “advisory vulnerability"
        " CVE”. Nothing matched."
    )
    missed.searches, missed.reason = "[]", ""
    assert outcome_sentences(missed) == "Searched, not found. 1 document read."


def test_the_run_behind_the_findings_is_the_one_with_a_ledger(cast: Cast) -> None:
    rows = make_evidence(cast.organization, cast.ada, answers=[])
    empty = Evidence(dossier=rows.dossier, sources=[], lookups=[], runs=[rows.run])
    assert findings_run(empty) == rows.run
    nobody = Evidence(dossier=rows.dossier, sources=[], lookups=[], runs=[])
    assert findings_run(nobody) is None
