"""What surrounds the content of a page: menus, footers, forms, asides, comments."""

from chat.web.reading.elements import words
from chat.web.reading.mass import weigh
from chat.web.reading.tree import Block, PageKind

_NEVER_TAGS = words("nav button select textarea dialog menu")
_NEVER_ROLES = words(
    "navigation banner contentinfo search menu menubar dialog alertdialog alert "
    "toolbar tablist"
)
_SELDOM_TAGS = words("aside footer form")
_SELDOM_ROLES = frozenset({"complementary", "form"})
_CONTENT_TAGS = frozenset({"main", "article"})
# A subtree that holds so much of a page is its content, whatever it is called.
_TOO_MUCH = 1 / 3
# Where leaving out by name takes more than the rest, the names mean something else.
_TOO_LITTLE_LEFT = 0.35
_COMMENTS_OUTWEIGH = 0.5


def left_out(blocks: list[Block], kind: PageKind, link_loss: float = 1.0) -> bytearray:
    """Return a flag for every block: whether it, or one around it, is furniture.

    Sets the mass of the blocks to that of what is left.
    """
    nothing = bytearray(len(blocks))
    weigh(blocks, nothing, link_loss)
    whole = blocks[0].mass
    with_comments = kind == "forum" or (
        kind == "other" and _mass_of_comments(blocks) > _COMMENTS_OUTWEIGH * whole
    )
    flags = _flags(blocks, whole, with_comments=with_comments, by_name=True)
    weigh(blocks, flags, link_loss)
    uncommented = whole if with_comments else whole - _mass_of_comments(blocks)
    if blocks[0].mass >= _TOO_LITTLE_LEFT * uncommented:
        return flags
    weigh(blocks, nothing, link_loss)
    flags = _flags(blocks, whole, with_comments=with_comments, by_name=False)
    weigh(blocks, flags, link_loss)
    return flags


def _mass_of_comments(blocks: list[Block]) -> float:
    mass, index = 0.0, 1
    while index < len(blocks):
        block = blocks[index]
        if block.names.comments:
            mass += block.mass
        index = (block.last if block.names.comments else index) + 1
    return mass


def _flags(
    blocks: list[Block], whole: float, *, with_comments: bool, by_name: bool
) -> bytearray:
    flags = bytearray(len(blocks))
    inside = _inside_content(blocks)
    for block in blocks[1:]:
        flags[block.index] = (
            flags[block.parent]
            or _is_never_content(block)
            or (block.names.comments and not with_comments)
            or (
                by_name
                and block.mass < whole * _TOO_MUCH
                and _is_seldom_content(block, inside)
            )
        )
    return flags


def _is_never_content(block: Block) -> bool:
    return block.tag in _NEVER_TAGS or block.role in _NEVER_ROLES


def _is_seldom_content(block: Block, inside: bytearray) -> bool:
    if block.names.furniture or block.tag in _SELDOM_TAGS:
        return True
    if block.role in _SELDOM_ROLES:
        return True
    return block.tag == "header" and not inside[block.parent]


def _inside_content(blocks: list[Block]) -> bytearray:
    """Return a flag for every block: whether it is said to be content, or in such."""
    flags = bytearray(len(blocks))
    for block in blocks[1:]:
        is_content = block.tag in _CONTENT_TAGS or block.role == "main"
        flags[block.index] = is_content or flags[block.parent]
    return flags
