"""Reads the process environment once, typed, and refuses what it does not know.

Only settings.py imports this module. Every name is documented here, so that a
misspelt `WEIGHHOUSE_*` variable stops start-up instead of being ignored.
"""

import os
import re
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_network,
)
from pathlib import Path
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

KNOWN = {
    "WEIGHHOUSE_MODE": "local (default) or production",
    "WEIGHHOUSE_SECRET_KEY": "signs sessions and tasks; made and kept in local mode",
    "WEIGHHOUSE_PUBLIC_URL": "where browsers reach it, such as https://weigh.example.org",
    "WEIGHHOUSE_DATA_DIR": "database, snapshots and the local secret key; ./data",
    "WEIGHHOUSE_WORKERS": "worker processes a host, 1 to 64; 2",
    "WEIGHHOUSE_RUN_DEADLINE_S": "seconds a run may take in a worker, 10-86400; 1800",
    "WEIGHHOUSE_ENDPOINT_KEY": "bearer token for the endpoints of operators' models",
    "WEIGHHOUSE_FETCH_ALLOW_NETWORKS": "private networks that pages may be read from",
    "WEIGHHOUSE_CONTACT": "https or mail address that the sites we read are told",
    "WEIGHHOUSE_LOG_LEVEL": "DEBUG, INFO (default), WARNING or ERROR",
    "WEIGHHOUSE_REQUIRE_SERVICES": "tests: 1 turns a missing service into a failure",
    "WEIGHHOUSE_LIVE": "tests: 1 selects the tests that reach paid services",
}
# What a search backend is let in with, or where it is.
SEARCH_VARIABLES = (
    "BRAVE_API_KEY",
    "GOOGLE_API_KEY",
    "GOOGLE_SEARCH_ENGINE_ID",
    "SEARXNG_URL",
    "SERPER_API_KEY",
    "TAVILY_API_KEY",
)
SECRETS = frozenset(
    {"WEIGHHOUSE_SECRET_KEY", "DATABASE_URL", "REDIS_URL"}
    | {"ANTHROPIC_API_KEY", "OPENROUTER_API_KEY", "WEIGHHOUSE_ENDPOINT_KEY"}
).union(SEARCH_VARIABLES)
LOG_LEVELS = frozenset({"DEBUG", "INFO", "WARNING", "ERROR"})
LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
DATABASES = frozenset({"sqlite", "postgres", "postgresql"})
QUEUES = frozenset({"redis", "rediss", "unix"})
DEFAULT_PORTS = {"http": 80, "https": 443}

# Scheme, host and port; a user, a path, a query or a pattern such as * is none of it.
_ADDRESS = re.compile(
    r"(https?)://(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::([0-9]{1,5}))?/?", re.I | re.A
)
# What may stand in a User-Agent's comment; the guard reads it by the same rule.
_CONTACT = re.compile(
    r"https://[\w.:/?#&=%~+,;@-]{1,200}|[\w.+-]{1,64}@[A-Za-z0-9.-]{1,190}", re.A
)
_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")


@dataclass(frozen=True)
class Environment:
    """What the process was told, checked. Its repr shows no secret."""

    production: bool
    secret_key: str = field(repr=False)
    public_url: str
    data_dir: Path
    workers: int
    run_deadline_s: int
    fetch_allow_networks: tuple[IPv4Network | IPv6Network, ...]
    contact: str
    log_level: str
    database_url: str = field(repr=False)
    redis_url: str = field(repr=False)
    anthropic_api_key: str = field(repr=False)
    openrouter_api_key: str = field(repr=False)
    endpoint_key: str = field(repr=False)
    search: Mapping[str, str] = field(repr=False)

    @property
    def public_host(self) -> str:
        """As it stands in a Host header: IPv6 addresses are in brackets."""
        host = urlsplit(self.public_url).hostname or ""
        return f"[{host}]" if ":" in host else host

    @property
    def https(self) -> bool:
        return self.public_url.startswith("https://")


