"""The identity of what is reviewed, and what every way of naming it must pass."""

import re
from dataclasses import dataclass
from enum import StrEnum

from accounts.errors import BadInput

MAX_KEY = 500
_CONTROL = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]"
)


class SubjectKind(StrEnum):
    MCP_SERVER = "mcp_server"
    MCP_COMMAND = "mcp_command"
    PACKAGE = "package"
    VENDOR = "vendor"
    QUESTION = "question"


@dataclass(frozen=True, slots=True)
class Subject:
    """What is reviewed; `key` identifies it and has no version, a dossier pins it."""

    kind: SubjectKind
    key: str
    version: str | None
    title: str


def refusal(sentence: str, code: str) -> BadInput:
    """The error for a subject that cannot be used."""
    return BadInput(sentence, code=code, field="subject")


def clean_text(text: str) -> str:
    """`text` without outer white space; raises BadInput if empty or unprintable."""
    text = text.strip()
    if not text:
        raise refusal("The subject is empty.", "empty")
    if _CONTROL.search(text):
        raise refusal("The subject contains control characters.", "control_characters")
    return text


def checked_key(key: str) -> str:
    """`key`, or BadInput if it is longer than a key may be."""
    if len(key) > MAX_KEY:
        raise refusal(
            f"The subject has {len(key):,} characters; the limit is {MAX_KEY}.",
            "subject_too_long",
        )
    return key


def shown(text: str) -> str:
    """`text` short enough to stand in an error's sentence."""
    return text if len(text) <= 60 else text[:57] + "..."
