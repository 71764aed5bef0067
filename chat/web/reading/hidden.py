"""Ways in which an element's own attributes keep its text from being seen.

Style sheets, scripts and overlays are not followed: text hidden by those counts as
visible.
"""

import re
from collections.abc import Mapping

_COMMENT = re.compile(r"/\*.*?(?:\*/|$)", re.S)
_NUMBER = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+))")
_COLOR_NAMES = {"white": "#ffffff", "black": "#000000"}
_SHORT_HEX = re.compile(r"#([0-9a-f])([0-9a-f])([0-9a-f])")
_CLIPPED = re.compile(
    r"rect\(\s*(?:0|1)(?:px)?[\s,]+(?:0|1)(?:px)?[\s,]+(?:0|1)(?:px)?[\s,]+(?:0|1)(?:px)?\s*\)"
    r"|inset\(\s*(?:50|100)%.*\)|circle\(\s*0.*\)"
)
_OFF_SCREEN = 999.0


def how_hidden(attributes: Mapping[str, str | None]) -> str | None:
    """Return the way an element with these attributes is hidden, None if it is not."""
    if "hidden" in attributes:
        return "hidden attribute"
    if (attributes.get("aria-hidden") or "").strip().lower() == "true":
        return "aria-hidden"
    style = attributes.get("style")
    return _how_style_hides(_declarations(style)) if style else None


def _declarations(style: str) -> dict[str, str]:
    """Read an inline style; the last declaration of a property wins."""
    found = {}
    for declaration in _COMMENT.sub("", style).split(";"):
        name, colon, value = declaration.partition(":")
        if colon:
            value = value.lower().replace("!important", "")
            found[name.strip().lower()] = value.strip()
    return found


def _how_style_hides(style: Mapping[str, str]) -> str | None:
    clips = (style.get("clip", ""), style.get("clip-path", ""))
    ways = {
        "display: none": style.get("display") == "none",
        "visibility: hidden": style.get("visibility") in {"hidden", "collapse"},
        "opacity: 0": _at_most(style.get("opacity"), 0.0),
        "font size of nothing": _at_most(style.get("font-size"), 1.0),
        "off screen": _is_off_screen(style),
        "clipped away": any(_CLIPPED.match(clip) for clip in clips),
        "the colour of its background": _is_drawn_unseen(style),
        "a box of no size": _is_tiny(style),
    }
    return next((way for way, hides in ways.items() if hides), None)


def _is_drawn_unseen(style: Mapping[str, str]) -> bool:
    color = _color(style.get("color"))
    ground = style.get("background-color") or style.get("background")
    return color == "transparent" or (color is not None and color == _color(ground))


def _is_tiny(style: Mapping[str, str]) -> bool:
    sizes = (style.get("width"), style.get("height"), style.get("max-height"))
    clipped = style.get("overflow", "").startswith(("hidden", "clip"))
    return clipped and any(_at_most(size, 1.0) for size in sizes)


def _is_off_screen(style: Mapping[str, str]) -> bool:
    if _number(style.get("text-indent")) <= -_OFF_SCREEN:
        return True
    if style.get("position") not in {"absolute", "fixed"}:
        return False
    sides = (style.get(side) for side in ("left", "top", "right", "bottom"))
    return any(_number(side) <= -_OFF_SCREEN for side in sides)


def _at_most(value: str | None, bound: float) -> bool:
    """Say whether a number or a length in pixels is no more than a bound."""
    found = _NUMBER.match(value or "")
    if found is None or value is None:
        return False
    number, unit = float(found[1]), value[found.end() :].strip()
    return number <= 0 or (number <= bound and unit in {"", "px"})


def _number(value: str | None) -> float:
    found = _NUMBER.match(value or "")
    return float(found[1]) if found else 0.0


def _color(value: str | None) -> str | None:
    if not value:
        return None
    word = value.split()[0]
    short = _SHORT_HEX.fullmatch(word)
    if short:
        return "#" + "".join(digit * 2 for digit in short.groups())
    return _COLOR_NAMES.get(word, word)
