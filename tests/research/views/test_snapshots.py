from django.test import Client

from tests.factories.accounts import Cast
from tests.factories.research import BLEACH, EvidenceRows, make_snapshot
from tests.research.views.reading import links, parsed, words


def url(public_id: str) -> str:
    return f"/o/harbour/snapshots/{public_id}/"


def test_the_archived_text_is_shown_whole(mia: Client, rows: EvidenceRows) -> None:
    page = mia.get(url(rows.snapshot.public_id))

    assert parsed(page).css_first("pre.snapshot").text() == BLEACH  # type: ignore[union-attr]
    assert parsed(page).css_first("mark") is None
    assert rows.snapshot.body_sha256 in words(page, ".provenance")


def test_a_citation_is_marked_and_leads_back_to_its_case(
    mia: Client, rows: EvidenceRows
) -> None:
    citation = rows.citations[1]

    page = mia.get(url(rows.snapshot.public_id), {"citation": citation.public_id})

    assert words(page, "mark#quote") == citation.quote
    assert "Quote is in the page (exact" in words(page, ".lights")
    back = links(page, ".crumbs a")[1]
    assert back.startswith(f"/o/harbour/cases/{rows.case.public_id}/?dossier=dos_")
    assert back.endswith(f"citation={citation.public_id}#quote")


def test_a_text_of_any_length_is_shown_whole(cast: Cast, mia: Client) -> None:
    text = "0123456789" * 25_000
    snapshot = make_snapshot(cast.organization, "document:long.txt", text)

    page = parsed(mia.get(url(snapshot.public_id)))

    assert page.css_first("pre.snapshot").text() == text  # type: ignore[union-attr]
    assert page.css(".cut") == []


def test_the_first_line_break_of_a_text_is_kept(cast: Cast, mia: Client) -> None:
    snapshot = make_snapshot(cast.organization, "document:a.txt", "\n\nThird line")

    page = parsed(mia.get(url(snapshot.public_id)))

    assert page.css_first("pre.snapshot").text() == "\n\nThird line"  # type: ignore[union-attr]


def test_markup_in_an_archived_text_stays_text(cast: Cast, mia: Client) -> None:
    text = "</pre><script>alert(1)</script><img src=x onerror=alert(1)>"
    snapshot = make_snapshot(cast.organization, "document:<b>.txt", text)

    page = parsed(mia.get(url(snapshot.public_id)))

    assert page.css_first("pre.snapshot").text() == text  # type: ignore[union-attr]
    assert page.css_first("main script, main img, main b") is None


def test_a_citation_of_another_snapshot_is_not_there(
    cast: Cast, mia: Client, rows: EvidenceRows
) -> None:
    other = make_snapshot(cast.organization, "document:a.txt", "Other.")

    answer = mia.get(url(other.public_id), {"citation": rows.citations[0].public_id})

    assert answer.status_code == 404
    assert "This citation is of another snapshot." in words(answer)


def test_another_organizations_snapshot_is_not_there(
    cy: Client, rows: EvidenceRows
) -> None:
    for slug in ("harbour", "depot"):
        address = f"/o/{slug}/snapshots/{rows.snapshot.public_id}/"
        assert cy.get(address).status_code == 404
