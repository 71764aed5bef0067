"""Which addresses a search may name: public ones, by the guard's own rules."""

import re
from dataclasses import dataclass

from chat.web.guard import FetchRefused, Policy, check_url

# What stands before a port; the guard reads the whole again, strictly.
_PORT = re.compile(r"https?://[^/?#]*?:([1-9][0-9]{0,4})(?=[/?#]|\Z)", re.IGNORECASE)
_SCHEME = re.compile(r"(https?)(?=://)", re.IGNORECASE)
_DEFAULT_PORTS = {"http": 80, "https": 443}
_LAST_PORT = 65_535


@dataclass(frozen=True, slots=True)
class PublicUrl:
    """An address in its one ASCII form, without a fragment.

    ``path`` begins with a slash and has no query. ``key`` is the same for two
    addresses of one page: without scheme, fragment and slash at the end.
    """

    url: str
    host: str
    path: str
    key: str


def public_url(url: str) -> PublicUrl | None:
    """Read an address; None unless it is http(s), public and without credentials.

    Names are not looked up: what they lead to is judged when they are fetched. A page
    on plain http is named though it is not fetched.
    """
    scheme = _SCHEME.match(url)
    if scheme is None:
        return None
    kind = scheme[1].lower()
    port = _port(url) or _DEFAULT_PORTS[kind]
    if port > _LAST_PORT:
        return None
    secure = "https" + url[scheme.end() :]
    try:
        checked = check_url(secure, Policy(ports=frozenset((port, 443))))
    except FetchRefused:
        return None
    host = checked.authority.removesuffix(f":{port}")
    shown_port = "" if port == _DEFAULT_PORTS[kind] else f":{port}"
    path = checked.target.partition("?")[0]
    return PublicUrl(
        url=f"{kind}://{host}{shown_port}{checked.target}",
        host=checked.host,
        path=path,
        key=host + shown_port + _without_last_slash(checked.target),
    )


def _port(url: str) -> int | None:
    found = _PORT.match(url)
    return int(found[1]) if found else None


def _without_last_slash(target: str) -> str:
    path, mark, query = target.partition("?")
    return path.rstrip("/") + mark + query
