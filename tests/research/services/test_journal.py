"""The journal is a chain: a changed, missing or moved line shows."""

import pytest
from django.db import IntegrityError, transaction

from research.models import RetentionPermit, Run, RunEvent
from research.services.claim_run import claim_run
from research.services.journal import broken_link, genesis, note_event
from tests.factories.accounts import make_cast
from tests.factories.research import make_case, make_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> Run:
    cast = make_cast()
    run = make_run(make_case(cast.organization, cast.ben), cast.ben)
    claim_run(run.public_id, "worker")
    for number in range(4):
        note_event(run, "worker", "run.noted", {"number": number, "text": "né\0e"})
    return run


def test_each_line_carries_the_hash_of_the_one_before(run: Run) -> None:
    rows = list(run.events.order_by("seq"))
    assert [row.seq for row in rows] == [0, 1, 2, 3]
    assert rows[0].prev_hash == genesis(run)
    assert [row.prev_hash for row in rows[1:]] == [row.hash for row in rows[:-1]]


def test_payloads_are_canonical_ascii(run: Run) -> None:
    payload = run.events.earliest("seq").payload
    assert payload == '{"number":0,"text":"n\\u00e9\\u0000e"}'


def test_an_untouched_journal_holds(run: Run) -> None:
    assert broken_link(run) is None


def test_a_changed_payload_breaks_the_chain_where_it_was_changed(run: Run) -> None:
    RetentionPermit.objects.create(reason="A forger with the database's password.")
    RunEvent.objects.filter(run=run, seq=2).update(payload='{"number":9}')
    assert broken_link(run) == 2


def test_a_removed_line_breaks_the_chain(run: Run) -> None:
    RetentionPermit.objects.create(reason="A forger with the database's password.")
    RunEvent.objects.filter(run=run, seq=1).delete()
    assert broken_link(run) == 2


def test_lines_cut_off_the_end_are_missed(run: Run) -> None:
    RetentionPermit.objects.create(reason="A forger with the database's password.")
    RunEvent.objects.filter(run=run, seq=3).delete()
    assert broken_link(run) == 3
    RunEvent.objects.filter(run=run).delete()
    assert broken_link(run) == 0


def test_a_journal_does_not_fit_another_run(run: Run) -> None:
    other = make_run(
        run.case, run.requested_by, status="failed", finished_at=run.queued_at
    )
    RetentionPermit.objects.create(reason="A forger with the database's password.")
    run.events.update(run=other)
    Run.objects.filter(pk=other.pk).update(
        journal_length=run.journal_length, journal_head=run.journal_head
    )
    assert broken_link(other) == 0


def test_two_lines_cannot_have_one_number(run: Run) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        RunEvent.objects.create(
            run=run,
            seq=1,
            kind="run.noted",
            payload="{}",
            at=run.queued_at,
            prev_hash="0" * 64,
            hash="0" * 64,
        )
