"""Titles and snippets as one clean line: what others wrote, without their markup."""

import html
import re

from chat.web.reading.cleaning import clean

# What is cut off could not be shown anyway; it bounds the work on hostile texts.
_LONGEST_INPUT = 4_000
_BREAKS = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029]+")
# An unfinished tag at the end is what cutting a snippet leaves of it.
_TAG = re.compile(r"<[a-zA-Z/!?][^<>]*(?:>|\Z)")
# Engines mark parts of words with these; others stand between words.
_IN_WORDS = re.compile(r"(?i)</?(?:b|strong|em|i|mark|span|wbr)(?:\s[^<>]*)?/?>")


def one_line(text: str, most: int) -> str:
    """``text`` without tags, entities and unseen characters, at most ``most`` long.

    A text that was cut ends in an ellipsis.
    """
    line = _settled(text[:_LONGEST_INPUT])
    line = " ".join(line.split())
    if len(line) <= most and len(text) <= _LONGEST_INPUT:
        return line
    return line[: most - 1].rstrip() + "…"


def _settled(text: str) -> str:
    """Take out layer after layer: taking one out can lay another bare.

    Each round makes the text shorter, so that it ends.
    """
    text = _unlayered(text)
    while (less := _unlayered(text)) != text:
        text = less
    return text


def _unlayered(text: str) -> str:
    text = clean(_BREAKS.sub(" ", html.unescape(text))).text
    return _TAG.sub(" ", _IN_WORDS.sub("", text))
