"""What a provider returns or says of a failure, made sound before it is journaled."""

from collections.abc import Collection
from decimal import Decimal

from chat.engine.json_value import json_problem
from chat.engine.messages import ToolCall
from chat.engine.model import Citation, ErrorHead, ModelReply, ReplyStop, Usage

WORD_CHARS = 64
HEAD_CHARS = 100
# Of one request; more is no figure, and no record could hold it.
MOST_TOKENS = 10**9
MOST_COST = Decimal(10**6)


def sound_reply(reply: ModelReply, seen: Collection[str]) -> ModelReply:
    """Return the reply with arguments that are JSON and ids that are new to the run.

    `raw` goes when it no longer says the same, or is not JSON itself.
    """
    calls: dict[str, ToolCall] = {}
    for call in reply.calls:
        sound = _sound_call(call, seen, calls)
        calls[sound.id] = sound
    same = tuple(calls.values()) == tuple(reply.calls)
    kept = same and not json_problem(reply.raw)
    return ModelReply(
        text=str(reply.text),
        calls=tuple(calls.values()),
        usage=sound_usage(reply.usage),
        stop=ReplyStop(reply.stop),
        model=str(reply.model),
        raw=reply.raw if kept else None,
        parsed=None if json_problem(reply.parsed) else reply.parsed,
        detail=str(reply.detail),
        citations=tuple(filter(_is_sound, reply.citations)),
        server_calls=tuple(str(name)[:WORD_CHARS] for name in reply.server_calls),
        notices=tuple(str(word)[:WORD_CHARS] for word in reply.notices),
    )


def _is_sound(citation: object) -> bool:
    if not isinstance(citation, Citation):
        return False
    places = (citation.start, citation.end)
    return all(type(each) is int for each in places) and not json_problem(citation.raw)


def known_cost(cost: object) -> Decimal | None:
    """Return what a model says of money, None where that is no sum of money."""
    if isinstance(cost, Decimal) and cost.is_finite() and 0 <= cost <= MOST_COST:
        return cost
    return None


def sound_usage(usage: object) -> Usage | None:
    """Return a usage whose figures are counts that agree, else None: unknown."""
    if not isinstance(usage, Usage):
        return None
    figures: list[object] = [getattr(usage, name) for name in Usage.__slots__]
    counts = all(type(each) is int and 0 <= each <= MOST_TOKENS for each in figures)
    agree = counts and usage.cache_write_1h_tokens <= usage.cache_write_tokens
    return usage if agree else None


def sound_head(head: object) -> ErrorHead | None:
    """Return the head with short printable texts, None where it says nothing."""
    if not isinstance(head, ErrorHead):
        return None
    sound = ErrorHead(
        _sound_status(head.status),
        *(_sound_text(each) for each in (head.type, head.code, head.request_id)),
    )
    return None if sound == ErrorHead() else sound


def _sound_status(status: object) -> int | None:
    return status if type(status) is int and 100 <= status <= 599 else None


def _sound_text(text: object) -> str:
    if not isinstance(text, str):
        return ""
    return "".join(filter(str.isprintable, text))[:HEAD_CHARS]


def _sound_call(
    call: ToolCall, earlier: Collection[str], siblings: Collection[str]
) -> ToolCall:
    arguments = call.arguments
    if not isinstance(arguments, str | dict) or json_problem(arguments):
        arguments = "(arguments that are no JSON object)"
    given = str(call.id or "")
    fresh, number = given, len(earlier) + len(siblings)
    while not fresh or fresh in earlier or fresh in siblings:
        number += 1
        fresh = f"{given or 'call'}_{number}"
    return ToolCall(fresh, str(call.name), arguments)
