"""Secrets taken out of what a person typed, before anything stores it."""

import hashlib
import re
from urllib.parse import parse_qsl, quote, unquote

REDACTED = "REDACTED"

_SECRET_NAME = re.compile(
    r"(?i)(?:^|[-_.])(?:token|secret|password|passwd|pwd|pat|auth|authorization|"
    r"credentials?|bearer|cookie|session|signature|sig|key)(?:$|[-_.])"
    r"|(?:api|access|private|secret|auth)[-_]?(?:key|token)|apikey"
    r"|(?-i:[a-z](?:Token|Secret|Password|Key))(?:$|[-_.A-Z])"
)
# Prefixes that token issuers publish so that leaked ones can be found.
_SECRET_VALUE = re.compile(
    r"(?:sk-|sk_|pk_|rk_|gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|hf_|npm_|pypi-|"
    r"AKIA|ASIA|AIza|eyJ|ya29\.|SG\.|dop_v1_|shpat_|figd_|ntn_|secret_|lin_api_)"
    r"[A-Za-z0-9._~+/=-]{8,}"
)
_OPAQUE = re.compile(r"(?=[^\s]*[0-9])(?=[^\s]*[A-Za-z])[A-Za-z0-9_~+=-]{32,}\Z")
# Words of a path end at these; what is between them in a token is long.
_SEPARATORS = re.compile(r"[-_.~+=:@]+")
_OPAQUE_RUN = 16
_OPAQUE_MIXED = 20
_OPAQUE_LETTERS = 24
# An option that switches something off takes no value.
_SWITCH = re.compile(r"(?i)--?(?:no|disable|skip|without)-")
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)\Z", re.DOTALL)
_OPTION = re.compile(r"(--?[A-Za-z][\w.-]*)(?:=(.*))?\Z", re.DOTALL)
_HEADER = re.compile(
    r"(?i)([\w-]{0,60}(?:authorization|key|token|cookie)[\w-]{0,60}:\s*).+\Z", re.DOTALL
)


def redact_words(words: list[str]) -> list[str]:
    """The words of a command with every value that looks secret replaced."""
    redacted: list[str] = []
    before = ""
    for word in words:
        # A value may begin with a dash: what follows a secret's name is the secret.
        value = _names_secret(before) and not (
            _SWITCH.match(before) and word.startswith("-")
        )
        redacted.append(REDACTED if value else _redact_word(word))
        before = word
    return redacted


def redact_path(path: str) -> str:
    """A URL's path with the segments that look like tokens replaced.

    The placeholder ends in a short hash, so that two tokens are still two subjects.
    """
    redacted: list[str] = []
    before = ""
    for segment in path.split("/"):
        plain = unquote(segment)
        if _is_opaque(plain):
            digest = hashlib.sha256(plain.encode(errors="replace")).hexdigest()
            redacted.append(f"{REDACTED}-{digest[:8]}")
        elif _SECRET_NAME.search(before) and re.search(r"\d", plain):
            redacted.append(REDACTED)
        else:
            redacted.append(segment)
        before = plain
    return "/".join(redacted)


def redact_query(query: str) -> str:
    """A URL's query with the values that look secret replaced."""
    pairs = parse_qsl(query, keep_blank_values=True)
    return "&".join(
        f"{quote(name, safe='')}={quote(_redact_value(name, value), safe=':/,~')}"
        for name, value in pairs
    )


def _names_secret(word: str) -> bool:
    option = _OPTION.match(word)
    return bool(option and option[2] is None and _SECRET_NAME.search(option[1]))


def _is_opaque(segment: str) -> bool:
    """Whether a segment is too long or too mixed for words, as tokens and UUIDs are."""
    if _SECRET_VALUE.search(segment):
        return True
    runs = _SEPARATORS.split(segment)
    longest = max(runs, key=len)
    joined = "".join(runs)
    digits = any(c.isdigit() for c in joined)
    mixed = joined.lower() != joined and joined.upper() != joined
    return (
        (len(longest) >= _OPAQUE_RUN and any(c.isdigit() for c in longest))
        or (len(joined) >= _OPAQUE_MIXED and digits and mixed)
        or (len(longest) >= _OPAQUE_MIXED and mixed)
        or len(longest) >= _OPAQUE_LETTERS
        or re.fullmatch(r"[0-9a-fA-F]{24,}", joined) is not None
    )


def _redact_url(word: str) -> str:
    """A URL in a command: no user, no fragment, no token in its path or query."""
    scheme, _, rest = word.partition("://")
    rest, _, query = rest.partition("#")[0].partition("?")
    authority, slash, path = rest.partition("/")
    authority = authority.rpartition("@")[2]
    port = authority.rpartition("]")[2].partition(":")[2]
    if port and not port.isdigit():
        # A password with a slash in it: what follows is not a path either.
        return f"{scheme}://{REDACTED}"
    query = f"?{redact_query(query)}" if query else ""
    return f"{scheme}://{authority}{slash}{redact_path(path)}{query}"


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
    return _redact_url(word) if "://" in word else _SECRET_VALUE.sub(REDACTED, word)
