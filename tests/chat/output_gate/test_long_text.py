"""A megabyte of hostile text is gated; no pattern looks at a character for ever."""

import pytest

from chat.engine import Citation, StopReason
from chat.output_gate import Answer, gate
from chat.output_gate.layout import LONGEST_BLOCK, LONGEST_LAID_OUT
from tests.chat.output_gate.reading import faults

pytestmark = pytest.mark.row("A13")
MEGABYTE = 1_000_000
PATTERNS = [
    "[", "![", "[a](", "[a](<", "](http://a", "] \n(", "*a **b ", "_a__b ", "`a``b",
    "<", "<a ", "<!--", "<http://a", "<http://a.b> ", "[a]: /b\n", '[a]: <b "',
    "|a", "a|b\n-|-\n\n", "|-|-|\n", "> ", "- ", "- a\n", "1. a\n", "# a\n", "~~~\n",
    "http://", "http://a@", "&", '"', "\\[", "\u202e", "\0", "\ud800", "\u200c", "\r\n",
    "a\n=\n", "    a\n", "\ue0001\ue001", "Words of a quiet text.\n\n",
]  # fmt: skip


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_megabyte_of_it_is_gated(pattern: str) -> None:
    text = pattern * (MEGABYTE // len(pattern))
    citations = tuple(Citation("x", at, at + 9, "https://e.org") for at in range(200))
    found = gate(Answer(text, StopReason.COMPLETED, citations=citations))

    assert any(label.endswith("characters are.") for label in found.labels) or (
        not text.strip()
    )
    assert len(found.html) < 10 * LONGEST_LAID_OUT
    assert faults(found.html[:LONGEST_BLOCK]) == []


def test_the_plain_form_is_whole() -> None:
    text = "Words of a quiet text.\n\n" * 50_000

    assert gate(Answer(text, StopReason.COMPLETED)).text == text
