"""The right side of a case: a quote in its archived page."""

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from tests.factories.accounts import Cast
from tests.factories.research import BLEACH, EvidenceRows, make_evidence
from tests.research.views.reading import links, parsed, words


def url(rows: EvidenceRows) -> str:
    return f"/o/harbour/cases/{rows.case.public_id}/"


def cited(client: Client, rows: EvidenceRows, place: int = 1) -> Any:
    return client.get(url(rows), {"citation": rows.citations[place].public_id})


@pytest.mark.row("D1")
def test_choosing_a_quote_shows_it_in_its_page_at_the_stored_offsets(
    mia: Client, rows: EvidenceRows
) -> None:
    citation = rows.citations[1]

    page = cited(mia, rows)

    pre = parsed(page).css_first("pre.snapshot")
    assert pre is not None
    assert pre.text() == BLEACH
    mark = pre.css_first("mark#quote")
    assert mark is not None
    assert mark.text() == citation.quote == BLEACH[citation.start : citation.end]
    assert links(page, "a.quote-link[aria-current]") == [
        f"{url(rows)}?citation={citation.public_id}#quote"
    ]


def test_the_two_lights_are_two_sentences(mia: Client, rows: EvidenceRows) -> None:
    citation = rows.citations[1]

    lights = words(cited(mia, rows), ".lights")

    where = f"bytes {citation.byte_start}–{citation.byte_end}"
    assert lights.startswith("Quote is in the page (exact; characters ")
    assert f"{where})." in lights
    assert "Whether a quote carries its claim has not been checked by code" in lights


def test_a_typographic_match_says_so(cast: Cast, mia: Client) -> None:
    rows = make_evidence(
        cast.organization,
        cast.ada,
        text="It doesn’t phone home.",
        answers=[("privacy", "Does it phone home?", ["It doesn't phone home."])],
    )

    page = cited(mia, rows, 0)

    assert "Quote is in the page (typographic:" in words(page, ".lights")
    assert words(page, "mark#quote") == "It doesn’t phone home."


def test_where_a_snapshot_is_from_can_be_read(mia: Client, rows: EvidenceRows) -> None:
    provenance = words(cited(mia, rows), ".provenance")

    assert rows.snapshot.uri in provenance
    assert rows.snapshot.text_sha256 in provenance
    assert "UTC" in provenance


def test_neighbours_are_one_step_away(mia: Client, rows: EvidenceRows) -> None:
    page = cited(mia, rows, 0)

    assert "Quote 1 of 3" in words(page, "#weighing")
    assert links(page, ".weighing-nav a[rel=prev]") == []
    assert links(page, ".weighing-nav a[rel=next]") == [
        f"{url(rows)}?citation={rows.citations[1].public_id}#quote"
    ]


def test_a_long_text_is_cut_around_the_quote_and_says_so(
    cast: Cast, mia: Client
) -> None:
    quote = "Here it stands."
    text = "a " * 60_000 + quote + " b" * 60_000
    rows = make_evidence(
        cast.organization, cast.ada, text=text, answers=[("q", "Where?", [quote])]
    )

    page = cited(mia, rows, 0)

    assert words(page, "mark#quote") == quote
    cuts = [" ".join(cut.text().split()) for cut in parsed(page).css(".cut")]
    assert cuts == [
        "Cut here: 100,000 characters before this are left out.",
        "Cut here: 100,000 characters after this are left out.",
    ]


def test_a_damaged_archive_is_said_and_never_shown(
    mia: Client, rows: EvidenceRows
) -> None:
    archive = Path(settings.SNAPSHOT_DIR, rows.case.organization.public_id)
    (file,) = archive.rglob(rows.snapshot.text_sha256)
    file.unlink()

    page = cited(mia, rows)

    assert page.status_code == 200
    assert "The archived text cannot be shown." in words(page, ".fault")
    assert parsed(page).css_first("pre.snapshot") is None


def test_an_unknown_citation_or_one_of_another_case_is_not_there(
    cast: Cast, mia: Client, rows: EvidenceRows
) -> None:
    other = make_evidence(
        cast.organization, cast.ada, case_fields={"subject_key": "pkg:pypi/other"}
    )

    for citation in ("cit_nothing", other.citations[0].public_id):
        answer = mia.get(url(rows), {"citation": citation})
        assert answer.status_code == 404
        assert "There is no such citation" in words(answer)
