"""From what a person typed to the subject that is meant.

    pkg:pypi/bleach@6.4.0          package      the purl, name normalised
    https://mcp.example.org/sse    mcp_server   the URL, host normalised
    npx -y @scope/server           mcp_command  the launch command, secrets redacted
    example.org                    vendor       the domain
    Does it keep logs?             question     a digest of the folded wording

Pure functions: nothing is looked up, nothing is fetched.
"""

import hashlib
import re
import unicodedata

from accounts.errors import BadInput
from research.subjects.commands import command_subject, looks_like_command
from research.subjects.domains import looks_like_domain, server_subject, vendor_subject
from research.subjects.purl import package_subject
from research.subjects.values import Subject, SubjectKind, clean_text, refusal, shown

MAX_QUESTION = 2000

__all__ = [
    "MAX_QUESTION",
    "Subject",
    "SubjectKind",
    "parse_subject",
    "question_subject",
]


def parse_subject(text: str, kind: SubjectKind | str | None = None) -> Subject:
    """The subject that `text` names; raises BadInput with one sentence if none."""
    text = clean_text(text)
    parsers = {
        SubjectKind.PACKAGE: package_subject,
        SubjectKind.MCP_SERVER: server_subject,
        SubjectKind.MCP_COMMAND: command_subject,
        SubjectKind.VENDOR: vendor_subject,
        SubjectKind.QUESTION: question_subject,
    }
    return parsers[_named_kind(kind) if kind else _guessed_kind(text)](text)


def question_subject(text: str) -> Subject:
    """A free question of 1 to 2,000 characters; the same wording is the same key."""
    title = " ".join(clean_text(text).split())
    if len(title) > MAX_QUESTION:
        raise refusal(
            f"The question has {len(title):,} characters; the limit is"
            f" {MAX_QUESTION:,}.",
            "question_too_long",
        )
    if not any(character.isalnum() for character in title):
        raise refusal("The question has no words.", "empty")
    folded = unicodedata.normalize("NFKC", title).casefold().rstrip(" ?!.")
    digest = hashlib.sha256(" ".join(folded.split()).encode()).hexdigest()
    return Subject(SubjectKind.QUESTION, f"question:{digest[:32]}", None, title)


def _guessed_kind(text: str) -> SubjectKind:
    one_word = not re.search(r"\s", text)
    if text[:4].lower() == "pkg:":
        return SubjectKind.PACKAGE
    if one_word and "://" in text:
        return SubjectKind.MCP_SERVER
    if looks_like_command(text):
        return SubjectKind.MCP_COMMAND
    if looks_like_domain(text):
        return SubjectKind.VENDOR
    if not one_word:
        return SubjectKind.QUESTION
    raise refusal(
        f"{shown(text)} names no subject: write a purl such as pkg:pypi/bleach, an"
        " https URL, a domain, a launch command, or a question in several words.",
        "unknown_subject",
    )


def _named_kind(kind: SubjectKind | str) -> SubjectKind:
    try:
        return SubjectKind(kind)
    except ValueError:
        names = ", ".join(SubjectKind)
        raise BadInput(
            f"{shown(str(kind))} is no kind of subject; the kinds are {names}.",
            code="unknown_kind",
            field="kind",
        ) from None
