"""Room in the window: nothing over it is ever sent."""

from collections.abc import Generator

from chat.engine.context.compaction import plan_compaction
from chat.engine.context.plan import Compaction
from chat.engine.context.tokens import message_tokens
from chat.engine.ending import TRUNCATED
from chat.engine.errors import Stopped
from chat.engine.events import Compacted, Event, ModelFailed, RetryScheduled
from chat.engine.last_words import last_words
from chat.engine.running import Running
from chat.engine.stops import StopReason

EMERGENCIES = 3
# Below this a reply says nothing.
SHORTEST_REPLY = 128
MARGIN = 256


def window_of(run: Running) -> int | None:
    """Tokens of the window, None without bound; the provider may know of fewer."""
    window, seen = run.budget.window, run.state.limit_seen
    return window if window is None or seen is None else min(window, seen)


def request_limit(run: Running) -> int | None:
    """Tokens that a request may have, None without bound."""
    window = window_of(run)
    return None if window is None else window - run.budget.reserve


def request_tokens(run: Running) -> int:
    """Tokens of the next request, with what the last turn adds to it."""
    words = last_words(run)
    return run.state.size.tokens + (message_tokens(words) if words else 0)


def make_room(run: Running) -> Generator[Event, None, None]:
    """Put older messages aside where the next request would be too long.

    Raises Stopped where that does not help, and after the third emergency.
    """
    limit = request_limit(run)
    if limit is None:
        return
    # Until nothing is left to do: a run that is cut here and resumed does the same.
    while (plan := _plan(run, limit, force=False)) is not None:
        yield run.note(Compacted(plan, run.state.size.tokens))
    emptied = run.state.counts["emergencies"]
    if emptied >= EMERGENCIES and not run.state.ending.closing:
        msg = f"The window had to be emptied {emptied} times."
        raise Stopped(StopReason.EMERGENCY_COMPACTION, msg)
    if request_tokens(run) > limit:
        raise _overflow(run, limit)


def shorten(run: Running) -> Compacted | None:
    """Put aside what makes the closing turn too dear, None where nothing is left."""
    limit = request_limit(run)
    plan = _plan(run, request_tokens(run) if limit is None else limit, force=True)
    return Compacted(plan, run.state.size.tokens) if plan else None


def continue_cut(run: Running) -> Generator[Event, None, None]:
    """Put older messages aside for a reply that the window cut, and ask for it again.

    Raises Stopped where there is nothing to put aside, and where that did not help:
    then the cut reply is all.
    """
    if run.state.cuts == 1:
        plan = _plan(run, request_limit(run) or request_tokens(run), force=True)
        if plan is not None:
            yield run.note(Compacted(plan, run.state.size.tokens))
            return
    raise Stopped(StopReason.TRUNCATED, TRUNCATED)


def recover_room(run: Running, failed: ModelFailed) -> Generator[Event, None, None]:
    """Answer a provider's overflow: compaction, then a smaller reply, then the end."""
    attempt, overflows = run.state.failures + 1, run.state.overflows
    limit = request_limit(run)
    if overflows == 1 and limit is not None:
        plan = None if run.state.room_made else _plan(run, limit, force=True)
        if plan is not None:
            yield run.note(Compacted(plan, run.state.size.tokens))
        if run.state.room_made:
            yield run.note(RetryScheduled(attempt, 0.0))
            return
    cap = _shorter_reply(run)
    if run.state.reply_cap is None and cap >= SHORTEST_REPLY:
        yield run.note(RetryScheduled(attempt, 0.0, max_output_tokens=cap))
        return
    raise _overflow(run, limit, failed.message)


def _plan(run: Running, limit: int, *, force: bool) -> Compaction | None:
    words = last_words(run)
    return plan_compaction(
        run.state.transcript,
        limit=run.state.size.in_estimate(limit),
        extra=message_tokens(words) if words else 0,
        mode=run.limits.mode,
        force=force,
    )


def _shorter_reply(run: Running) -> int:
    """Half the reply, or what the provider's own figures leave of the window."""
    window = window_of(run)
    asked = run.budget.max_output or run.budget.reserve
    if window is None:
        return asked // 2
    return min(asked // 2, window - request_tokens(run) - MARGIN)


def _overflow(run: Running, limit: int | None, said: str = "") -> Stopped:
    window = window_of(run)
    sizes = f"About {request_tokens(run)} tokens do not fit"
    kept = f"{run.budget.reserve} of the window of {window} are kept for the reply"
    detail = f"{sizes}: {kept}." if limit is not None else f"{sizes}."
    return Stopped(StopReason.CONTEXT_OVERFLOW, f"{detail} {said}".strip())
