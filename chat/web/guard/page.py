"""What a fetch gives back."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Hop:
    """One request of a fetch: what was asked, which address answered, and how."""

    url: str
    status: int
    address: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Page:
    """A fetched body and how it was come by.

    ``body`` is decoded and at most the limit long; ``charset`` is the one declared in
    the headers. ``headers`` are those of the last hop, in lower case, cookies left
    out. ``sniffed`` says that the type was not declared. ``peer`` is the address that
    was checked and dialled; ``sha256`` is the body's, in hexadecimal.
    """

    url: str
    final_url: str
    status: int
    media_type: str
    charset: str | None
    headers: Mapping[str, str]
    body: bytes
    hops: tuple[Hop, ...]
    body_truncated: bool
    sniffed: bool
    peer: str
    fetched_at: datetime
    sha256: str
