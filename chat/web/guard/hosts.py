"""Host names and IP literals as they stand in an address."""

import re
import unicodedata
from ipaddress import AddressValueError, IPv4Address, IPv6Address

import idna

from chat.web.guard.addresses import check_address
from chat.web.guard.policy import Policy
from chat.web.guard.refusal import FetchRefused, Reason

_MAX_HOST = 253
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMERIC = re.compile(r"[0-9]+|0x[0-9a-f]*")
_SPECIAL_NAMES = (
    "localhost local internal test invalid example onion alt arpa lan corp home "
    "intranet private localdomain i2p"
)
_SPECIAL = frozenset(_SPECIAL_NAMES.split())
# Scripts that hardly hold a letter that looks like one of another script; those of
# one line are written together.
_SCRIPTS = (
    frozenset(("CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA")),
    *(
        frozenset((script,))
        for script in (
            *("HANGUL", "HEBREW", "ARABIC", "THAI", "GEORGIAN", "DEVANAGARI"),
            *("BENGALI", "TAMIL", "TELUGU", "CYRILLIC", "GREEK"),
        )
    ),
)
# Letters of the last two that pass for Latin ones; a name of these alone is a disguise.
_LOOKALIKES = frozenset("аԁеһіјӏорԛгѕԝхуѵѡьҽпсαγεηικνορτυχω")


def canonical_host(host: str, policy: Policy) -> str:
    """Return the ASCII form of a host, or refuse it; IPv6 keeps its brackets."""
    if host.startswith("["):
        return _canonical_ipv6(host, policy)
    if not host or len(host) > _MAX_HOST + 1 or "%" in host:
        raise FetchRefused(Reason.HOST)
    mapped = _mapped(host)
    name = mapped.removesuffix(".")
    if _NUMERIC.fullmatch(name.rpartition(".")[2]):
        return _canonical_ipv4(host, policy)
    labels = [_canonical_label(label) for label in name.split(".")]
    ascii_name = ".".join(labels)
    if len(ascii_name) > _MAX_HOST:
        raise FetchRefused(Reason.HOST)
    if len(labels) == 1 or labels[-1] in _SPECIAL:
        raise FetchRefused(Reason.HOST_NAME)
    return ascii_name


def displayed_host(host: str) -> str:
    """Return a host for people: Unicode only where it cannot pass for another name."""
    labels = [_displayed_label(label) for label in host.split(".")]
    safe = all(label is not None for label in labels)
    return ".".join(label or "" for label in labels) if safe else host


def _mapped(host: str) -> str:
    if host.isascii():
        return host.lower()
    try:
        return idna.uts46_remap(host, std3_rules=False, transitional=False)
    except idna.IDNAError:
        raise FetchRefused(Reason.HOST) from None


def _canonical_label(label: str) -> str:
    if label.isascii() and not label.startswith("xn--"):
        if not _LABEL.fullmatch(label):
            raise FetchRefused(Reason.HOST)
        return label
    try:
        encoded = idna.alabel(idna.ulabel(label)).decode("ascii")
    except (idna.IDNAError, UnicodeError):
        raise FetchRefused(Reason.HOST) from None
    if label.isascii() and encoded != label:
        raise FetchRefused(Reason.HOST)
    return encoded


def _canonical_ipv4(host: str, policy: Policy) -> str:
    try:
        address = IPv4Address(host)
    except AddressValueError:
        raise FetchRefused(Reason.IP_FORM) from None
    if str(address) != host:
        raise FetchRefused(Reason.IP_FORM)
    check_address(address, policy)
    return host


def _canonical_ipv6(host: str, policy: Policy) -> str:
    if not host.endswith("]") or "%" in host:
        raise FetchRefused(Reason.HOST)
    try:
        address = IPv6Address(host[1:-1])
    except AddressValueError:
        raise FetchRefused(Reason.HOST) from None
    check_address(address, policy)
    return f"[{address.compressed}]"


def _displayed_label(label: str) -> str | None:
    if not label.startswith("xn--"):
        return label
    shown = idna.ulabel(label)
    letters = [char for char in shown if char.isalpha()]
    if all(_is_plain_latin(char) for char in letters):
        return shown
    if _LOOKALIKES.issuperset(letters):
        return None
    found = {unicodedata.name(char, "?").split()[0] for char in letters}
    return shown if any(found <= scripts for scripts in _SCRIPTS) else None


def _is_plain_latin(char: str) -> bool:
    base = unicodedata.normalize("NFD", char)[0]
    return base.isascii() or base in "ßæœøþðđł"
