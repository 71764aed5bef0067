"""Ids of calls that are new to the conversation.

Some servers give none, and some count anew in every reply. The loop would rename such
calls and then drop the provider's own form of the reply, with the reasoning in it that
must go back; so that they are renamed here, in all places at once.
"""

from collections.abc import Mapping
from typing import Any

from chat.engine import ModelRequest
from chat.providers.openai_compatible.parts import a_list, a_text, an_object


def with_own_ids(message: dict[str, Any], request: ModelRequest) -> dict[str, Any]:
    """Return the message with ids that no earlier call of the request has."""
    calls = a_list(message.get("tool_calls"))
    if not calls:
        return message
    taken = {call.id for earlier in request.messages for call in earlier.calls}
    renamed: dict[str, str] = {}
    sound = []
    for place, call in enumerate(calls, start=1):
        given = a_text(call.get("id"))
        fresh = _fresh(given, f"{len(request.messages)}_{place}", taken)
        taken.add(fresh)
        renamed.setdefault(given, fresh)
        sound.append({**call, "id": fresh})
    return _with_details({**message, "tool_calls": sound}, renamed)


def _fresh(given: str, place: str, taken: set[str]) -> str:
    """Derive it from the place in the conversation: a resumed run gives the same."""
    fresh = given or f"call_{place}"
    while fresh in taken:
        fresh = f"{fresh}_{place}"
    return fresh


def _with_details(
    message: dict[str, Any], renamed: Mapping[str, str]
) -> dict[str, Any]:
    """Reasoning that belongs to a call names it by its id."""
    details = a_list(message.get("reasoning_details"))
    if not details:
        return message
    sound = []
    for detail in details:
        given = a_text(an_object(detail).get("id"))
        fresh = renamed.get(given, given) if given else given
        sound.append({**detail, "id": fresh} if fresh != given else detail)
    return {**message, "reasoning_details": sound}
