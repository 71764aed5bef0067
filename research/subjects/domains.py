"""Subjects named by a host: an MCP server's URL, a vendor's domain."""

import ipaddress
import re
from urllib.parse import SplitResult, urlsplit, urlunsplit

from research.subjects.redaction import redact_path, redact_query
from research.subjects.values import (
    Subject,
    SubjectKind,
    checked_key,
    clean_text,
    refusal,
    shown,
)

_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_DOMAIN = re.compile(rf"(?:{_LABEL}\.)+(?=[a-z0-9-]*[a-z]){_LABEL}\Z")


def looks_like_domain(text: str) -> bool:
    """Whether `text` is a bare domain, such as example.org."""
    return _DOMAIN.match(_ascii_host(text) or "") is not None


def server_subject(text: str) -> Subject:
    """The MCP server at an https URL; secrets in it are redacted."""
    text = clean_text(text)
    parts, port = _split(text)
    if parts.scheme.lower() != "https":
        raise refusal(
            f"{shown(text)} is no https URL, which is how an MCP server is named.",
            "bad_url",
        )
    if parts.username is not None or parts.password is not None:
        raise refusal("The URL carries a user name or password.", "url_credentials")
    host = _server_host(parts.hostname or "", text)
    netloc = host if port in {None, 443} else f"{host}:{port}"
    path = "" if parts.path == "/" else redact_path(parts.path)
    key = urlunsplit(("https", netloc, path, redact_query(parts.query), ""))
    return Subject(SubjectKind.MCP_SERVER, checked_key(key), None, netloc + path)


def vendor_subject(text: str) -> Subject:
    """The vendor that owns a domain; a URL stands for its host."""
    text = clean_text(text)
    bare = (_split(text)[0].hostname or "") if "://" in text else text
    host = (_ascii_host(bare) or "").removeprefix("www.")
    if not _DOMAIN.match(host):
        raise refusal(f"{shown(text)} is no domain, such as example.org.", "bad_domain")
    return Subject(SubjectKind.VENDOR, host, None, host)


def _split(text: str) -> tuple[SplitResult, int | None]:
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        parts, port = SplitResult("", "", "", "", ""), None
    if not parts.scheme or not parts.hostname or re.search(r"[\s\\]", text):
        raise refusal(f"{shown(text)} is no usable URL.", "bad_url")
    return parts, port


def _server_host(hostname: str, text: str) -> str:
    try:
        address = ipaddress.ip_address(hostname)
    except ValueError:
        pass
    else:
        return f"[{address}]" if address.version == 6 else str(address)
    host = _ascii_host(hostname)
    if not host or not re.match(rf"(?:{_LABEL}\.)*{_LABEL}\Z", host):
        raise refusal(f"{shown(text)} has a malformed host.", "bad_url")
    return host


def _ascii_host(text: str) -> str | None:
    """The host in lower-case ASCII as resolvers see it, or None."""
    host = text.strip().rstrip(".").lower()
    if host.isascii():
        return host if len(host) <= 253 else None
    try:
        return host.encode("idna").decode("ascii")
    except UnicodeError:
        return None
