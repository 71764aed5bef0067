"""GET /api/v1/runs/{id}/events: the journal, page by page, chain included."""

import json
from typing import Any

import pytest
from django.utils import timezone

from research.canonical import canonical_json, sha256_hex
from research.models import Run, RunEvent
from research.services.journal import event_hash, genesis
from tests.factories.research import EvidenceRows
from tests.research.api.clients import Api, problem


def write_journal(run: Run, count: int, text: str = "Page text.") -> None:
    prev_hash = genesis(run)
    for seq in range(count):
        at = timezone.now()
        payload = canonical_json({"text": text, "seq": seq})
        digest = event_hash(
            prev_hash, seq, "tool_answered", sha256_hex(payload), at.isoformat()
        )
        RunEvent.objects.create(
            run=run,
            seq=seq,
            kind="tool_answered",
            payload=payload,
            at=at,
            prev_hash=prev_hash,
            hash=digest,
        )
        prev_hash = digest


def read_all(api: Api, run: Run) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    address = f"/api/v1/runs/{run.public_id}/events"
    while address:
        page = api.get(address).json()
        items += page["items"]
        address = page["next"]
    return items


def test_an_empty_journal_is_an_empty_page(ada: Api, evidence: EvidenceRows) -> None:
    page = ada.read(f"runs/{evidence.run.public_id}/events").json()
    assert page == {"items": [], "next": None}


def test_pages_have_200_events_and_lead_to_the_next(
    ada: Api, evidence: EvidenceRows
) -> None:
    write_journal(evidence.run, 450)
    first = ada.read(f"runs/{evidence.run.public_id}/events").json()
    assert len(first["items"]) == 200
    assert first["next"].endswith("/events?after=199")
    assert [item["seq"] for item in read_all(ada, evidence.run)] == list(range(450))


def test_exactly_200_events_are_the_last_page(ada: Api, evidence: EvidenceRows) -> None:
    write_journal(evidence.run, 200)
    page = ada.read(f"runs/{evidence.run.public_id}/events").json()
    assert (len(page["items"]), page["next"]) == (200, None)


def test_after_skips_what_is_known(ada: Api, evidence: EvidenceRows) -> None:
    write_journal(evidence.run, 5)
    page = ada.read(f"runs/{evidence.run.public_id}/events", after=2).json()
    assert [item["seq"] for item in page["items"]] == [3, 4]


def test_the_chain_can_be_recomputed_from_what_is_shown(
    ada: Api, evidence: EvidenceRows
) -> None:
    write_journal(evidence.run, 3, text="Half a pair \ud800, NUL \0, an é and 10²")
    prev_hash = genesis(evidence.run)
    for item in read_all(ada, evidence.run):
        payload = canonical_json(item["payload"])
        digest = sha256_hex(payload)
        assert item["payload_sha256"] == digest
        link = event_hash(prev_hash, item["seq"], item["kind"], digest, item["at"])
        assert (item["prev_hash"], item["hash"]) == (prev_hash, link)
        prev_hash = link


def test_half_a_surrogate_pair_survives_the_way(
    ada: Api, evidence: EvidenceRows
) -> None:
    write_journal(evidence.run, 1, text="\ud800")
    response = ada.read(f"runs/{evidence.run.public_id}/events")
    found = json.loads(response.content)["items"][0]["payload"]["text"]
    assert found == "\ud800"


@pytest.mark.parametrize("after", ["x", "-2", "1.5", "9" * 30, "\0"])
def test_a_bad_position_is_refused(
    ada: Api, evidence: EvidenceRows, after: str
) -> None:
    response = ada.read(f"runs/{evidence.run.public_id}/events", after=after)
    assert list(problem(response, 400, "bad_input")["errors"]) == ["after"]


def test_a_misspelt_parameter_is_refused(ada: Api, evidence: EvidenceRows) -> None:
    response = ada.read(f"runs/{evidence.run.public_id}/events", aftre=3)
    assert list(problem(response, 400, "bad_input")["errors"]) == ["aftre"]
