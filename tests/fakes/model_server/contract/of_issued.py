"""Rules about what only the server can have written: it must come back as it was."""

from tests.fakes.model_server.contract.asked import Asked, Spot, Turn
from tests.fakes.model_server.ledger import (
    THINKING,
    Thought,
    conversation,
    digest,
    opaque_values,
    seal,
)
from tests.fakes.model_server.values import Block

MODIFIED = (
    "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be"
    " modified. These blocks must remain as they were in the original response."
)


def thinking_is_genuine(asked: Asked) -> str | None:
    """Rows 17 and 18: signatures are the server's, and hold what was signed."""
    latest = _latest(asked)
    for turn in asked.turns:
        for spot in turn.of(*THINKING):
            thought = asked.ledger.thoughts.get(seal(spot.block))
            if thought is None:
                return _invalid(spot)
            if _text(thought.block) and spot.block != thought.block:
                return f"{spot.path}: {MODIFIED}" if turn is latest else _invalid(spot)
    return None


def _latest(asked: Asked) -> Turn | None:
    return next((t for t in reversed(asked.turns) if t.role == "assistant"), None)


def _text(block: Block) -> str:
    # What is put into a block whose text was withheld is ignored by the API.
    return str(block.get("thinking") or block.get("data") or "")


def _invalid(spot: Spot) -> str:
    key = "signature" if spot.type == "thinking" else "data"
    return f"{spot.path}: Invalid `{key}` in `{spot.type}` block"


def thinking_is_whole(asked: Asked) -> str | None:
    """Row 17: of one response in the latest turn, all thinking comes back or none."""
    latest = _latest(asked)
    for reply in asked.ledger.issued:
        thoughts = [seal(b) for b in reply.content if b.get("type") in THINKING]
        kept = [
            seal(spot.block)
            for spot in (latest.of(*THINKING) if latest else [])
            if seal(spot.block) in thoughts
        ]
        if kept and kept != thoughts and latest:
            return f"{latest.of(*THINKING)[0].path}: {MODIFIED}"
    return None


def thinking_is_in_its_place(asked: Asked) -> str | None:
    """Newer models: thinking holds only after the very conversation it came from."""
    if not asked.traits.bound:
        return None
    for position, spot in enumerate(asked.spots):
        if spot.type not in THINKING:
            continue
        thought: Thought = asked.ledger.thoughts[seal(spot.block)]
        before = conversation(asked.body)[: 3 + position]
        if thought.before not in (None, digest(before)):
            return _invalid(spot)
    return None


def sources_are_genuine(asked: Asked) -> str | None:
    """Row 19, and the same for citations and the output of programs."""
    for spot in asked.spots:
        if spot.type == "web_search_tool_result":
            fault = _fault_of_results(spot)
            if fault:
                return fault
        for _, key, value in opaque_values([spot.block]):
            if (key, value) not in asked.ledger.opaque:
                return f"{spot.path}: Invalid `{key}` in `{_carrier(spot)}` block"
    return None


def _fault_of_results(spot: Spot) -> str | None:
    found = spot.block["content"]
    for item in found if isinstance(found, list) else []:
        if not item.get("encrypted_content"):
            return f"{spot.path}: Invalid `encrypted_content` in `search_result` block"
    return None


def _carrier(spot: Spot) -> str:
    return "search_result" if spot.type == "web_search_tool_result" else spot.type


def container_is_alive(asked: Asked) -> str | None:
    """A container is the server's own and has not expired (text not verified)."""
    container = asked.body.get("container")
    name = container.get("id") if isinstance(container, dict) else container
    if not name:
        return None
    expires = asked.ledger.containers.get(name)
    if name not in asked.ledger.containers or (expires and expires <= asked.now):
        return f"container: Container '{name}' was not found or has expired"
    return None
