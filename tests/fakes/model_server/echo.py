"""Whether a reply comes back as it was sent, when the conversation just goes on.

The API does not always notice what a client drops: a thinking block, a text beside a
call, a source. Where a request begins with all that the server was asked before and
then with the reply itself, the whole reply must be there. What may be left out: empty
texts, calls of the server's own that had no result yet, and that a program made a call
where the program is left out, inputs that are no objects, and a call that was cut at
the token limit, of which a stream gives half a text; thinking behind any of these, or
where model, system prompt or tools are others now.
"""

from collections.abc import Iterator

from tests.fakes.model_server.ledger import (
    THINKING,
    Issued,
    conversation,
    without_breakpoints,
)
from tests.fakes.model_server.values import Block, Json


def lost(body: Json, issued: list[Issued]) -> Iterator[str]:
    """What is missing of earlier replies, or is not as it was, in words."""
    asked = without_breakpoints(conversation(body))
    head, sent = asked[:3], asked[3:]
    for reply in issued:
        start = len(reply.blocks)
        if sent[:start] == reply.blocks and len(sent) > start:
            yield from _missing(reply, sent[start:], same_head=head == reply.head)


def _missing(reply: Issued, sent: list[Block], *, same_head: bool) -> Iterator[str]:
    there = {block.get("id") for block in sent}
    kept = _wanted(_uncut(reply), thoughts=same_head)
    wanted = [_without_lost_program(block, there) for block in kept]
    if not any(_same(block, sent[0]) for block in reply.content):
        return
    for n, block in enumerate(wanted):
        if not any(_same(block, other) for other in sent):
            yield (
                f"of the reply {reply.id} block {n} did not come back as it was sent:"
                f" {block['type']} {str(block)[:120]}"
            )


def _without_lost_program(block: Block, there: set[Json]) -> Block:
    program = (block.get("caller") or {}).get("tool_id")
    if program is None or program in there:
        return block
    return {name: value for name, value in block.items() if name != "caller"}


def _uncut(reply: Issued) -> list[Block]:
    last = [block["type"] for block in reply.content[-1:]]
    cut = reply.stop == "max_tokens" and last == ["tool_use"]
    return reply.content[:-1] if cut else reply.content


def _wanted(content: list[Block], *, thoughts: bool) -> Iterator[Block]:
    for block in content:
        if _may_go(block, content):
            thoughts = False
        elif thoughts or block["type"] not in THINKING:
            yield block


def _may_go(block: Block, content: list[Block]) -> bool:
    if block["type"] == "text":
        return not block["text"].strip()
    if block["type"] == "server_tool_use":
        return not any(other.get("tool_use_id") == block["id"] for other in content)
    return not isinstance(block.get("input", {}), dict)


def _same(block: Block, other: Block) -> bool:
    # A citation list that is empty, null or absent says the same.
    return _plain(block) == _plain(other)


def _plain(block: Block) -> Block:
    return {key: value for key, value in block.items() if value not in (None, [])}
