"""GET /api/v1/snapshots/{id}, and its text: quotes can be checked by anyone."""

import hashlib

from django.core.files.storage import storages

from research.models import Citation
from tests.factories.accounts import Cast
from tests.factories.research import EvidenceRows, make_evidence, make_snapshot
from tests.research.api.clients import Api, problem

TEXT = "Größe 10² — “quoted”\r\n\r\nBleach is no longer maintained.\n"


def test_what_was_archived_is_described(ada: Api, evidence: EvidenceRows) -> None:
    body = ada.read(f"snapshots/{evidence.snapshot.public_id}").json()
    assert body["id"] == evidence.snapshot.public_id
    assert body["uri"] == "dist:bleach==6.4.0/METADATA"
    assert body["text_sha256"] == evidence.snapshot.text_sha256


def test_the_text_comes_byte_for_byte(ada: Api, cast: Cast) -> None:
    snapshot = make_snapshot(cast.organization, "document:a.txt", TEXT)
    response = ada.read(f"snapshots/{snapshot.public_id}/text")
    assert response.content == TEXT.encode()
    assert hashlib.sha256(response.content).hexdigest() == snapshot.text_sha256


def test_the_text_is_never_taken_for_html(ada: Api, cast: Cast) -> None:
    page = "<script>alert(1)</script>"
    snapshot = make_snapshot(cast.organization, "document:a.html", page)
    response = ada.read(f"snapshots/{snapshot.public_id}/text")
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert response["X-Content-Type-Options"] == "nosniff"


def test_a_program_can_check_every_quote_at_both_offsets(ada: Api, cast: Cast) -> None:
    evidence = make_evidence(
        cast.organization,
        cast.ada,
        text=TEXT,
        answers=[("q", "Kept up?", ["Bleach is no longer maintained.", "10² —"])],
    )
    dossier = ada.read(f"dossiers/{evidence.dossier.public_id}").json()
    claims = dossier["findings"]["questions"][0]["claims"]
    assert len(claims) == Citation.objects.count() == 2
    for citation in (claim["citations"][0] for claim in claims):
        raw = ada.read(f"snapshots/{citation['snapshot']}/text").content
        text = raw.decode()
        assert text[citation["start"] : citation["end"]] == citation["quote"]
        held = raw[citation["byte_start"] : citation["byte_end"]]
        assert held == citation["quote"].encode()


def test_damaged_evidence_is_not_shown(ada: Api, evidence: EvidenceRows) -> None:
    store = storages["snapshots"]
    digest = evidence.snapshot.text_sha256
    name = f"{evidence.snapshot.organization.public_id}/{digest[:2]}/{digest}"
    store.delete(name)
    response = ada.read(f"snapshots/{evidence.snapshot.public_id}/text")
    problem(response, 500, "evidence_damaged")
