"""The dossier as text: readable, and inert in a terminal."""

import io

from rich.console import Console

from research.evidence import Evidence
from research.exports import print_dossier
from tests.factories.research import EvidenceRows


def printed(evidence: Evidence, width: int = 100) -> str:
    out = io.StringIO()
    print_dossier(evidence, Console(file=out, width=width, markup=False))
    return out.getvalue()


def test_three_outcomes_have_three_shapes(evidence: Evidence) -> None:
    text = printed(evidence)
    assert "[✓]   installed distribution, found" in text
    assert "( – ) licence files, checked, none" in text
    assert "╌ ? ╌ entry points, could not check: entry_points.txt" in text


def test_a_quote_is_in_quotation_marks_with_its_place_below(evidence: Evidence) -> None:
    lines = printed(evidence).splitlines()
    at = lines.index("    “License-Expression: Apache-2.0”")
    below = " ".join(" ".join(lines[at + 1 : at + 3]).split())
    assert below.startswith(
        "dist:bleach==6.4.0/METADATA, the publisher’s word: exact;"
        " characters 50–80, bytes 50–80"
    )


def test_an_absence_and_the_denominators_are_said(evidence: Evidence) -> None:
    text = printed(evidence)
    assert "( – ) Are there advisories against it?\n    Searched, not found." in text
    assert "searched for “advisory vulnerability CVE”." in text
    assert "2 of 3 questions answered, 1 searched and not found, 0 not check" in text
    assert "3 of 3 quotes found in their snapshots." in text
    assert evidence.digest in text


def test_no_language_model_and_no_score_are_said(evidence: Evidence) -> None:
    text = printed(evidence)
    assert "By the extractive researcher, which is no language model" in text
    assert "It gives no score: people decide." in text


def test_a_publisher_cannot_steer_the_terminal(hostile: Evidence) -> None:
    text = printed(hostile, width=400)
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "⟨U+001B⟩[31mred" in text


def test_markup_of_the_printer_is_text(hostile: Evidence) -> None:
    assert "[sign in](javascript:alert(1))" in printed(hostile, width=400)


def test_no_line_is_wider_than_the_terminal(hostile: Evidence) -> None:
    assert max(map(len, printed(hostile, width=40).splitlines())) <= 40


def test_an_empty_dossier_says_so(rows: EvidenceRows) -> None:
    text = printed(Evidence(dossier=rows.dossier, sources=[], lookups=[], runs=[]))
    assert "No run has researched this dossier." in text
    assert "No run has left findings on this dossier." in text
    assert "No collector looks at this kind of subject yet" in text
