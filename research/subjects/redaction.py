"""Secrets taken out of what a person typed, before anything stores it."""

import re
from urllib.parse import parse_qsl, quote

REDACTED = "REDACTED"

_SECRET_NAME = re.compile(
    r"(?i)(?:^|[-_.])(?:token|secret|password|passwd|pwd|pat|auth|authorization|"
    r"credentials?|bearer|cookie|session|signature|sig|key)(?:$|[-_.])"
    r"|(?:api|access|private|secret|auth)[-_]?(?:key|token)|apikey"
)
# Prefixes that token issuers publish so that leaked ones can be found.
_SECRET_VALUE = re.compile(
    r"(?:sk-|sk_|pk_|rk_|gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|hf_|npm_|pypi-|"
    r"AKIA|ASIA|AIza|eyJ|ya29\.|SG\.|dop_v1_|shpat_|figd_|ntn_|secret_|lin_api_)"
    r"[A-Za-z0-9._~+/=-]{8,}"
)
_OPAQUE = re.compile(r"(?=[^\s]*[0-9])(?=[^\s]*[A-Za-z])[A-Za-z0-9_~+=-]{32,}\Z")
_USERINFO = re.compile(r"(?<=://)[^/@\s]+@")
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)\Z", re.DOTALL)
_OPTION = re.compile(r"(--?[A-Za-z][\w.-]*)(?:=(.*))?\Z", re.DOTALL)
_HEADER = re.compile(r"(?i)([\w-]*(?:authorization|key|token|cookie)[\w-]*:\s*).+\Z")


def redact_words(words: list[str]) -> list[str]:
    """The words of a command with every value that looks secret replaced."""
    redacted: list[str] = []
    value_is_secret = False
    for word in words:
        option = _OPTION.match(word)
        if value_is_secret and not option:
            redacted.append(REDACTED)
        else:
            redacted.append(_redact_word(word))
        value_is_secret = bool(
            option and option[2] is None and _SECRET_NAME.search(option[1])
        )
    return redacted


def redact_query(query: str) -> str:
    """A URL's query with the values that look secret replaced."""
    pairs = parse_qsl(query, keep_blank_values=True)
    return "&".join(
        f"{quote(name, safe='')}={quote(_redact_value(name, value), safe=':/,~')}"
        for name, value in pairs
    )


def _redact_value(name: str, value: str) -> str:
    secret = _SECRET_NAME.search(name) or _OPAQUE.match(value)
    return REDACTED if secret or _SECRET_VALUE.search(value) else value


def _redact_word(word: str) -> str:
    option = _OPTION.match(word)
    if option and option[2] is not None:
        inner = _redact_word(option[2])
        return f"{option[1]}={REDACTED if _SECRET_NAME.search(option[1]) else inner}"
    assignment = _ASSIGNMENT.match(word)
    if assignment:
        # The value of an environment variable is nobody's business.
        return f"{assignment[1]}={REDACTED}"
    header = _HEADER.match(word)
    if header:
        return header[1] + REDACTED
    if _OPAQUE.match(word):
        return REDACTED
    return _USERINFO.sub("", _SECRET_VALUE.sub(REDACTED, word))
