"""A key, a row in the admin site's table, a run over REST: a language model reads.

The model is the local server that speaks the Messages API; the worker is a process of
its own, which finds the model by the row and the key by its environment.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.models import KeyType, UsageRecord
from research.models import Run
from research.states import RunStatus
from tests.end_to_end.conftest import StartCommand
from tests.end_to_end.runs import DOCUMENTS, make_ready_cast, status_of
from tests.factories.accounts import Cast
from tests.factories.chat import offer_model
from tests.fakes.model_server import KEY, ModelServer, wire
from tests.research.api.clients import Api
from tests.research.views.reading import words

pytestmark = pytest.mark.django_db(transaction=True)

SCRIPT = Path(__file__).resolve().parents[1] / "data" / "by_hand" / "retention.json"
QUOTE = "The service keeps access logs for 30 days."


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with wire(SCRIPT) as server:
        yield server


@pytest.fixture
def cast(server: ModelServer, settings: Any) -> Cast:
    """An operator has added the model `reader`, which is served here."""
    settings.PROVIDER_KEYS = {**settings.PROVIDER_KEYS, "anthropic": KEY}
    cast = make_ready_cast()
    offer_model("reader", base_url=server.base_url)
    return cast


def started(cast: Cast) -> Run:
    """Ben's program asks for it over REST."""
    documents = [SimpleUploadedFile(each.name, bytes(each.body)) for each in DOCUMENTS]
    fields = {
        "question": "How long are access logs kept?",
        "researcher": "reader",
        "document": documents,
    }
    answer = Api(cast.actor(cast.ben)).send_form("runs", fields)
    assert answer.status_code == 202, answer.content
    return Run.objects.get(public_id=answer.json()["id"])


def page_of(cast: Cast, run: Run) -> Any:
    browser = Client()
    browser.force_login(cast.ben)
    return browser.get(f"/o/harbour/cases/{run.case.public_id}/")


@pytest.mark.row("D1")
def test_a_run_by_a_language_model_ends_with_a_proven_quote_on_the_case_page(
    cast: Cast, start: StartCommand
) -> None:
    run = started(cast)
    worker = start("worker", ANTHROPIC_API_KEY=KEY)
    worker.until(lambda: status_of(run) not in {"queued", "running"}, "the run ends")

    assert run.status == RunStatus.COMPLETED, worker.output()[-4000:]
    page = page_of(cast, run)
    assert "Access logs are kept for 30 days." in words(page, ".claim .statement")
    assert words(page, ".claim .quote") == QUOTE
    assert "1 of 1 quote found in its snapshot." in words(page, ".findings")
    who = words(page, ".findings .researcher")
    assert who.startswith("By reader, a language model: claude-sonnet-5-5 answered;")
    assert json.loads(run.report)["model"] == "claude-sonnet-5-5"


def test_its_calls_are_recorded_with_tokens_price_and_whose_key_paid(
    cast: Cast, start: StartCommand
) -> None:
    run = started(cast)
    worker = start("worker", ANTHROPIC_API_KEY=KEY)
    worker.until(lambda: status_of(run) not in {"queued", "running"}, "the run ends")

    records = UsageRecord.objects.filter(subject_ref=run.public_id)
    assert {record.key_type for record in records} == {KeyType.PLATFORM}
    assert [record.output_tokens for record in records.order_by("pk")] == [120, 90, 30]
    assert all(record.cost for record in records)


def test_the_key_is_nowhere_in_the_journal_the_report_or_the_log(
    cast: Cast, server: ModelServer, start: StartCommand
) -> None:
    run = started(cast)
    worker = start("worker", ANTHROPIC_API_KEY=KEY)
    worker.until(lambda: status_of(run) not in {"queued", "running"}, "the run ends")

    journal = "".join(run.events.values_list("payload", flat=True))
    assert server.seen
    assert KEY not in journal + run.report + run.error + worker.output()
