"""What may be fetched and how much; nothing here can open a private address."""

from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network


@dataclass(frozen=True, slots=True)
class Policy:
    """What a caller may fetch.

    ``ports`` are the ports of https that may be used; ``read_pdf`` admits PDF beside
    text; ``deny`` are networks refused beside those that are never public, such as the
    operator's own.
    """

    ports: frozenset[int] = frozenset((443,))
    read_pdf: bool = False
    deny: tuple[IPv4Network | IPv6Network, ...] = ()


RESEARCH_POLICY = Policy(read_pdf=True)


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """Caps of one fetch, over all its hops where a time, of each hop where bytes.

    ``max_body_bytes`` counts decoded bytes, ``max_wire_bytes`` decrypted bytes of
    a hop, ``max_head_bytes`` those before its headers end.
    """

    deadline_s: float = 20.0
    dial_s: float = 8.0
    max_redirects: int = 5
    max_body_bytes: int = 2 * 1024 * 1024
    max_wire_bytes: int = 4 * 1024 * 1024
    max_head_bytes: int = 128 * 1024
