"""Executes a run: claim, check, collect, drive the loop, prove the quotes, end.

Called by the worker and, inline, by the command. Whatever kills it, the journal holds
what was read and answered, and the next attempt goes on from there.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace

from django.conf import settings
from django.db import transaction

from accounts.errors import BadInput
from chat import engine
from chat.toolset import document_tools
from chat.web.search import Document, DocumentIndex
from research.agent.briefing import brief
from research.agent.toolset import record_tools
from research.models import Fact, Run
from research.services.archive_snapshot import snapshot_text
from research.services.claim_run import (
    claim_run,
    finish_run,
    postpone_run,
    release_run,
)
from research.services.collect_dossier import collect_dossier, subject_of
from research.services.conclude_run import conclude_run
from research.services.journal import (
    LeaseLost,
    append_event,
    engine_history,
    hold_lease,
    note_event,
)
from research.services.researchers import Researcher, make_researcher
from research.services.run_usage import record_run_usage
from research.services.start_run import feature_fault, run_fault
from research.states import RunStatus
from research.subjects.question import Question
from research.subjects.questions import questions_for

logger = logging.getLogger(__name__)


class HandedOver(engine.Abandon):
    """The worker is stopping; the run goes back to the queue."""


def never() -> bool:
    return False


@dataclass
class RunWatch(engine.Plugin):
    """What may stop a run from outside, asked at every step and tick.

    The feature server_web_search stops none: an attempt keeps the model that it was
    given, with the search or without, since tools and prompt must not change under a
    transcript. Switched off, it holds for the next attempt and for every new run; what
    ends a search under way is the switch of the run's own features, or cancelling it.
    """

    run: Run
    stopping: Callable[[], bool] = never

    def should_stop(self) -> engine.StopReason | None:
        if self.stopping():
            raise HandedOver
        asked = Run.objects.filter(
            pk=self.run.pk, cancel_requested_at__isnull=False
        ).exists()
        if asked:
            return engine.StopReason.CANCELLED
        return engine.StopReason.PLUGIN_HALT if feature_fault(self.run) else None


@dataclass(frozen=True)
class Work:
    """One attempt at one run."""

    run: Run
    owner: str
    stopping: Callable[[], bool]
    on_event: Callable[[engine.Event], None]
    events: list[engine.JournaledEvent] = field(default_factory=list)


def execute_run(
    public_id: str,
    *,
    owner: str,
    stopping: Callable[[], bool] = never,
    on_event: Callable[[engine.Event], None] = lambda event: None,
) -> bool:
    """False when the run is another's, over, or not due: then nothing was done."""
    run = claim_run(public_id, owner)
    if run is None:
        return False
    work = Work(run, owner, stopping, on_event)
    try:
        _attempt(work)
    except HandedOver:
        release_run(run, owner)
    except LeaseLost as lost:
        logger.warning("%s", lost)
    except Exception:
        logger.exception("%s failed on attempt %s", run.public_id, run.attempts)
        postpone_run(run, owner, "An unexpected fault stopped the run; see the log.")
    return True


def _attempt(work: Work) -> None:
    run, owner = work.run, work.owner
    note_event(run, owner, "run.claimed", {"owner": owner})
    fault = run_fault(run)
    if fault:
        finish_run(run, owner, RunStatus.FAILED, error=fault)
        return
    collect_dossier(run, owner)
    try:
        researcher = make_researcher(run)
    except BadInput as refused:
        # Collecting took a while: what was checked before it may be otherwise by now.
        finish_run(run, owner, RunStatus.FAILED, error=refused.message)
        return
    with closing(researcher), closing(DocumentIndex()) as index:
        _go_through(work, researcher, index)


def _go_through(work: Work, researcher: Researcher, index: DocumentIndex) -> None:
    run = work.run
    questions = questions_for(subject_of(run.dossier))
    work.events.extend(engine_history(run))
    _offer_documents(work, index)
    for event in _research(work, researcher, questions, index):
        # Text that is being written changes nothing; ticks come beside it.
        if not isinstance(event, engine.TextDelta):
            _keep(work, event, researcher.key_type)
        work.on_event(event)
        if isinstance(event, engine.RunFinished):
            conclude_run(run, work.owner, event.result, work.events, questions)


def _research(
    work: Work,
    researcher: Researcher,
    questions: Sequence[Question],
    index: DocumentIndex,
) -> Iterator[engine.Event]:
    """The agent on this run's documents, going on after the events it has had."""
    run = work.run
    facts = Fact.objects.filter(lookup__dossier=run.dossier)
    return engine.run(
        researcher.model,
        brief(
            subject_of(run.dossier),
            questions,
            index.documents,
            facts.values("name", "value", "tier", "uri"),
            task_id=run.public_id,
        ),
        (*document_tools(index), *record_tools(questions, index)),
        limits=replace(researcher.limits, deadline_s=_deadline_s(run)),
        plugins=(RunWatch(run, work.stopping),),
        history=tuple(work.events),
    )


def _deadline_s(run: Run) -> float:
    """A worker's run always has one, though 0 means none elsewhere."""
    return float(run.deadline_s or settings.RUN_DEADLINE_S)


def _offer_documents(work: Work, index: DocumentIndex) -> None:
    """The texts the agent may read, each checked against its hash, and indexed.

    Long ones take seconds: the lease is beaten, and the wish to stop heard, for each.
    """
    watch = RunWatch(work.run, work.stopping)
    for source in work.run.dossier.sources.select_related("snapshot__organization"):
        hold_lease(work.run, work.owner)
        if watch.should_stop():
            return
        text = snapshot_text(source.snapshot)
        index.add(Document(source.uri, source.snapshot.title, text))


@transaction.atomic
def _keep(
    work: Work, event: engine.JournaledEvent | engine.Tick, key_type: str
) -> None:
    """Journals what must survive and beats the lease; a terminal event is concluded."""
    if isinstance(event, engine.Tick | engine.RunFinished):
        hold_lease(work.run, work.owner)
        return
    append_event(work.run, work.owner, event.kind, engine.event_to_json(event))
    work.events.append(event)
    if isinstance(event, engine.ModelReplied | engine.ModelFailed):
        record_run_usage(work.run, event, key_type)
