"""Which domains results may come from; only a constructor can say so, no model."""

import functools
import posixpath
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from publicsuffixlist import PublicSuffixList

from chat.web.guard import FetchRefused, check_url
from chat.web.search.errors import SearchMisconfigured
from chat.web.search.public_urls import PublicUrl


def registrable_domain(host: str) -> str | None:
    """The part of a host that somebody registered, such as example.co.uk.

    None for a public suffix itself, such as co.uk or github.io, and for IP addresses.
    Read from the list that the library carries; nothing is fetched.
    """
    is_address = ":" in host or host.rpartition(".")[2].isdigit()
    return None if is_address else _suffixes().privatesuffix(host)


@functools.cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()


class DomainRules:
    """Allowed and blocked places; ``block`` wins, an empty ``allow`` allows all.

    A place is ``example.org`` or ``example.org/path``: the domain with everything
    under it, and the path with everything below it. Raises SearchMisconfigured for
    what is no place, and for an allowed place that is a public suffix: it would allow
    whoever registers a name there.
    """

    def __init__(self, allow: Sequence[str] = (), block: Sequence[str] = ()) -> None:
        if isinstance(allow, str) or isinstance(block, str):
            raise SearchMisconfigured("Domains are a list, not one text.")
        self._allow = tuple(map(_place, allow))
        self._block = tuple(map(_place, block))
        for place in self._allow:
            if place.is_public_suffix:
                msg = f"{place.host} is a public suffix; allow domains under it."
                raise SearchMisconfigured(msg)

    def __bool__(self) -> bool:
        return bool(self._allow or self._block)

    def admits(self, url: PublicUrl) -> bool:
        """Whether a result from there may be shown."""
        path = _plain_path(url.path)
        # Servers that do not tell cases apart must not let a blocked path through.
        if any(place.covers(url.host, path, loosely=True) for place in self._block):
            return False
        return not self._allow or any(
            place.covers(url.host, path) for place in self._allow
        )


@dataclass(frozen=True, slots=True)
class _Place:
    host: str
    path: str

    @property
    def is_public_suffix(self) -> bool:
        is_name = not self.host.rpartition(".")[2].isdigit() and ":" not in self.host
        return is_name and registrable_domain(self.host) is None

    def covers(self, host: str, path: str, *, loosely: bool = False) -> bool:
        if host != self.host and not host.endswith(f".{self.host}"):
            return False
        mine = self.path
        if loosely:
            mine, path = mine.casefold(), path.casefold()
        return mine in ("/", path) or path.startswith(f"{mine}/")


def _place(text: str) -> _Place:
    # A suffix has one label, which the guard would not fetch; it may be blocked.
    host, slash, path = text.partition("/")
    try:
        checked = check_url(f"https://any.{host}{slash}{path}")
    except FetchRefused as refused:
        if (address := _address_place(text)) is not None:
            return address
        msg = f"{text[:100]!r} is no domain such as example.org or example.org/path."
        raise SearchMisconfigured(msg) from refused
    if "?" in checked.target or "#" in text:
        raise SearchMisconfigured(f"{text[:100]!r} has a query; give a path alone.")
    return _Place(checked.host.removeprefix("any."), _plain_path(checked.target))


def _address_place(text: str) -> _Place | None:
    try:
        checked = check_url(f"https://{text}")
    except FetchRefused:
        return None
    return _Place(checked.host, _plain_path(checked.target))


def _plain_path(path: str) -> str:
    """A path as most servers read it, whatever was written in percent and slashes."""
    return posixpath.normpath("/" + unquote(path).lstrip("/"))
