"""What a run's failed requests have cost is recorded, and the run never forgets it."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import KeyType, UsageRecord
from chat import engine
from chat.engine import ErrorKind, ModelError, Usage
from chat.engine.reply import MOST_COST, MOST_TOKENS
from chat.providers.extractive import ExtractiveModel
from research.models import Run
from research.services.bring_documents import Document
from research.services.execute_run import execute_run
from research.services.journal import engine_history
from research.services.researchers import RESEARCHERS
from research.services.run_usage import record_run_usage
from research.services.start_run import start_run
from research.states import RunStatus
from research.subjects.identity import parse_subject
from tests.factories.accounts import Cast, enable, make_cast
from tests.factories.research import make_case, make_run

pytestmark = [pytest.mark.django_db, pytest.mark.row("A9")]
USED = Usage(1_000, 20, 500, 30, 10, searches=2)
HEAD = engine.ErrorHead(529, "overloaded_error", "busy", "req_1")


@pytest.fixture
def cast() -> Cast:
    cast = make_cast()
    enable(cast.organization, "mcp_approval", "mcp_research")
    return cast


@pytest.fixture
def run(cast: Cast) -> Run:
    return make_run(make_case(cast.organization, cast.ben), cast.ben)


class Costly(ExtractiveModel):
    """The extractive researcher, which fails at first and is paid for all the same."""

    def __init__(self, faults: Iterable[ModelError]) -> None:
        self.faults = list(faults)

    def complete(self, request: engine.ModelRequest) -> engine.ModelReply:
        if self.faults:
            raise self.faults.pop(0)
        return super().complete(request)

    def price(self, usage: Usage) -> Decimal | None:
        return Decimal(usage.total_tokens) / 1000


def fault(
    kind: ErrorKind = ErrorKind.UNAVAILABLE, usage: Usage | None = USED
) -> ModelError:
    return ModelError(kind, "gone", {"retry_after_s": 0}, head=HEAD, usage=usage)


def started(cast: Cast, patch: pytest.MonkeyPatch, *faults: ModelError) -> Run:
    """A run on one document, read by a model with these faults, after one attempt."""
    model = Costly(faults)
    patch.setitem(RESEARCHERS, "costly", lambda: model)
    run = start_run(
        by=cast.actor(cast.ben),
        subject=parse_subject("For how long are logs kept?", "question"),
        documents=[Document("policy.txt", b"Logs are kept for 30 days.\n")],
        ring_bell=False,
        researcher="costly",
    )
    return attempted(run)


def attempted(run: Run) -> Run:
    Run.objects.filter(pk=run.pk).update(not_before=timezone.now())
    execute_run(run.public_id, owner="worker")
    run.refresh_from_db()
    return run


def row() -> list[Any]:
    """The counts of the one record, its cost, and whether the call failed."""
    record = UsageRecord.objects.get()
    names = "input output cache_read cache_write cache_write_1h"
    counts = [getattr(record, f"{name}_tokens") for name in names.split()]
    return [*counts, record.searches, record.cost, record.failed]


def test_a_reply_is_recorded_with_its_raw_counts(run: Run) -> None:
    reply = engine.ModelReply("Yes.", usage=USED, model="claude-sonnet-5-5")
    event = engine.ModelReplied(reply, Decimal("0.25"))
    record_run_usage(run, event, KeyType.ORGANIZATION)
    assert row() == [1_000, 20, 500, 30, 10, 2, Decimal("0.25"), False]
    record = UsageRecord.objects.get()
    assert (record.model, record.key_type) == ("claude-sonnet-5-5", "organization")


def test_a_failure_that_was_paid_is_recorded_as_one(run: Run) -> None:
    failed = engine.ModelFailed(
        ErrorKind.TIMEOUT, "late", usage=USED, cost=Decimal("0.25")
    )
    record_run_usage(run, failed, KeyType.PLATFORM)
    assert row() == [1_000, 20, 500, 30, 10, 2, Decimal("0.25"), True]
    assert UsageRecord.objects.get().key_type == "platform"


def test_a_failure_that_nobody_counted_leaves_no_record(run: Run) -> None:
    record_run_usage(run, engine.ModelFailed(ErrorKind.TIMEOUT, "late"))
    assert not UsageRecord.objects.exists()


def test_a_reply_that_nobody_counted_has_unknown_counts(run: Run) -> None:
    record_run_usage(run, engine.ModelReplied(engine.ModelReply("Yes."), None))
    assert row() == [None] * 7 + [False]
    assert UsageRecord.objects.get().key_type == KeyType.NONE


@pytest.mark.parametrize("name", ["", "\0", "\ud800", "x" * 500, "a\nb\u202e"])
def test_a_model_may_call_itself_anything(run: Run, name: str) -> None:
    reply = engine.ModelReply("Yes.", usage=USED, model=name)
    record_run_usage(run, engine.ModelReplied(reply, None))
    stored = UsageRecord.objects.get().model
    assert stored
    assert stored.isprintable()


def test_the_largest_counts_that_the_loop_lets_pass_can_be_recorded(run: Run) -> None:
    most = MOST_TOKENS
    usage = Usage(most, most, most, most, most, most)
    reply = engine.ModelReply("Yes.", usage=usage)
    record_run_usage(run, engine.ModelReplied(reply, MOST_COST))
    assert row()[:3] == [most] * 3


def test_a_failed_request_is_journaled_with_its_head_and_what_it_cost(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = started(cast, monkeypatch, fault())
    (failed,) = (
        event for event in engine_history(run) if isinstance(event, engine.ModelFailed)
    )
    assert run.status == RunStatus.COMPLETED
    assert (failed.head, failed.usage, failed.cost) == (HEAD, USED, Decimal("1.55"))
    record = UsageRecord.objects.get(subject_ref=run.public_id, failed=True)
    assert (record.model, record.cost) == ("extractive", Decimal("1.55"))


def paid(history: Iterable[engine.JournaledEvent]) -> list[Usage | None]:
    failures = [each for each in history if isinstance(each, engine.ModelFailed)]
    return [each.usage for each in failures]


def tokens_of(history: Iterable[engine.JournaledEvent], tokens: int) -> str:
    """Go on with a run that may use so many tokens, and tell how it stops."""
    model = engine.ScriptedModel([engine.Reply("Done.")] * 3)
    limits = engine.Limits(tokens=tokens)
    task = engine.Task("For how long?")
    return engine.execute(model, task, limits=limits, history=history).stop


def test_a_run_that_is_tried_again_remembers_what_was_paid_and_counts_anew(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults = [fault(), fault(usage=None), fault()]
    run = started(cast, monkeypatch, *faults, *faults[:2])
    assert run.status == RunStatus.WAITING
    history = engine_history(run)
    assert paid(history) == [USED, USED]
    assert history[-1] == engine.RetryScheduled(1, 0, elapsed_s=history[-1].elapsed_s)
    assert tokens_of(history, 3_100) == "token_budget"
    assert tokens_of(history, 30_000) == "completed"

    # Two faults more are no third one of the first attempt.
    assert attempted(run).status == RunStatus.COMPLETED
    assert paid(engine_history(run)) == [USED, USED, USED, None]


def test_what_was_paid_is_remembered_through_every_attempt(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = started(cast, monkeypatch, *[fault()] * 6)
    assert attempted(run).status == RunStatus.WAITING
    assert paid(engine_history(run)) == [USED] * 6
    assert attempted(run).status == RunStatus.COMPLETED


def test_a_request_that_timed_out_may_have_been_paid_and_is_remembered(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults = [fault(ErrorKind.TIMEOUT, usage=None)] * 3
    history = engine_history(started(cast, monkeypatch, *faults))
    asked = [each for each in history if isinstance(each, engine.ModelRequested)]
    assert len(asked) == 3
    assert tokens_of(history, 3 * asked[0].prompt_tokens) == "token_budget"


def test_a_request_that_was_not_paid_is_forgotten(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = started(cast, monkeypatch, *[fault(usage=None)] * 3)
    assert [event.kind for event in engine_history(run)] == ["run_started"]
