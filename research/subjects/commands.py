"""Launch commands of MCP servers: split, redacted, their version taken off."""

import re
import shlex

from research.subjects.redaction import redact_words
from research.subjects.values import (
    Subject,
    SubjectKind,
    checked_key,
    clean_text,
    refusal,
    shown,
)

MAX_COMMAND = 4_000
_PACKAGE_RUNNERS = {"npx", "bunx", "pnpx", "uvx", "pipx"}
_LAUNCHERS = _PACKAGE_RUNNERS | {"docker", "podman", "node", "deno", "uv", "bun"}
_PYTHON = re.compile(r"python(?:3(?:\.\d+)?)?\Z")
_SHELL = re.compile(r"[;&|<>`\n]|\$\(")
# Options of package runners whose value is the package, and of all that take a value.
_NAMES_PACKAGE = {"-p", "--package", "--from", "--spec"}
_WITH_VALUE = {
    *{"-p", "--publish", "--with", "--python", "--index-url", "--registry"},
    *{"-e", "--env", "--env-file", "-v", "--volume", "--mount", "--name", "--network"},
    *{"-u", "--user", "-w", "--workdir", "--entrypoint"},
}
_YES = {"-y", "--yes"}


def looks_like_command(text: str) -> bool:
    """Whether `text` starts as launch commands of MCP servers do."""
    words = text.split()
    if len(words) < 2:
        return False
    python_module = bool(_PYTHON.match(words[0])) and words[1] == "-m"
    return words[0] in _LAUNCHERS or python_module


def command_subject(text: str) -> Subject:
    """The stdio server that a command launches; raises BadInput for shell syntax."""
    text = clean_text(text)
    if len(text) > MAX_COMMAND:
        raise refusal(
            f"The launch command has {len(text):,} characters; the limit is"
            f" {MAX_COMMAND:,}.",
            "subject_too_long",
        )
    if _SHELL.search(text):
        raise refusal(
            f"{shown(text)} is more than one command: write it without shell syntax.",
            "shell_syntax",
        )
    try:
        words = shlex.split(text)
    except ValueError:
        raise refusal(
            "The launch command has an unbalanced quote.", "bad_command"
        ) from None
    if not words:
        raise refusal("The launch command is empty.", "empty")
    words, version = _without_version(words)
    words = redact_words([word for word in words if word not in _YES])
    line = shlex.join(words)
    return Subject(SubjectKind.MCP_COMMAND, checked_key(line), version, line)


def _without_version(words: list[str]) -> tuple[list[str], str | None]:
    at = _target(words)
    if at is None:
        return words, None
    name, version = _split_version(words[0], words[at])
    return [*words[:at], name, *words[at + 1 :]], version


def _target(words: list[str]) -> int | None:
    """The index of the package or image that the command runs, if it names one."""
    start = {"docker": 2, "podman": 2, "pipx": 2}.get(words[0], 1)
    if words[0] not in _PACKAGE_RUNNERS | {"docker", "podman"}:
        return None
    skip = False
    for index, word in enumerate(words[start:], start):
        if not skip and not word.startswith("-"):
            return index
        if words[0] in _PACKAGE_RUNNERS and word in _NAMES_PACKAGE:
            return index + 1 if index + 1 < len(words) else None
        skip = not skip and word in _WITH_VALUE
    return None


def _split_version(runner: str, word: str) -> tuple[str, str | None]:
    if "://" in word:
        # The @ of a URL ends its user's name.
        return word, None
    if runner in {"docker", "podman"}:
        match = re.match(
            r"(?P<name>.+?)(?:@(?P<digest>sha256:\w+)|:(?P<tag>[\w.-]+))\Z", word
        )
        return (
            (match["name"], match["digest"] or match["tag"]) if match else (word, None)
        )
    match = re.match(r"(?P<name>@?[^@=\s]+)(?:==|@)(?P<version>[^@=\s]+)\Z", word)
    return (match["name"], match["version"]) if match else (word, None)
