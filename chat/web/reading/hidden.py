"""Ways in which an element keeps its text from being seen.

Its attributes, its inline style and the simple rules of the page's own style elements
count. Style sheets of other addresses, scripts and overlays are not followed: text that
is hidden by those counts as visible. Text that a script would show counts as hidden.
"""

from collections.abc import Mapping

from selectolax.lexbor import LexborHTMLParser

from chat.web.reading.declarations import (
    Declarations,
    declarations,
    how_style_hides,
    settled,
    shows_again,
)
from chat.web.reading.style_sheets import StyleSheet

Attributes = Mapping[str, str | None]
_Style = tuple[Declarations, str | None]
_HIDING = frozenset(("hidden", "aria-hidden", "popover"))
_MOST_REMEMBERED = 4_096


class Hiding:
    """What a page hides; made once per page, since its style elements take part."""

    def __init__(self, parser: LexborHTMLParser) -> None:
        self._sheet = StyleSheet.of(parser)
        self._remembered: dict[tuple[str | None, ...], _Style] = {}

    def how(self, tag: str, attributes: Attributes) -> str | None:
        """Return the way this element is hidden, None if it is not."""
        if tag == "dialog" or not _HIDING.isdisjoint(attributes):
            way = _how_attributes_hide(tag, attributes)
            if way is not None:
                return way
        return self._style(tag, attributes)[1]

    def shows_again(self, tag: str, attributes: Attributes, way: str) -> bool:
        """Say whether it is seen although an element around it is hidden this way."""
        return shows_again(self._style(tag, attributes)[0], way)

    def _style(self, tag: str, attributes: Attributes) -> _Style:
        """Return the declarations that count for an element, and how they hide it."""
        style = attributes.get("style")
        ink = attributes.get("color") if tag == "font" else None
        key = (tag, attributes.get("class"), attributes.get("id"), style, ink)
        found = self._remembered.get(key)
        if found is None:
            # An element's own declarations count over those of the rules.
            declared = settled(
                {
                    **({"color": ink.lower()} if ink else {}),
                    **self._sheet.declared(tag, attributes),
                    **(declarations(style) if style else {}),
                }
            )
            found = declared, how_style_hides(declared, on_white=self._sheet.on_white)
            if len(self._remembered) < _MOST_REMEMBERED:
                self._remembered[key] = found
        return found


def _how_attributes_hide(tag: str, attributes: Attributes) -> str | None:
    if not attributes:
        return "closed dialog" if tag == "dialog" else None
    if "hidden" in attributes:
        return "hidden attribute"
    if (attributes.get("aria-hidden") or "").strip().lower() == "true":
        return "aria-hidden"
    if tag == "dialog" and "open" not in attributes:
        return "closed dialog"
    return "closed popover" if "popover" in attributes else None