def read_environment(values: Mapping[str, str], base_dir: Path) -> Environment:
    """Raises ImproperlyConfigured with one sentence that names the variable."""
    _refuse_unknown(values)
    production = _choice(values, "WEIGHHOUSE_MODE", "local", {"local", "production"})
    data_dir = _data_dir(values, base_dir)
    return Environment(
        production=production == "production",
        secret_key=_secret_key(values, data_dir, production=production == "production"),
        public_url=_public_url(values, production=production == "production"),
        data_dir=data_dir,
        workers=_whole(values, "WEIGHHOUSE_WORKERS", 2, 1, 64),
        run_deadline_s=_whole(values, "WEIGHHOUSE_RUN_DEADLINE_S", 1800, 10, 86_400),
        fetch_allow_networks=_networks(values, "WEIGHHOUSE_FETCH_ALLOW_NETWORKS"),
        contact=_contact(values),
        log_level=_choice(values, "WEIGHHOUSE_LOG_LEVEL", "INFO", LOG_LEVELS),
        database_url=_address(values, "DATABASE_URL", DATABASES),
        redis_url=_address(values, "REDIS_URL", QUEUES),
        anthropic_api_key=_secret(values, "ANTHROPIC_API_KEY"),
        openrouter_api_key=_secret(values, "OPENROUTER_API_KEY"),
        endpoint_key=_secret(values, "WEIGHHOUSE_ENDPOINT_KEY"),
        search={name: _secret(values, name) for name in SEARCH_VARIABLES},
    )


def _refuse_unknown(values: Mapping[str, str]) -> None:
    files = {f"{name}_FILE" for name in SECRETS}
    for name in sorted(values):
        if name.startswith("WEIGHHOUSE_") and name not in KNOWN and name not in files:
            message = f"{name} is no setting of ours; see research/environment.py."
            raise ImproperlyConfigured(message)


def _secret(values: Mapping[str, str], name: str) -> str:
    """The variable's own value, or the content of the file that NAME_FILE names."""
    path = values.get(f"{name}_FILE")
    if path is None:
        return values.get(name, "")
    if values.get(name):
        message = f"{name} and {name}_FILE are both set; keep one."
        raise ImproperlyConfigured(message)
    try:
        text = Path(path).read_text().strip() if path else ""
    except (OSError, UnicodeDecodeError) as error:
        message = f"{name}_FILE names a file that cannot be read: {error}."
        raise ImproperlyConfigured(message) from error
    if not text:
        # Taken as "not set", a lost secret would quietly mean SQLite or no queue.
        message = f"{name}_FILE must name a file that is not empty."
        raise ImproperlyConfigured(message)
    return text


def _address(values: Mapping[str, str], name: str, schemes: Collection[str]) -> str:
    """A secret that starts with one of the schemes and ://, or nothing."""
    address = _secret(values, name)
    scheme, found, _ = address.partition("://")
    if address and not (found and scheme in schemes):
        message = f"{name} must start with {', '.join(sorted(schemes))}, then ://."
        raise ImproperlyConfigured(message)
    return address


def _secret_key(values: Mapping[str, str], data_dir: Path, *, production: bool) -> str:
    given = _secret(values, "WEIGHHOUSE_SECRET_KEY")
    if production and (len(given) < 40 or len(set(given)) < 10):
        message = (
            "WEIGHHOUSE_SECRET_KEY must be set to at least 40 characters, 10 of them"
            " different, in production."
        )
        raise ImproperlyConfigured(message)
    return given or _kept_secret_key(data_dir)


def _kept_secret_key(data_dir: Path) -> str:
    """Made once and kept: web and worker must sign alike, or tasks are lost."""
    path = data_dir / "secret_key"
    try:
        if not path.exists():
            _write_new(path, secrets.token_urlsafe(48))
        return path.read_text().strip()
    except OSError as error:
        raise _unwritable(error) from error


