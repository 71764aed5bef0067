"""What a fetch gives back."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from chat.web.guard.charset import Charset


@dataclass(frozen=True, slots=True)
class Hop:
    """One request of a fetch: what was asked, which address answered, and how.

    ``duration_s`` runs from before the lookup to the end of what was read.
    """

    url: str
    status: int
    address: str
    started_at: datetime
    duration_s: float


@dataclass(frozen=True, slots=True)
class Page:
    """A fetched body and how it was come by.

    ``body`` is unpacked and at most the limit long. ``charset`` is the label declared
    in the headers; ``decided_charset`` the first declaration that is known, of all
    there are, None where the reading has to go by the bytes alone. ``headers`` are
    those of the last hop, in lower case, cookies left out. ``peer`` is the address that
    was checked and dialled; ``sha256`` is the body's, in hexadecimal.

    Flags: ``body_truncated`` says that a cap ended the body; ``sniffed`` that its type
    was not declared; ``length_unknown`` that the server gave no length and closed the
    connection without the farewell of TLS, so that somebody may have cut it.
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
    length_unknown: bool = False
    decided_charset: Charset | None = None
