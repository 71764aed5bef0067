"""Credentials are checked when a backend is made, not when it is first asked."""

from chat.web.search.errors import SearchMisconfigured


def required(value: str, variable: str) -> str:
    """Return the credential; SearchMisconfigured names the variable without it."""
    credential = value.strip()
    if not credential:
        raise SearchMisconfigured(f"{variable} is not set.")
    if not credential.isascii() or not credential.isprintable() or " " in credential:
        msg = f"{variable} holds a character that no such value has."
        raise SearchMisconfigured(msg)
    return credential
