"""Which IP addresses are on the public internet.

The standard library's ``is_global`` alone differs between Python versions and calls
multicast, translation prefixes and a cloud's metadata address global. So IPv4 has a
table of its own, IPv6 is an allow list with holes, and both must be global besides.
"""

from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
)

from chat.web.guard.policy import Policy
from chat.web.guard.refusal import FetchRefused, Reason

_DENIED_V4 = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "168.63.129.16/32",  # a cloud's metadata, in space that is public otherwise
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.31.196.0/24",
        "192.52.193.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "192.175.48.0/24",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
    )
)
_ALLOWED_V6 = IPv6Network("2000::/3")
_DENIED_V6 = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocol assignments, Teredo and ORCHID among them
        "2001:db8::/32",
        "2002::/16",  # 6to4 carries an IPv4 address
        "2620:4f:8000::/48",
        "3ffe::/16",
        "3fff::/20",
    )
)
# ISATAP carries an IPv4 address behind either of these, under any prefix.
_ISATAP = frozenset((0x00005EFE, 0x02005EFE))


def check_address(
    ip: str | IPv4Address | IPv6Address, policy: Policy | None = None
) -> None:
    """Refuse an address that is not public, or that the policy denies."""
    try:
        address = ip_address(ip)
    except ValueError:
        raise FetchRefused(Reason.ADDRESS, f"{ip!r} is no IP address.") from None
    if not _may_be_reached(address, policy or Policy()):
        raise FetchRefused(Reason.ADDRESS, f"{address} is not public.")


def _may_be_reached(address: IPv4Address | IPv6Address, policy: Policy) -> bool:
    if isinstance(address, IPv6Address) and address.scope_id is not None:
        return False
    if any(address in network for network in policy.deny):
        return False
    if any(address in network for network in policy.allow):
        return True
    if isinstance(address, IPv4Address):
        return address.is_global and _is_public_v4(address)
    for prefix in policy.nat64:
        if address in prefix:
            inside = _inside_nat64(address, prefix)
            return inside is not None and _may_be_reached(inside, policy)
    return address.is_global and _is_public_v6(address)


def _is_public_v4(address: IPv4Address) -> bool:
    return not any(address in network for network in _DENIED_V4)


def _is_public_v6(address: IPv6Address) -> bool:
    if address not in _ALLOWED_V6:
        return False
    if any(address in network for network in _DENIED_V6):
        return False
    return (int(address) >> 32) & 0xFFFFFFFF not in _ISATAP


def _inside_nat64(address: IPv6Address, prefix: IPv6Network) -> IPv4Address | None:
    """Return the IPv4 address that follows the prefix; RFC 6052, section 2.2.

    The ninth octet is skipped; it and all that follows the address must be zero.
    """
    start = prefix.prefixlen // 8
    octets = address.packed
    if start < 12:
        if octets[8]:
            return None
        octets = octets[:8] + octets[9:]
        start = min(start, 8)
    if any(octets[start + 4 :]):
        return None
    return IPv4Address(octets[start : start + 4])
