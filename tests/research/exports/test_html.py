"""The exported page stands alone, is inert, and shows every quote in its place."""

import base64
import hashlib
import re
from collections import Counter

import pytest

from research.evidence import Evidence, load_evidence
from research.exports import export_html
from research.models import Snapshot
from research.services.passages import AROUND_CHARS
from research.services.snapshot_store import put_blob
from tests.factories.accounts import Cast
from tests.factories.research import BLEACH, EvidenceRows, make_evidence
from tests.research.exports.hostile import QUOTE, TITLE
from tests.research.exports.page import read_page


def test_the_page_loads_nothing_and_runs_nothing(evidence: Evidence) -> None:
    page = read_page(export_html(evidence))
    assert not page.named("script")
    assert not page.named("link")
    assert not page.named("img")
    for _, attributes in page.tags:
        assert not [name for name in attributes if name.startswith("on")]
        assert "src" not in attributes
        assert "style" not in attributes


def test_the_page_forbids_itself_all_but_its_own_style(evidence: Evidence) -> None:
    html = export_html(evidence)
    (css,) = re.findall(r"<style>(.*)</style>", html, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    policies = [
        meta["content"]
        for meta in read_page(html).named("meta")
        if meta.get("http-equiv") == "Content-Security-Policy"
    ]
    (policy,) = policies
    assert policy.split("; ") == [
        "default-src 'none'",
        f"style-src 'sha256-{digest}'",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    assert "url(" not in css
    assert "@import" not in css


def test_every_link_inside_the_page_leads_somewhere(evidence: Evidence) -> None:
    page = read_page(export_html(evidence))
    inside = [href for href in page.hrefs if href.startswith("#")]
    assert {href[1:] for href in inside} <= set(page.ids)
    assert max(Counter(page.ids).values()) == 1


def test_every_quote_and_claim_has_an_anchor(
    evidence: Evidence, rows: EvidenceRows
) -> None:
    ids = read_page(export_html(evidence)).ids
    for citation in rows.citations:
        assert citation.public_id in ids
        assert citation.claim.public_id in ids


@pytest.mark.row("D1")
def test_a_quote_is_marked_where_the_archived_text_has_it(
    evidence: Evidence, rows: EvidenceRows
) -> None:
    page = read_page(export_html(evidence))
    assert page.marked == [BLEACH[row.start : row.end] for row in rows.citations]


def test_a_typographic_quote_is_marked_as_the_archive_has_it(
    evidence: Evidence,
) -> None:
    marked = read_page(export_html(evidence)).marked
    assert "There will be no future\nreleases, security fixes included." in marked


def test_the_context_is_cut_on_both_sides(cast: Cast) -> None:
    text = "a" * 1000 + " The quote. " + "b" * 1000
    rows = make_evidence(
        cast.organization,
        cast.ada,
        text=text,
        answers=[("licence", "Licence?", ["The quote."])],
    )
    html = export_html(load_evidence(rows.dossier))
    before, after = "a" * (AROUND_CHARS - 1), "b" * (AROUND_CHARS - 1)
    assert f"\n… {before} <mark>The quote.</mark> {after} …<" in html
    assert "a" * AROUND_CHARS not in html


def test_what_a_publisher_writes_stays_text(hostile: Evidence) -> None:
    page = read_page(export_html(hostile))
    assert not page.named("script")
    assert not page.named("img")
    assert TITLE in page.text
    assert page.marked == [QUOTE]
    assert all(href.startswith("#") for href in page.hrefs)


def test_characters_that_steer_a_display_are_shown(hostile: Evidence) -> None:
    html = export_html(hostile)
    assert '<bdi class="control" data-code="U+202E">' in html
    assert '<bdi class="control" data-code="U+001B">' in html


def test_hashes_digest_and_researcher_are_stated(
    evidence: Evidence, rows: EvidenceRows
) -> None:
    text = read_page(export_html(evidence)).text
    assert evidence.digest in text
    assert rows.snapshot.body_sha256 in text
    assert rows.snapshot.text_sha256 in text
    assert "which is no language model" in text
    assert "It gives no score: people decide." in text


def test_a_damaged_archive_is_named_in_place_of_the_text(
    evidence: Evidence, rows: EvidenceRows
) -> None:
    missing = "0" * 64
    for citation in evidence.citations:
        citation.snapshot.text_sha256 = missing
    page = read_page(export_html(evidence))
    assert page.marked == []
    assert f"The archived text cannot be shown. Snapshot {missing}" in page.text


def test_an_exact_quote_that_the_text_does_not_have_there_is_not_marked(
    cast: Cast, evidence: Evidence
) -> None:
    other = "x" * len(BLEACH)
    digest = put_blob(cast.organization, other.encode())
    for citation in evidence.citations:
        citation.snapshot = Snapshot(text_sha256=digest, uri=citation.snapshot.uri)
    page = read_page(export_html(evidence))
    assert "License-Expression" not in "".join(page.marked)
    assert "The archived text has other words at these offsets." in page.text


def test_a_rejected_claim_is_counted_and_never_a_finding(
    evidence: Evidence, rows: EvidenceRows
) -> None:
    evidence.claims[0].rejected_reason = "quote_missing"
    page = read_page(export_html(evidence))
    assert rows.citations[0].public_id not in page.ids
    assert "1 of 3 claims rejected by code" in page.text


def test_a_source_on_the_web_is_a_link_that_tells_it_nothing(cast: Cast) -> None:
    rows = make_evidence(cast.organization, cast.ada)
    loaded = load_evidence(rows.dossier)
    loaded.sources[0].uri = "https://docs.example.org/a?b=1&c=2"
    (link,) = [
        link
        for link in read_page(export_html(loaded)).named("a")
        if link["href"].startswith("https://")
    ]
    assert link["href"] == "https://docs.example.org/a?b=1&c=2"
    assert link["rel"] == "noopener noreferrer nofollow"


def test_three_outcomes_are_three_shapes(evidence: Evidence) -> None:
    html = export_html(evidence)
    assert html.count('class="answer answer-found"') == 1
    assert html.count('class="answer answer-absent"') == 1
    assert html.count('class="answer answer-unknown"') == 1
