"""A run whose model is hostile in its answer, its citations and its journal."""

from typing import Any

from django.utils import timezone

from chat import engine
from chat.output_gate import Answer
from research.canonical import canonical_json, sha256_hex
from research.models import Run, RunEvent
from research.services.journal import event_hash, genesis

MARKER = "gate-marker-9d3e"
# Nothing of this may stand in a response but as escaped text.
MARKUP = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '<a href="javascript:alert(1)" onclick="alert(1)">',
    "<svg/onload=alert(1)>",
)
LINKS = (
    "[click](javascript:alert(1))",
    "[click](data:text/html;base64,PHNjcmlwdD4=)",
    "[click](https://user:secret@example.org/)",
    "<javascript:alert(1)>",
)
SECRET_BLOCK = "provider-block-77aa"
TEXT = "\n\n".join([f"# {MARKER}", *MARKUP, *LINKS, "\u202eTurned\0 \ud800 around."])
CITATIONS = (
    engine.Citation("web", 2, 18, "https://example.org/a", "<b>T</b>", "<i>c</i>"),
    engine.Citation(
        "web", 2, 99_999, "https://example.org/far", raw={"x": SECRET_BLOCK}
    ),
    engine.Citation("web", 2, 18, "javascript:alert(1)", raw={"x": SECRET_BLOCK}),
)
REFUSED = "2 of 3 citations were not usable"
CUT = "Cut off: the answer breaks off at its limit of length."


def leave_answer(run: Run) -> None:
    """What a model that was cut off leaves on the run: an answer, and journal lines."""
    answer = Answer(
        TEXT,
        engine.StopReason.TRUNCATED,
        engine.Status.PARTIAL,
        citations=CITATIONS,
    )
    Run.objects.filter(pk=run.pk).update(answer=canonical_json(answer.to_json()))
    reply = engine.ModelReply(
        text=TEXT,
        stop=engine.ReplyStop.MAX_TOKENS,
        citations=CITATIONS,
        raw=[{"type": "text", "text": TEXT, "key": SECRET_BLOCK}],
        parsed={"answer": TEXT},
        detail=TEXT,
    )
    head = engine.ErrorHead(401, "authentication_error", "<b>code</b>", "req_1")
    message = "401: <b>no such key</b>"
    failed = engine.ModelFailed(engine.ErrorKind.AUTHENTICATION, message, head=head)
    for event in (engine.ModelReplied(reply=reply, cost=None), failed):
        write_event(run, event.kind, engine.event_to_json(event))


def write_event(run: Run, kind: str, payload: Any) -> RunEvent:
    """The next line of the journal, whoever holds the run."""
    last = run.events.order_by("-seq").first()
    seq, prev_hash = (last.seq + 1, last.hash) if last else (0, genesis(run))
    at, text = timezone.now(), canonical_json(payload)
    own_hash = event_hash(prev_hash, seq, kind, sha256_hex(text), at.isoformat())
    Run.objects.filter(pk=run.pk).update(journal_length=seq + 1, journal_head=own_hash)
    return RunEvent.objects.create(
        run=run,
        seq=seq,
        kind=kind,
        payload=text,
        at=at,
        prev_hash=prev_hash,
        hash=own_hash,
    )
