"""What may be fetched and how much."""

from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network

Network = IPv4Network | IPv6Network

NAT64_LENGTHS = frozenset((32, 40, 48, 56, 64, 96))


@dataclass(frozen=True, slots=True)
class Policy:
    """What a caller may fetch.

    ``ports`` are the ports of https that may be used; ``read_pdf`` admits PDF beside
    text. ``any_status`` gives back every final answer, for callers that read the errors
    of an API; what they get is no evidence.

    The networks are the operator's word: ``deny`` are refused beside those that are
    never public; ``allow`` are fetched from though they are not public, and nothing
    else loosens that rule; ``nat64`` are prefixes through which this network reaches
    IPv4 (RFC 6052), so that the IPv4 address inside is judged. ``deny`` wins.
    Raises ValueError for a prefix of a length that RFC 6052 does not know.
    """

    ports: frozenset[int] = frozenset((443,))
    read_pdf: bool = False
    any_status: bool = False
    deny: tuple[Network, ...] = ()
    allow: tuple[Network, ...] = ()
    nat64: tuple[IPv6Network, ...] = ()

    def __post_init__(self) -> None:
        for prefix in self.nat64:
            if prefix.prefixlen not in NAT64_LENGTHS:
                raise ValueError(f"{prefix} is no NAT64 prefix: its length is wrong.")


RESEARCH_POLICY = Policy(read_pdf=True)


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """Caps of one fetch, over all its hops where a time, of each hop where bytes.

    ``deadline_s`` is for everything together, ``dial_s`` for one address.
    ``max_body_bytes`` counts decoded bytes, ``max_wire_bytes`` decrypted bytes of
    a hop, ``max_head_bytes`` those before its headers end.
    """

    deadline_s: float = 20.0
    dial_s: float = 8.0
    max_redirects: int = 5
    max_body_bytes: int = 2 * 1024 * 1024
    max_wire_bytes: int = 4 * 1024 * 1024
    max_head_bytes: int = 128 * 1024
