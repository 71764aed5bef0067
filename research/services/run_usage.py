"""Writes down what the calls of a run used, and whose key paid."""

from accounts.models import KeyType, Purpose
from accounts.services import record_usage
from chat import engine
from research.models import Run

USAGE_SOURCE = "mcp-research"


def record_run_usage(run: Run, event: engine.ModelReplied) -> None:
    """One usage record for one reply; inside the transaction that journals it."""
    usage = event.reply.usage or engine.Usage()
    record_usage(
        organization=run.organization,
        usage_source=USAGE_SOURCE,
        purpose=Purpose.LOOP,
        key_type=KeyType.NONE,
        model=(event.reply.model or run.researcher).replace("\0", "")[:100],
        subject_ref=run.public_id,
        input_tokens=usage.prompt_tokens,
        output_tokens=usage.output_tokens,
        cost=event.cost,
    )
