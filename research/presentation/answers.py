"""The one way from a run's stored answer to a page, an API field or an export."""

import json
from dataclasses import replace

from chat.engine import StopReason
from chat.output_gate import Answer, GatedAnswer, gate
from research.models import Run
from research.services.researchers import is_language_model
from research.states import RunStatus

FAILED = "The run failed; this is what the researcher had written by then."
UNREADABLE = "The stored answer cannot be read, so that nothing of it is shown."
NO_MODEL_NOTE = (
    "Written by a program that is no language model. Nothing in it has been checked"
    " against the archive; the claims on the case page have."
)


def answer_of(run: Run) -> GatedAnswer | None:
    """The closing words of a run's researcher, gated; None while there are none."""
    if not run.answer:
        return None
    try:
        answer = Answer.from_json(json.loads(run.answer))
    except ValueError:
        nothing = gate(Answer("", StopReason.ERROR))
        return replace(nothing, labels=(UNREADABLE,))
    return _noted(run, gate(answer, documents_of(run)))


def documents_of(run: Run) -> frozenset[str]:
    """The documents that a citation in the run may name."""
    return frozenset(run.dossier.sources.values_list("uri", flat=True))


def _noted(run: Run, gated: GatedAnswer) -> GatedAnswer:
    if run.status == RunStatus.FAILED and gated.text.strip():
        gated = replace(gated, labels=(FAILED, *gated.labels))
    if is_language_model(run.researcher) is False:
        gated = replace(gated, note=NO_MODEL_NOTE)
    return gated
