import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from research.models import Case, Run, RunEvent
from tests.factories.accounts import Cast
from tests.factories.research import make_case, make_run
from tests.research.views.reading import links, parsed, words


@pytest.fixture
def case(cast: Cast) -> Case:
    return make_case(
        cast.organization, cast.ada, subject_kind="question", subject_key="q:1"
    )


@pytest.fixture
def run(cast: Cast, case: Case) -> Run:
    return make_run(case, cast.ben)


def page_of(run: Run) -> str:
    return f"/o/harbour/runs/{run.public_id}/"


def journal(run: Run, kind: str, payload: Any) -> None:
    RunEvent.objects.create(
        run=run,
        seq=run.events.count(),
        kind=kind,
        payload=payload if isinstance(payload, str) else json.dumps(payload),
        at=timezone.now(),
        prev_hash="0" * 64,
        hash="0" * 64,
    )


def test_a_reviewer_starts_a_run_with_documents_and_follows_it(
    case: Case, ben: Client
) -> None:
    documents = SimpleUploadedFile("log.txt", b"It keeps none.")

    answer = ben.post(
        f"/o/harbour/cases/{case.public_id}/runs/", {"documents": documents}
    )

    run = Run.objects.get()
    assert answer["Location"] == page_of(run)
    assert run.dossier.sources.get().uri == "document:log.txt"
    assert "Waiting in the queue" in words(ben.get(page_of(run)))


def test_a_package_that_is_not_installed_is_refused_in_one_sentence(
    cast: Cast, ben: Client
) -> None:
    case = make_case(
        cast.organization, cast.ada, subject_key="pkg:pypi/not-installed-anywhere"
    )

    answer = ben.post(f"/o/harbour/cases/{case.public_id}/runs/")

    assert answer.status_code == 404
    assert "not-installed-anywhere" in words(answer, ".lede")
    assert Run.objects.count() == 0


def test_a_second_run_is_a_conflict(case: Case, run: Run, ben: Client) -> None:
    documents = SimpleUploadedFile("log.txt", b"It keeps none.")

    answer = ben.post(
        f"/o/harbour/cases/{case.public_id}/runs/", {"documents": documents}
    )

    assert answer.status_code == 409
    assert "is under way" in words(answer)


def test_a_member_cannot_start_one(case: Case, mia: Client) -> None:
    assert mia.post(f"/o/harbour/cases/{case.public_id}/runs/").status_code == 403


def test_the_journal_reads_as_plain_sentences(run: Run, mia: Client) -> None:
    journal(run, "run.claimed", {"owner": "host:1"})
    journal(run, "run.collected", {"lookups": 1, "documents": 2})
    search = {"id": "1", "name": "search_documents", "arguments": {"query": "licence"}}
    journal(run, "tool_called", {"call": search})
    result = {"content": "No index.", "is_error": True}
    answer = {"call_id": "1", "name": "search_documents", "result": result}
    journal(run, "tool_answered", answer)
    journal(run, "novel_event", "not JSON")

    lines = [
        " ".join(node.text().split())
        for node in parsed(mia.get(page_of(run))).css(".journal li > span")
    ]

    assert lines == [
        "A worker took the run up.",
        "Collected: 1 lookup, 2 documents.",
        "Asked to search for “licence”.",
        "Refused to search for “licence”: No index.",
        "Novel event.",
    ]


def test_half_a_surrogate_pair_in_the_journal_is_shown(run: Run, mia: Client) -> None:
    journal(run, "model_failed", {"message": "a\ud800<b>"})

    assert "The model failed: a⟨U+D800⟩<b>" in words(mia.get(page_of(run)), ".journal")


def test_a_long_journal_is_cut_and_counted(run: Run, mia: Client) -> None:
    RunEvent.objects.bulk_create(
        RunEvent(
            run=run,
            seq=number,
            kind="run_started",
            payload="{}",
            at=timezone.now(),
            prev_hash="0" * 64,
            hash="0" * 64,
        )
        for number in range(201)
    )

    page = mia.get(page_of(run))

    assert "The last 200 of 201 lines." in words(page)
    assert len(parsed(page).css(".journal li")) == 200


def test_a_finished_run_says_why_it_ended_and_leads_on(run: Run, mia: Client) -> None:
    Run.objects.filter(pk=run.pk).update(
        status="completed", stop_reason="deadline", finished_at=timezone.now()
    )

    page = mia.get(page_of(run))

    assert "Status Completed" in words(page)
    assert "The time for one run was over." in words(page)
    assert f"/o/harbour/cases/{run.case.public_id}/" in links(page, "a.primary")
    assert parsed(page).css_first("[data-refresh-seconds]") is None


def test_a_failed_run_shows_its_fault(run: Run, mia: Client) -> None:
    Run.objects.filter(pk=run.pk).update(
        status="failed", error="It was tried 3 times.", finished_at=timezone.now()
    )

    assert "Fault It was tried 3 times." in words(mia.get(page_of(run)))


def test_a_reviewer_cancels_a_run(run: Run, ben: Client) -> None:
    answer = ben.post(f"{page_of(run)}cancel/", follow=True)

    assert "The run is asked to stop." in words(answer, ".notices")
    assert "Status Cancelled" in words(answer)


def test_an_ended_run_cannot_be_cancelled(run: Run, ben: Client) -> None:
    ben.post(f"{page_of(run)}cancel/")

    answer = ben.post(f"{page_of(run)}cancel/")

    assert answer.status_code == 409
    assert "is cancelled and cannot be cancelled" in words(answer)


def test_a_member_can_follow_but_not_cancel(run: Run, mia: Client) -> None:
    assert "Cancel the run" not in words(mia.get(page_of(run)))
    assert mia.post(f"{page_of(run)}cancel/").status_code == 403


def test_another_organizations_run_is_not_there(run: Run, cy: Client) -> None:
    for slug in ("harbour", "depot"):
        address = f"/o/{slug}/runs/{run.public_id}/"
        assert cy.get(address).status_code == 404
        assert cy.post(f"{address}cancel/").status_code == 404
