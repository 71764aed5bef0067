"""Every quote of the demo case is found again in the bytes that were archived."""

import hashlib

import pytest

from chat.web.reading import fold
from research.models import Citation, Grade, Snapshot
from research.services.snapshot_store import get_blob
from tests.factories.accounts import Cast
from tests.research.commands.calling import call

pytestmark = pytest.mark.django_db


def archived_text(snapshot: Snapshot) -> bytes:
    """The stored bytes, whose hash is computed here and not taken from the store."""
    data = get_blob(snapshot.organization, snapshot.text_sha256)
    assert hashlib.sha256(data).hexdigest() == snapshot.text_sha256
    return data


@pytest.mark.row("D1")
def test_every_citation_of_the_demo_is_recomputed_from_the_archive(cast: Cast) -> None:
    assert call("research", "pkg:pypi/bleach", "--organization", "harbour").code == 0
    citations = list(Citation.objects.select_related("snapshot__organization"))
    assert len(citations) >= 10
    for citation in citations:
        data = archived_text(citation.snapshot)
        text = data.decode()
        assert len(text) == citation.snapshot.text_chars
        stored = text[citation.start : citation.end]
        assert data[citation.byte_start : citation.byte_end].decode() == stored
        if citation.grade == Grade.EXACT:
            assert stored == citation.quote
        else:
            assert citation.grade == Grade.TYPOGRAPHIC
            assert fold(stored).text == fold(citation.quote).text


@pytest.mark.row("D1")
def test_the_archived_bodies_of_the_demo_have_the_hashes_they_are_named_by(
    cast: Cast,
) -> None:
    assert call("research", "pkg:pypi/bleach", "--organization", "harbour").code == 0
    snapshots = list(Snapshot.objects.select_related("organization"))
    assert snapshots
    for snapshot in snapshots:
        body = get_blob(snapshot.organization, snapshot.body_sha256)
        assert hashlib.sha256(body).hexdigest() == snapshot.body_sha256
        assert len(body) == snapshot.body_bytes