def _data_dir(values: Mapping[str, str], base_dir: Path) -> Path:
    path = Path(values.get("WEIGHHOUSE_DATA_DIR") or base_dir / "data").absolute()
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise _unwritable(error) from error
    return path


def _unwritable(error: OSError) -> ImproperlyConfigured:
    message = f"WEIGHHOUSE_DATA_DIR must be a folder we can write to: {error}."
    return ImproperlyConfigured(message)


def _write_new(path: Path, text: str) -> None:
    """Whole or not at all, also when two processes start at once."""
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()


def _public_url(values: Mapping[str, str], *, production: bool) -> str:
    """As a browser writes it in an Origin header, which is compared with it."""
    given = values.get("WEIGHHOUSE_PUBLIC_URL", "")
    if production and not given.lower().startswith("https://"):
        message = (
            "WEIGHHOUSE_PUBLIC_URL must be set to an https:// address in production."
        )
        raise ImproperlyConfigured(message)
    try:
        return _origin(given or "http://127.0.0.1:8000")
    except ValueError as error:
        message = (
            "WEIGHHOUSE_PUBLIC_URL must be scheme and host alone, such as"
            " https://weigh.example.org."
        )
        raise ImproperlyConfigured(message) from error


def _origin(url: str) -> str:
    """Lower case, without the scheme's own port. Raises ValueError."""
    match = _ADDRESS.fullmatch(url)
    if not match:
        raise ValueError
    scheme, host = match[1].lower(), _host(match[2].lower())
    port = int(match[3] or DEFAULT_PORTS[scheme])
    if not 1 <= port <= 65_535:
        raise ValueError
    return f"{scheme}://{host}" + ("" if port == DEFAULT_PORTS[scheme] else f":{port}")


def _host(host: str) -> str:
    """A DNS name, an IPv4 address or an IPv6 address in brackets, else ValueError."""
    if host.startswith("["):
        return f"[{IPv6Address(host[1:-1])}]"
    if host.rpartition(".")[2].isdigit():
        return str(IPv4Address(host))
    if len(host) > 253 or not all(map(_LABEL.fullmatch, host.split("."))):
        raise ValueError
    return host


def _choice(
    values: Mapping[str, str],
    name: str,
    default: str,
    allowed: Collection[str],
) -> str:
    value = values.get(name) or default
    if value not in allowed:
        message = f"{name} must be one of {', '.join(sorted(allowed))}, not {value!r}."
        raise ImproperlyConfigured(message)
    return value


def _whole(
    values: Mapping[str, str], name: str, default: int, low: int, high: int
) -> int:
    text = values.get(name) or str(default)
    if not text.isascii() or not text.isdigit() or not low <= int(text) <= high:
        message = f"{name} must be a whole number from {low} to {high}, not {text!r}."
        raise ImproperlyConfigured(message)
    return int(text)


def _contact(values: Mapping[str, str]) -> str:
    contact = values.get("WEIGHHOUSE_CONTACT", "")
    if contact and not _CONTACT.fullmatch(contact):
        message = "WEIGHHOUSE_CONTACT must be an https address or a mail address."
        raise ImproperlyConfigured(message)
    return contact


def _networks(
    values: Mapping[str, str], name: str
) -> tuple[IPv4Network | IPv6Network, ...]:
    """Networks with their prefix lengths, separated by commas."""
    texts = [text.strip() for text in values.get(name, "").split(",") if text.strip()]
    try:
        networks = tuple(ip_network(text) for text in texts)
    except ValueError as error:
        message = f"{name} must be networks such as 10.1.0.0/16,fd00:1::/64: {error}."
        raise ImproperlyConfigured(message) from error
    if any(network.prefixlen == 0 for network in networks):
        message = f"{name} may not hold every address there is."
        raise ImproperlyConfigured(message)
    return networks
