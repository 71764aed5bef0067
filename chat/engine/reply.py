"""A provider's reply made sound before it is journaled."""

from collections.abc import Collection
from decimal import Decimal

from chat.engine.json_value import json_problem
from chat.engine.messages import ToolCall
from chat.engine.model import Citation, ModelReply, ReplyStop, Usage

WORD_CHARS = 64


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
        usage=_sound_usage(reply.usage),
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
    if isinstance(cost, Decimal) and cost.is_finite() and cost >= 0:
        return cost
    return None


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


def _sound_usage(usage: object) -> Usage | None:
    """Figures that are no counts are unknown; the reply itself is worth keeping."""
    if not isinstance(usage, Usage):
        return None
    figures: list[object] = [getattr(usage, name) for name in Usage.__slots__]
    if all(type(each) is int and each >= 0 for each in figures):
        return usage
    return None
