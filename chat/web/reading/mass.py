"""How much reading there is in each block of a page."""

from chat.web.reading.elements import HEADINGS
from chat.web.reading.tree import Block

_SHORT_LINE = 30
_SHORT_FACTOR = 0.4
_HEADING_FACTOR = 0.4


def weigh(blocks: list[Block], left_out: bytearray, link_loss: float = 1.0) -> None:
    """Set the mass of every block: its own and that of the blocks within, from the
    last to the first, so that each is summed once; what is left out has none.
    """
    for block in blocks:
        block.mass = 0.0
        block.linked_within = 0
    for block in reversed(blocks):
        if left_out[block.index]:
            block.mass = 0.0
            continue
        block.mass += _own_mass(block, link_loss)
        block.linked_within += block.linked
        if block.index:
            parent = blocks[block.parent]
            parent.mass += block.mass
            parent.linked_within += block.linked_within


def _own_mass(block: Block, link_loss: float) -> float:
    """Characters, fewer the more are links; headings and short lines less."""
    if not block.own:
        return 0.0
    unlinked = 1.0 - link_loss * block.linked / block.own
    mass = block.own * unlinked * unlinked
    if block.tag in HEADINGS:
        return mass * _HEADING_FACTOR
    return mass * _SHORT_FACTOR if block.own < _SHORT_LINE else mass
