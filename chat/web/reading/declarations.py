"""What declarations of CSS say, and the ways in which they keep text from being seen.

Lengths are put into pixels of a window of 1,280 by 1,280, close enough to tell a hair
from a line and a corner from the far outside.
"""

import re
from collections.abc import Callable, Mapping

from chat.web.reading.colors import WHITE, color
from chat.web.reading.elements import words

Declarations = Mapping[str, str]

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.S)
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.S)
_LENGTH = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+))([a-z%]*)")
_PIXELS = {
    "": 1.0, "px": 1.0, "pt": 1.33, "pc": 16.0, "in": 96.0, "cm": 38.0, "mm": 3.8,
    "em": 16.0, "rem": 16.0, "ex": 8.0, "ch": 8.0, "lh": 20.0,
    "%": 12.8, "vw": 12.8, "vh": 12.8, "vmin": 12.8, "vmax": 12.8,
}  # fmt: skip
_LARGEST_CODE_POINT = 0x10FFFF
_CLIPPED = re.compile(
    r"rect\(\s*[01](?:px)?(?:[\s,]+[01](?:px)?){3}\s*\)"
    r"|rect\(\s*(\d[^\s,]*)[\s,]+[^\s,]+[\s,]+\1[\s,]"
    r"|inset\(\s*(?:[5-9]\d|100)(?:\.\d+)?%|circle\(\s*0[^.\d]"
    r"|polygon\(\s*0(?:px|%)?(?:[\s,]+0(?:px|%)?){3,}\s*\)"
)
_SHRUNK = re.compile(r"scale(?:3d|x|y)?\(\s*[+-]?0*\.?0+[1-9]?\s*[,)]")
_MOVED = re.compile(r"translate(?:3d|x|y)?\(\s*([^,()]+)(?:,\s*([^,()]+))?")
_OFF_SCREEN = 999.0
_FAR_ASIDE = 5_000.0
_UNREADABLE = 2.0
_HAIR = 1.0
_FAINT = 0.05
# The properties that take part in hiding; all others are skipped.
HIDING = words(
    "display visibility content-visibility opacity filter font-size font color "
    "background background-color background-clip -webkit-background-clip text-shadow "
    "-webkit-text-fill-color text-indent position left top right bottom margin-left "
    "margin-top transform scale clip clip-path width height max-width max-height "
    "overflow overflow-x overflow-y padding padding-top padding-bottom scale"
)


def declarations(style: str) -> Declarations:
    """Read declarations of what may hide; the last of a property wins.

    Names and values come in lower case, without comments and escapes. The name of an
    important one begins with ``!``, so that it outlasts a merge; see ``settled``.
    """
    style = _COMMENT.sub("", style) if "/*" in style else style
    style = _ESCAPE.sub(_unescaped, style) if "\\" in style else style
    found: dict[str, str] = {}
    for declaration in style.split(";"):
        name, colon, value = declaration.partition(":")
        name = name.strip().lower()
        if colon and name in HIDING:
            value, mark, _ = value.lower().partition("!")
            found[mark + name] = value.strip()
    return found


def settled(declared: Declarations) -> Declarations:
    """Return merged declarations with the important ones in the place of others."""
    important = {name[1:]: value for name, value in declared.items() if name[0] == "!"}
    return {**declared, **important} if important else declared


def how_style_hides(style: Declarations, *, on_white: bool = False) -> str | None:
    """Return the way these declarations hide text, None if they do not.

    ``on_white`` says that a text without a background of its own stands on white.
    """
    if not style:
        return None
    for way, properties, hides in _WAYS:
        if not properties.isdisjoint(style) and hides(style):
            return way
    has_ink = any(name in style for name in _INKS)
    unseen = has_ink and _is_drawn_unseen(style, on_white)
    return "the colour of its background" if unseen else None


def shows_again(style: Declarations, way: str) -> bool:
    """Say whether these declarations undo what an outer element's way of hiding did."""
    if way == "visibility: hidden":
        return style.get("visibility") == "visible"
    if way == "font size of nothing":
        return "font-size" in style and not _is_unreadably_small(style)
    return False


def _unescaped(found: re.Match[str]) -> str:
    if found[2] is not None:
        return found[2]
    code = int(found[1], 16)
    return chr(code) if 0 < code <= _LARGEST_CODE_POINT else "\ufffd"


def _is_left_out(style: Declarations) -> bool:
    return style.get("display") == "none"


def _is_invisible(style: Declarations) -> bool:
    return style.get("visibility") in {"hidden", "collapse"}


