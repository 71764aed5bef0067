"""Every figure has its denominator, in numbers and in words."""

from research.evidence import Evidence
from research.presentation.counts import counted, denominators, tally
from tests.factories.research import EvidenceRows


def test_noughts_are_counted_too(evidence: Evidence) -> None:
    counts = tally(evidence)
    assert counts.lookups == {"total": 3, "found": 1, "absent": 1, "unknown": 1}
    assert counts.facts == {"total": 2, "declared": 1, "observed": 1}
    assert counts.claims == {"total": 3, "accepted": 3, "rejected": 0}
    assert counts.citations == {
        "total": 3,
        "exact": 2,
        "typographic": 1,
        "missing": 0,
    }


def test_the_sentences_say_the_same(evidence: Evidence) -> None:
    said = denominators(evidence)
    assert said.lookups == (
        "1 of 3 lookups found something, 1 found none, 1 could not be checked."
    )
    assert said.questions == (
        "2 of 3 questions answered, 1 searched and not found, 0 not checked."
    )
    assert said.quotes == "3 of 3 quotes found in their snapshots."
    assert said.rejected == "0 of 3 claims rejected by code."


def test_a_rejected_claim_is_no_evidence_and_its_quotes_are_not_counted(
    evidence: Evidence,
) -> None:
    evidence.claims[0].rejected_reason = "quote_missing"
    said = denominators(evidence)
    assert said.rejected == "1 of 3 claims rejected by code; no evidence."
    assert said.quotes == "2 of 2 quotes found in their snapshots."


def test_a_quote_that_is_missing_is_not_counted_as_found(evidence: Evidence) -> None:
    evidence.citations[0].grade = "missing"
    assert denominators(evidence).quotes == "2 of 3 quotes found in their snapshots."


def test_nothing_at_all_is_said_too(rows: EvidenceRows) -> None:
    said = denominators(Evidence(rows.dossier, sources=[], lookups=[], runs=[]))
    assert said.lookups.startswith("0 of 0 lookups found something")
    assert said.quotes == "No quotes."


def test_one_of_a_kind_has_no_s() -> None:
    assert [counted(number, "quote") for number in (0, 1, 2000)] == [
        "0 quotes",
        "1 quote",
        "2,000 quotes",
    ]
