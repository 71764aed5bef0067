"""Text of others made safe to look at: what steers a display is shown instead."""

import re

# Control characters, those that turn the direction of text, and invisible ones. Zero
# width joiners stay: several scripts are written with them.
STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0"
    "\ufff9-\ufffb\U000e0000-\U000e0fff]"
)


def visible(text: str) -> str:
    """Each steering character by its code point, such as ⟨U+202E⟩; lines kept."""
    return STEERING.sub(_named, text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """The same with every run of white space as one blank."""
    return " ".join(visible(text).split())


def _named(match: re.Match[str]) -> str:
    return f"⟨U+{ord(match[0]):04X}⟩"
