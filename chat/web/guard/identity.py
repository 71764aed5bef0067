"""Who asks: the name that every server is told, and where its owner is reached."""

import re

PRODUCT = "Weighhouse"
VERSION = "0.1"

_HTTPS = re.compile(r"https://[!-~]{1,200}")
_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,190}")
# In a User-Agent these would end the comment that the contact stands in.
_COMMENT_MARKS = frozenset("()\\")


def user_agent(contact: str = "") -> str:
    """Return the User-Agent: product, version and, where known, a contact.

    ``contact`` is an https address or a mail address; ValueError for anything else.
    """
    name = f"{PRODUCT}/{VERSION}"
    if not contact:
        return name
    is_clean = not _COMMENT_MARKS & set(contact)
    if is_clean and _HTTPS.fullmatch(contact):
        return f"{name} (+{contact})"
    if is_clean and _ADDRESS.fullmatch(contact):
        return f"{name} (+mailto:{contact})"
    raise ValueError("A contact is an https address or a mail address.")
