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
    shows_again,
)
from chat.web.reading.style_sheets import StyleSheet

Attributes = Mapping[str, str | None]
_MOST_REMEMBERED = 4_096


def how_hidden(attributes: Attributes) -> str | None:
    """Return the way an element with these attributes is hidden, None if it is not."""
    return _how_attributes_hide("", attributes) or how_style_hides(
        declarations(attributes.get("style") or "")
    )


class Hiding:
    """What a page hides; made once per page, since its style elements take part."""

    def __init__(self, parser: LexborHTMLParser) -> None:
        self._sheet = StyleSheet.of(parser)
        self._remembered: dict[tuple[str | None, ...], Declarations] = {}

    def how(self, tag: str, attributes: Attributes) -> str | None:
        """Return the way this element is hidden, None if it is not."""
        return _how_attributes_hide(tag, attributes) or how_style_hides(
            self._style(tag, attributes), on_white=self._sheet.on_white
        )

    def shows_again(self, tag: str, attributes: Attributes, way: str) -> bool:
        """Say whether it is seen although an element around it is hidden this way."""
        return shows_again(self._style(tag, attributes), way)

    def _style(self, tag: str, attributes: Attributes) -> Declarations:
        """Return the declarations that count, an element's own over the rules'."""
        names = (attributes.get("class"), attributes.get("id"))
        ink = attributes.get("color") if tag == "font" else None
        key = (tag, *names, attributes.get("style"), ink)
        found = self._remembered.get(key)
        if found is None:
            own = declarations(attributes.get("style") or "")
            hints = {"color": ink.lower()} if ink else {}
            found = {**hints, **self._sheet.declared(tag, attributes), **own}
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
