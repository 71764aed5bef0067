"""The exported page is legible in both of its themes."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
CSS = (ROOT / "research/static/research/export.css").read_text()

PAIRS = [
    (ink, ground)
    for ink in ("ink", "muted", "accent", "warning", "refusal")
    for ground in ("paper", "sheet")
] + [("ink", "mark")]


def themes() -> dict[str, dict[str, str]]:
    """The colours of the light, the dark and the printed page, by name."""
    blocks = re.findall(r":root \{(.*?)\}", CSS, re.DOTALL)
    colours = [
        dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block)) for block in blocks
    ]
    light, dark, printed = colours
    return {"light": light, "dark": {**light, **dark}, "print": {**light, **printed}}


def luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("theme", ["light", "dark", "print"])
@pytest.mark.parametrize(("ink", "ground"), PAIRS)
def test_text_stands_out_from_its_ground(theme: str, ink: str, ground: str) -> None:
    colours = themes()[theme]
    darker, lighter = sorted((luminance(colours[ink]), luminance(colours[ground])))
    assert (lighter + 0.05) / (darker + 0.05) >= 4.5
