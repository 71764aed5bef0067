"""Addresses by one strict reading: nothing is stripped, repaired or guessed."""

import re
import unicodedata
from dataclasses import dataclass

import httpx

from chat.web.guard.hosts import canonical_host, displayed_host
from chat.web.guard.policy import Policy
from chat.web.guard.refusal import FetchRefused, Reason

MAX_URL = 2_048
HTTPS_PORT = 443

_FORBIDDEN = re.compile(r"[\x00-\x20\x7f\\\"<>^`{|}]|%(?![0-9A-Fa-f]{2})")
_FORBIDDEN_CATEGORIES = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zs", "Zl", "Zp"))
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_PARTS = re.compile(r"//([^/?#]*)([^?#]*)(\?[^#]*)?")
_PORT = re.compile(r"[1-9][0-9]{0,4}")
_DOTS = re.compile(r"(?:\.|%2[Ee]){1,2}")


@dataclass(frozen=True, slots=True)
class CheckedUrl:
    """An address that passed: ``url`` is its one ASCII form, ``display`` for people.

    ``host`` is without brackets; the fragment is gone.
    """

    url: str
    host: str
    port: int
    display: str

    @property
    def authority(self) -> str:
        """Host and port as they stand in the address and in the Host header."""
        return self.url[len("https://") :].split("/", 1)[0]

    @property
    def target(self) -> str:
        """Path and query as they are sent."""
        return self.url[len("https://") + len(self.authority) :]


def check_url(url: str, policy: Policy | None = None) -> CheckedUrl:
    """Check an address without touching the network; raises FetchRefused."""
    policy = policy or Policy()
    _check_text(url)
    scheme = _SCHEME.match(url)
    if scheme is None or scheme[1].lower() != "https":
        raise FetchRefused(Reason.SCHEME)
    parts = _PARTS.match(url, scheme.end())
    if parts is None or not parts[1]:
        raise FetchRefused(Reason.URL)
    authority, path, query = parts[1], parts[2], parts[3] or ""
    if "@" in authority:
        raise FetchRefused(Reason.USERINFO)
    host_text, port = _split_authority(authority, policy)
    host = canonical_host(host_text, policy)
    shown_port = "" if port == HTTPS_PORT else f":{port}"
    target = _quoted(_without_dots(path or "/") + query)
    checked = CheckedUrl(
        url=f"https://{host}{shown_port}{target}",
        host=host.strip("[]"),
        port=port,
        display=f"https://{displayed_host(host)}{shown_port}{target}",
    )
    _check_second_reading(checked)
    return checked


def next_url(current: CheckedUrl, location: str, policy: Policy) -> CheckedUrl:
    """Check the address that a redirect leads to."""
    if re.search(r"[\x00-\x1f\x7f\\]", location) or location.startswith("///"):
        raise FetchRefused(Reason.REDIRECT_LOCATION)
    return check_url(_resolved(current, location), policy)


def _resolved(current: CheckedUrl, location: str) -> str:
    if _SCHEME.match(location):
        return location
    if location.startswith("//"):
        return f"https:{location}"
    origin = f"https://{current.authority}"
    path = current.target.partition("?")[0]
    if location.startswith("/"):
        return origin + location
    if location.startswith("?"):
        return origin + path + location
    if location.startswith("#"):
        return current.url
    return origin + path.rpartition("/")[0] + "/" + location


def _check_text(url: str) -> None:
    if len(url) > MAX_URL:
        raise FetchRefused(Reason.URL_LENGTH, f"The limit is {MAX_URL} characters.")
    if _FORBIDDEN.search(url):
        raise FetchRefused(Reason.URL_CHARS)
    unseen = (char for char in url if not char.isascii())
    if any(unicodedata.category(char) in _FORBIDDEN_CATEGORIES for char in unseen):
        raise FetchRefused(Reason.URL_CHARS)


def _split_authority(authority: str, policy: Policy) -> tuple[str, int]:
    if authority.startswith("["):
        host, bracket, rest = authority.partition("]")
        host += bracket
    else:
        host, colon, after = authority.partition(":")
        rest = colon + after
    if not rest:
        return host, _allowed_port(HTTPS_PORT, policy)
    if not rest.startswith(":"):
        raise FetchRefused(Reason.HOST)
    if not _PORT.fullmatch(rest[1:]):
        raise FetchRefused(Reason.PORT)
    return host, _allowed_port(int(rest[1:]), policy)


def _allowed_port(port: int, policy: Policy) -> int:
    if port not in policy.ports:
        raise FetchRefused(Reason.PORT, f"Port {port} is not among those allowed.")
    return port


def _without_dots(path: str) -> str:
    """Resolve ``.`` and ``..`` segments, percent-encoded ones too."""
    kept: list[str] = []
    segments = path.split("/")[1:]
    for position, segment in enumerate(segments):
        dots = segment.lower().replace("%2e", ".")
        is_dots = _DOTS.fullmatch(segment) is not None
        if is_dots and dots == ".." and kept:
            kept.pop()
        if not is_dots:
            kept.append(segment)
        elif position == len(segments) - 1:
            kept.append("")
    return "/" + "/".join(kept)


def _quoted(target: str) -> str:
    return "".join(
        char if char.isascii() else "".join(f"%{byte:02X}" for byte in char.encode())
        for char in target
    )


def _check_second_reading(checked: CheckedUrl) -> None:
    """Another parser must read the same host, or somebody could be misled."""
    try:
        read = httpx.URL(checked.url)
    except httpx.InvalidURL:
        raise FetchRefused(Reason.URL) from None
    read_port = read.port or HTTPS_PORT
    seen = (read.scheme, read.raw_host.decode("ascii"), read_port, read.userinfo)
    if seen != ("https", checked.host, checked.port, b""):
        raise FetchRefused(Reason.URL)