def _is_clipped(style: Declarations) -> bool:
    clips = (style.get("clip", ""), style.get("clip-path", ""))
    return any(_CLIPPED.match(clip) for clip in clips)


def _is_shrunk(style: Declarations) -> bool:
    shrinks = _SHRUNK.search(style.get("transform", "")) is not None
    return shrinks or _at_most(style.get("scale"), _FAINT)


def _is_faint(style: Declarations) -> bool:
    if style.get("content-visibility") == "hidden":
        return True
    filtered = style.get("filter", "").partition("opacity(")[2]
    return any(_fraction(value) <= _FAINT for value in (style.get("opacity"), filtered))


def _fraction(value: str | None) -> float:
    found = _LENGTH.match(value or "")
    if found is None:
        return 1.0
    return float(found[1]) / (100 if found[2] == "%" else 1)


def _is_unreadably_small(style: Declarations) -> bool:
    words = [style.get("font-size", ""), *style.get("font", "").split()]
    # In the shorthand a number without a unit is a weight.
    sizes = [w for i, w in enumerate(words) if not i or not w.isdigit() or w == "0"]
    return any(_is_tiny_font(size) for size in sizes)


def _is_tiny_font(size: str) -> bool:
    if size.endswith("%"):
        return _fraction(size) * _PIXELS["em"] < _UNREADABLE
    found = _LENGTH.match(size)
    return found is not None and _pixels(size) < _UNREADABLE


def _is_off_screen(style: Declarations) -> bool:
    moved = _MOVED.search(style.get("transform", ""))
    lengths = [style.get(name) for name in ("text-indent", "margin-left", "margin-top")]
    lengths += list(moved.groups()) if moved else []
    if any(_pixels(length) <= -_OFF_SCREEN for length in lengths):
        return True
    if style.get("position") not in {"absolute", "fixed", "relative"}:
        return False
    across = [_pixels(style.get(side)) for side in ("left", "right")]
    along = [_pixels(style.get(side)) for side in ("top", "bottom")]
    return min(across + along) <= -_OFF_SCREEN or max(across) >= _FAR_ASIDE


def _is_drawn_unseen(style: Declarations, on_white: bool) -> bool:
    clips = (style.get("background-clip"), style.get("-webkit-background-clip"))
    if "text" in clips or style.get("text-shadow", "none") != "none":
        return False
    ink = color(style.get("-webkit-text-fill-color") or style.get("color"))
    if ink is None:
        return False
    declared = style.get("background-color") or style.get("background")
    ground = color(declared) if declared else WHITE if on_white else None
    return ink.is_unseen() or (ground is not None and ink.looks_like(ground))


def _is_tiny(style: Declarations) -> bool:
    overflows = (
        style.get("overflow"),
        style.get("overflow-x"),
        style.get("overflow-y"),
    )
    if not any((value or "").startswith(("hidden", "clip")) for value in overflows):
        return False
    # A box without height whose padding gives it a shape holds a picture or a film.
    padding = (
        style.get("padding"),
        style.get("padding-top"),
        style.get("padding-bottom"),
    )
    if any(_pixels(value) > _HAIR for value in padding):
        return False
    sizes = ("width", "height", "max-width", "max-height")
    return any(_at_most(style.get(size), _HAIR) for size in sizes)


def _at_most(value: str | None, pixels: float) -> bool:
    return _LENGTH.match(value or "") is not None and _pixels(value) <= pixels


def _pixels(value: str | None) -> float:
    """Return a length in pixels, 0 where there is none or its unit is unknown."""
    found = _LENGTH.match(value or "")
    return float(found[1]) * _PIXELS.get(found[2], _OFF_SCREEN) if found else 0.0


# The properties that a way needs at least one of, before it is looked into.
_WAYS: tuple[tuple[str, frozenset[str], Callable[[Declarations], bool]], ...] = (
    ("display: none", words("display"), _is_left_out),
    ("visibility: hidden", words("visibility"), _is_invisible),
    ("opacity: 0", words("opacity filter content-visibility"), _is_faint),
    ("font size of nothing", words("font-size font"), _is_unreadably_small),
    (
        "off screen",
        words("transform text-indent margin-left margin-top position"),
        _is_off_screen,
    ),
    ("clipped away", words("clip clip-path"), _is_clipped),
    ("scaled to nothing", words("transform scale"), _is_shrunk),
    ("a box of no size", words("overflow overflow-x overflow-y"), _is_tiny),
)
_INKS = ("color", "-webkit-text-fill-color")
