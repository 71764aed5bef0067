"""Colours can be read; nothing stands inline that the content policy would refuse."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
CSS = (ROOT / "research/static/research/app.css").read_text()
# An export is one file that is opened without a content policy.
TEMPLATES = sorted(
    path for path in ROOT.glob("templates/**/*.html") if "export" not in path.name
)

TEXT_PAIRS = [
    *((text, ground) for text in ("ink", "muted", "accent", "warning", "refusal")
      for ground in ("paper", "raised", "sunken")),
    ("ink", "highlight"),
    ("ink", "chosen"),
    ("muted", "chosen"),
    ("accent", "chosen"),
    ("on-accent", "accent"),
    ("paper", "ink"),
    ("warning", "highlight"),
]  # fmt: skip
# Borders of what can be operated, and the underline of the highlight.
EDGE_PAIRS = [("edge", "paper"), ("edge", "raised"), ("highlight-line", "raised")]


def theme(block: str) -> dict[str, str]:
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", block))


def themes() -> dict[str, dict[str, str]]:
    light, dark = re.findall(r":root \{(.*?)\}", CSS, re.DOTALL)[:2]
    return {"light": theme(light), "dark": {**theme(light), **theme(dark)}}


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), TEXT_PAIRS)
def test_text_stands_out_four_and_a_half_to_one(
    name: str, text: str, ground: str
) -> None:
    colours = themes()[name]

    assert contrast(colours[text], colours[ground]) >= 4.5


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize(("line", "ground"), EDGE_PAIRS)
def test_edges_stand_out_three_to_one(name: str, line: str, ground: str) -> None:
    colours = themes()[name]

    assert contrast(colours[line], colours[ground]) >= 3


def test_both_themes_name_the_same_colours() -> None:
    light, dark = re.findall(r":root \{(.*?)\}", CSS, re.DOTALL)[:2]

    assert theme(light).keys() == theme(dark).keys()


def test_colours_are_written_in_the_themes_alone() -> None:
    rest = re.sub(r":root \{.*?\}", "", CSS, flags=re.DOTALL)

    assert re.findall(r"#[0-9a-fA-F]{3,8}\b|rgba?\(", rest) == []


def test_reduced_motion_print_and_dark_are_thought_of() -> None:
    for query in ("prefers-reduced-motion", "@media print", "prefers-color-scheme"):
        assert query in CSS


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_no_page_holds_inline_style_script_or_handlers(path: Path) -> None:
    text = path.read_text()

    assert not re.search(r"\sstyle\s*=", text)
    assert "<style" not in text
    assert not re.search(r"\son[a-z]+\s*=", text)
    assert not re.search(r"<script(?![^>]*\ssrc=)", text)
    assert "javascript:" not in text
    assert not re.search(r"""(?:src|href)=["'](?:https?:)?//""", text)
