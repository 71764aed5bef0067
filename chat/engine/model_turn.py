"""One request to the model: admitted, sent, followed, and what came of it."""

import logging
import random
from collections.abc import Generator, Iterator, Mapping
from decimal import Decimal

from chat.engine.admission import admit_request, check_turns, timeout
from chat.engine.errors import Abandon, Stopped
from chat.engine.events import (
    Event,
    ModelFailed,
    ModelReplied,
    ModelRequested,
    RetryScheduled,
)
from chat.engine.model import (
    ErrorKind,
    Model,
    ModelError,
    ModelReply,
    ModelRequest,
    TextDelta,
    Usage,
)
from chat.engine.reply import known_cost, sound_head, sound_reply, sound_usage
from chat.engine.room import make_room, recover_room, shorten
from chat.engine.running import Running
from chat.engine.stops import StopReason
from chat.engine.threads import Feed, describe

MAX_ATTEMPTS = 3
FIRST_BACKOFF_S = 0.5
LONGEST_BACKOFF_S = 30.0
# Without a deadline of its own a run does not sleep through the day.
LONGEST_WAIT_S = 3600.0
# What a provider says beyond this, in seconds or tokens, is no figure.
LARGEST_FACT = 1e9

_log = logging.getLogger(__name__)

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
    ErrorKind.UNPARSEABLE: StopReason.ERROR,
}


def ask_model(run: Running) -> Generator[Event, None, None]:
    """Send one request; yields its outcome as ModelReplied or ModelFailed."""
    check_turns(run)
    yield from make_room(run)
    request, requested = yield from _admitted(run)
    run.plugins.before_model(request)
    yield run.note(requested)
    try:
        reply = yield from _reply(run, request)
    except ModelError as error:
        yield run.note(_failed(run, error))
    else:
        yield run.note(ModelReplied(reply, _price(run, reply.usage)))


def _admitted(
    run: Running,
) -> Generator[Event, None, tuple[ModelRequest, ModelRequested]]:
    """Admit the request; a closing turn that is too dear is shortened until it fits."""
    while True:
        try:
            return admit_request(run)
        except Stopped:
            shorter = shorten(run) if run.state.ending.closing else None
            if shorter is None:
                raise
            yield run.note(shorter)


def retry_or_stop(run: Running, failed: ModelFailed) -> Generator[Event, None, None]:
    """Answer a failure with another attempt, or raise Stopped where there is none."""
    kind, attempt = failed.error_kind, run.state.failures + 1
    if kind is ErrorKind.CONTEXT_OVERFLOW:
        yield from recover_room(run, failed)
        return
    if kind is ErrorKind.UNPARSEABLE and run.may_be_native:
        yield run.note(RetryScheduled(attempt, 0.0))
        return
    delay = _backoff_s(failed, run.state.failures)
    if kind not in _RETRIED or run.state.failures >= MAX_ATTEMPTS:
        raise Stopped(_STOPS[kind], f"{kind}: {failed.message}")
    left = run.seconds_left()
    if delay >= (LONGEST_WAIT_S if left is None else left):
        said = f"{kind}: {failed.message.rstrip('.')}."
        wait = f"The provider is to be asked again in {delay:.0f} s, which is too long."
        raise Stopped(_STOPS[kind], f"{said} {wait}")
    yield run.note(RetryScheduled(attempt, delay))
    yield from run.rest(delay)


def _reply(run: Running, request: ModelRequest) -> Generator[Event, None, ModelReply]:
    feed = Feed(lambda: _pieces(run.model, request), "model")
    try:
        reply = yield from run.follow(feed, timeout(run))
    finally:
        # Whoever leaves here, with a reply or without, nobody reads on.
        feed.leave()
    if reply is not None:
        return sound_reply(reply, run.state.call_ids)
    if isinstance(feed.error, ModelError | Abandon):
        raise feed.error
    if feed.error is not None:
        _log.error("The model fails unexpectedly.", exc_info=feed.error)
        raise Stopped(StopReason.ERROR, f"The model failed: {describe(feed.error)}")
    if feed.over:
        raise ModelError(ErrorKind.UNAVAILABLE, "The reply broke off.")
    left = run.seconds_left()
    if left is not None and left <= 0:
        msg = "The deadline passed while the model was asked."
        raise Stopped(StopReason.DEADLINE, msg)
    raise ModelError(ErrorKind.TIMEOUT, f"no reply within {request.timeout_s:g} s")


def _pieces(model: Model, request: ModelRequest) -> Iterator[TextDelta | ModelReply]:
    stream = getattr(model, "stream", None)
    if stream is None or not model.profile.streams:
        yield _whole(model.complete(request))
        return
    for piece in stream(request):
        yield piece if isinstance(piece, TextDelta) else _whole(piece)


def _whole(reply: object) -> ModelReply:
    if not isinstance(reply, ModelReply):
        msg = f"The model returned a {type(reply).__name__} and no ModelReply."
        raise TypeError(msg)
    return reply


def _failed(run: Running, error: ModelError) -> ModelFailed:
    usage = sound_usage(error.usage)
    return ModelFailed(
        error.kind,
        str(error.message)[:500],
        retry_after_s=_number(error, "retry_after_s"),
        counted_tokens=_count(error, "prompt_tokens"),
        limit_tokens=_count(error, "limit"),
        head=sound_head(error.head),
        usage=usage,
        cost=_price(run, usage),
    )


def _number(error: ModelError, name: str) -> float | None:
    value: object = error.facts.get(name)
    if isinstance(value, int | float) and 0 <= value < LARGEST_FACT:
        return float(value)
    return None


def _count(error: ModelError, name: str) -> int | None:
    value = _number(error, name)
    return int(value) if value else None


def _price(run: Running, usage: Usage | None) -> Decimal | None:
    """Price a usage; a price that fails must not lose what it is the price of."""
    if usage is None:
        return None
    try:
        return known_cost(run.model.price(usage))
    except Exception:  # noqa: BLE001, unknown is a value of its own
        return None


def _backoff_s(failed: ModelFailed, failures: int) -> float:
    """Wait as long as asked and a little more, or twice as long each time."""
    if failed.retry_after_s is not None:
        return failed.retry_after_s * random.uniform(1.0, 1.1)  # noqa: S311, jitter
    longest = min(LONGEST_BACKOFF_S, FIRST_BACKOFF_S * 2.0 ** (failures - 1))
    return longest * random.uniform(0.5, 1.0)  # noqa: S311, jitter
