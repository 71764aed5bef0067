"""Where an endpoint is and how one is let in, checked when a model is made."""

from urllib.parse import urlsplit

from chat.engine import ConfigurationError

CHAT = "/chat/completions"


def endpoint_url(base_url: str | None) -> str:
    """Return the address that chats are posted to; ConfigurationError if it is none."""
    if not base_url:
        msg = "This preset has no address of its own; set base_url."
        raise ConfigurationError(msg)
    try:
        parts = urlsplit(base_url.strip())
        sound = parts.scheme in ("http", "https") and bool(parts.hostname)
        sound = sound and (parts.port is None or parts.port > 0)
    except ValueError:
        sound = False
    if not sound:
        msg = f"base_url must be an http or https address, not {base_url[:100]!r}."
        raise ConfigurationError(msg)
    if parts.username or parts.password or parts.query or parts.fragment:
        msg = "base_url must hold no password, no query and no fragment."
        raise ConfigurationError(msg)
    path = parts.path.rstrip("/").removesuffix(CHAT)
    return parts._replace(path=path + CHAT).geturl()


def checked_key(api_key: str | None) -> str:
    """Return the key without the space around it; a header must be able to hold it."""
    key = (api_key or "").strip()
    if not key.isascii() or not key.isprintable() or " " in key:
        msg = "api_key holds a character that no key has."
        raise ConfigurationError(msg)
    return key
