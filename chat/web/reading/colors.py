"""Colours of CSS, as far as telling drawn text from its ground needs them."""

import colorsys
import re
from dataclasses import dataclass

_NAMES = {
    "white": "ffffff",
    "black": "000000",
    "snow": "fffafa",
    "ivory": "fffff0",
    "ghostwhite": "f8f8ff",
    "floralwhite": "fffaf0",
    "whitesmoke": "f5f5f5",
    "gray": "808080",
    "grey": "808080",
    "silver": "c0c0c0",
    "red": "ff0000",
    "green": "008000",
    "lime": "00ff00",
    "blue": "0000ff",
    "yellow": "ffff00",
    "navy": "000080",
}
_HEX = re.compile(r"#?([0-9a-f]{3,8})")
_FUNCTION = re.compile(r"(rgb|hsl)a?\(([^()]{1,80})\)")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)")
# Of 255 a channel; less is not told apart by an eye.
_SAME_WITHIN = 12
_FAINT = 0.05


@dataclass(frozen=True, slots=True)
class Color:
    """Red, green and blue of 0 to 255, and an opacity of 0 to 1."""

    red: float
    green: float
    blue: float
    alpha: float = 1.0

    def is_unseen(self) -> bool:
        return self.alpha <= _FAINT

    def looks_like(self, ground: "Color") -> bool:
        """Say whether text of this colour cannot be read on that ground."""
        mine, other = (
            (self.red, self.green, self.blue),
            (ground.red, ground.green, ground.blue),
        )
        near = all(abs(a - b) <= _SAME_WITHIN for a, b in zip(mine, other, strict=True))
        return near and not ground.is_unseen()


WHITE = Color(255, 255, 255)


def color(value: str | None) -> Color | None:
    """Read the first colour of a lower-case value, None where it names none we know."""
    value = (value or "").strip()
    if not value:
        return None
    function = _FUNCTION.match(value)
    if function:
        return _of_function(function[1], function[2])
    word = value.split()[0]
    if word == "transparent":
        return Color(0, 0, 0, 0.0)
    digits = _HEX.fullmatch(_NAMES.get(word, word))
    return _of_hex(digits[1]) if digits else None


def _of_hex(digits: str) -> Color | None:
    if len(digits) in (3, 4):
        digits = "".join(digit * 2 for digit in digits)
    if len(digits) not in (6, 8):
        return None
    red, green, blue, alpha = bytes.fromhex(digits.ljust(8, "f"))
    return Color(red, green, blue, alpha / 255)


def _of_function(name: str, arguments: str) -> Color | None:
    words = arguments.replace(",", " ").replace("/", " ").split()
    if not 3 <= len(words) <= 4:
        return None
    numbers = [_NUMBER.match(word) for word in words]
    if not all(numbers):
        return None
    first, second, third, *rest = (
        _scaled(word, float(found[0]))
        for word, found in zip(words, numbers, strict=True)
        if found
    )
    alpha = rest[0] if rest else 1.0
    if name == "rgb":
        by = [255 if word.endswith("%") else 1 for word in words]
        return Color(first * by[0], second * by[1], third * by[2], alpha)
    red, green, blue = colorsys.hls_to_rgb(first / 360 % 1, third, second)
    return Color(red * 255, green * 255, blue * 255, alpha)


def _scaled(word: str, number: float) -> float:
    return number / 100 if word.endswith("%") else number
