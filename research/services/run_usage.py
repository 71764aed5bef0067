"""Writes down what the calls of a run used, and whose key paid."""

import json

from accounts.models import KeyType, Purpose
from accounts.services import Counts, record_usage
from chat import engine
from research.models import Run

USAGE_SOURCE = "mcp-research"
MODEL_CHARS = 120


def record_run_usage(
    run: Run,
    event: engine.ModelReplied | engine.ModelFailed,
    key_type: str = KeyType.NONE,
) -> None:
    """One usage record for a reply, or for a failure that was paid for all the same.

    Call inside the transaction that journals the event. A failure of which no usage is
    known leaves no record. key_type: whose key paid, one of KeyType.
    """
    failed = isinstance(event, engine.ModelFailed)
    usage = event.usage if isinstance(event, engine.ModelFailed) else event.reply.usage
    if failed and usage is None:
        return
    record_usage(
        organization=run.organization,
        usage_source=USAGE_SOURCE,
        purpose=Purpose.LOOP,
        key_type=key_type,
        model=_model(run, event),
        subject_ref=run.public_id,
        counts=_counts(usage),
        cost=event.cost,
        failed=failed,
    )


def _counts(usage: engine.Usage | None) -> Counts | None:
    if usage is None:
        return None
    return Counts(
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cache_read_tokens=usage.cache_read_tokens,
        cache_write_tokens=usage.cache_write_tokens,
        cache_write_1h_tokens=usage.cache_write_1h_tokens,
        searches=usage.searches,
    )


def _model(run: Run, event: engine.ModelReplied | engine.ModelFailed) -> str:
    """Who answered, or who was asked: what the price is that of, fit to be stored."""
    named = event.reply.model if isinstance(event, engine.ModelReplied) else ""
    sound = "".join(filter(str.isprintable, named or _asked(run)))
    return sound[:MODEL_CHARS] or run.researcher


def _asked(run: Run) -> str:
    """The model by the name that it began the run with."""
    started = run.events.filter(kind=engine.RunStarted.kind).first()
    return str(json.loads(started.payload)["model"]) if started else run.researcher
