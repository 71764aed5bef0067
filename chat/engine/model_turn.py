"""One request to the model: admitted, sent, waited for, and what came of it."""

import random
from collections.abc import Collection, Generator, Mapping
from dataclasses import asdict, replace
from decimal import Decimal

from chat.engine.admission import admit_request
from chat.engine.errors import Abandon, Stopped
from chat.engine.events import Event, ModelFailed, ModelReplied, RetryScheduled
from chat.engine.json_value import json_problem
from chat.engine.messages import ToolCall
from chat.engine.model import (
    ErrorKind,
    ModelError,
    ModelReply,
    ModelRequest,
    ReplyStop,
    Usage,
)
from chat.engine.running import Running
from chat.engine.stops import StopReason
from chat.engine.threads import Job, describe

MAX_ATTEMPTS = 4
FIRST_BACKOFF_S = 0.5
LONGEST_BACKOFF_S = 30.0

_RETRIED = frozenset(
    {
        ErrorKind.RATE_LIMITED,
        ErrorKind.OVERLOADED,
        ErrorKind.UNAVAILABLE,
        ErrorKind.TIMEOUT,
    }
)
_STOPS: Mapping[ErrorKind, StopReason] = {
    ErrorKind.RATE_LIMITED: StopReason.PROVIDER_UNAVAILABLE,
    ErrorKind.OVERLOADED: StopReason.PROVIDER_UNAVAILABLE,
    ErrorKind.UNAVAILABLE: StopReason.PROVIDER_UNAVAILABLE,
    ErrorKind.SPEND_CAP: StopReason.PROVIDER_UNAVAILABLE,
    ErrorKind.TIMEOUT: StopReason.LLM_TIMEOUT,
    ErrorKind.CONTEXT_OVERFLOW: StopReason.CONTEXT_OVERFLOW,
    ErrorKind.INVALID_REQUEST: StopReason.ERROR,
    ErrorKind.AUTHENTICATION: StopReason.ERROR,
}


def ask_model(run: Running) -> Generator[Event, None, None]:
    """Send one request; yields its outcome as ModelReplied or ModelFailed."""
    request, requested = admit_request(run)
    run.plugins.before_model(request)
    yield run.note(requested)
    try:
        reply = yield from _reply(run, request)
    except ModelError as error:
        failed = ModelFailed(error.kind, error.message[:500], _retry_after_s(error))
        yield run.note(failed)
    else:
        yield run.note(ModelReplied(reply, _price(run, reply.usage)))


def retry_or_stop(run: Running, failed: ModelFailed) -> Generator[Event, None, None]:
    """Wait before the next attempt, or raise Stopped where there is none."""
    delay = _backoff_s(failed, run.state.failures)
    left = run.seconds_left()
    late = left is not None and delay >= left
    used_up = run.state.failures >= MAX_ATTEMPTS
    if failed.error_kind not in _RETRIED or late or used_up:
        detail = f"{failed.error_kind}: {failed.message}"
        raise Stopped(_STOPS[failed.error_kind], detail)
    yield run.note(RetryScheduled(run.state.failures + 1, delay))
    yield from run.pause(delay)


def _reply(run: Running, request: ModelRequest) -> Generator[Event, None, ModelReply]:
    job = Job(lambda: run.model.complete(request), "model")
    in_time = yield from run.wait_for(job, request.timeout_s)
    if not in_time:
        left = run.seconds_left()
        if left is not None and left <= 0:
            msg = "The deadline passed while the model was asked."
            raise Stopped(StopReason.DEADLINE, msg)
        msg = f"no reply within {request.timeout_s:g} s"
        raise ModelError(ErrorKind.TIMEOUT, msg)
    if isinstance(job.error, ModelError | Abandon):
        raise job.error
    if job.error is not None:
        raise RuntimeError(f"The model failed: {describe(job.error)}") from job.error
    return sound_reply(job.value(), run.state.call_ids)


def sound_reply(reply: object, seen: set[str]) -> ModelReply:
    """Return the reply with arguments that are JSON and ids that are new to the run.

    `raw` goes when it no longer says the same, or is not JSON itself.
    """
    if not isinstance(reply, ModelReply):
        msg = f"The model returned a {type(reply).__name__} and no ModelReply."
        raise TypeError(msg)
    calls: dict[str, ToolCall] = {}
    for call in reply.calls:
        sound = _sound_call(call, seen, calls)
        calls[sound.id] = sound
    kept = tuple(calls.values()) == tuple(reply.calls) and not json_problem(reply.raw)
    return replace(
        reply,
        text=str(reply.text),
        calls=tuple(calls.values()),
        usage=_sound_usage(reply.usage),
        stop=ReplyStop(reply.stop),
        raw=reply.raw if kept else None,
    )


def _sound_call(
    call: ToolCall, earlier: Collection[str], siblings: Collection[str]
) -> ToolCall:
    arguments = call.arguments
    if not isinstance(arguments, str) and json_problem(arguments):
        arguments = "(arguments that are not JSON)"
    fresh, number = call.id, len(earlier) + len(siblings)
    while not fresh or fresh in earlier or fresh in siblings:
        number += 1
        fresh = f"{call.id or 'call'}_{number}"
    return replace(call, id=fresh, arguments=arguments)


def _sound_usage(usage: object) -> Usage | None:
    """Figures that are no counts are unknown; the reply itself is worth keeping."""
    if not isinstance(usage, Usage):
        return None
    figures: list[object] = list(asdict(usage).values())
    if all(type(each) is int and each >= 0 for each in figures):
        return usage
    return None


def _price(run: Running, usage: Usage | None) -> Decimal | None:
    """Price a reply; a price that fails must not lose a reply that is paid for."""
    if usage is None:
        return None
    try:
        return run.model.price(usage)
    except Exception:  # noqa: BLE001, unknown is a value of its own
        return None


def _retry_after_s(error: ModelError) -> float | None:
    seconds: object = error.facts.get("retry_after_s")
    if isinstance(seconds, int | float) and 0 <= seconds < float("inf"):
        return float(seconds)
    return None


def _backoff_s(failed: ModelFailed, failures: int) -> float:
    """Wait as long as asked and a little more, or twice as long each time."""
    if failed.retry_after_s is not None:
        return failed.retry_after_s * random.uniform(1.0, 1.1)  # noqa: S311, jitter
    longest = min(LONGEST_BACKOFF_S, FIRST_BACKOFF_S * 2.0 ** (failures - 1))
    return longest * random.uniform(0.5, 1.0)  # noqa: S311, jitter
