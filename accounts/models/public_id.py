"""Opaque ids that say what they name: `run_01k...`; the only ids shown outside."""

import secrets
import time
from typing import TYPE_CHECKING, Any

from django.db import models

if TYPE_CHECKING:  # the stubs' class is generic, Django's own is not
    _CharField = models.CharField[str, str]
else:
    _CharField = models.CharField

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's base 32, without i l o u


def make_public_id(prefix: str) -> str:
    """`prefix_` and 26 characters: 48 bits of milliseconds, then 82 random bits."""
    number = (time.time_ns() // 1_000_000 << 82) | secrets.randbits(82)
    digits = [ALPHABET[number >> shift & 31] for shift in range(125, -1, -5)]
    return f"{prefix}_{''.join(digits)}"


class PublicIdField(_CharField):
    """Made at creation, unique, never edited; sorts by time of creation."""

    def __init__(self, prefix: str = "", **kwargs: Any) -> None:
        self.prefix = prefix
        kwargs.update(max_length=40, unique=True, editable=False)
        super().__init__(**kwargs)

    def deconstruct(self) -> Any:
        name, path, args, kwargs = super().deconstruct()
        for derived in ("max_length", "unique", "editable"):
            kwargs.pop(derived, None)
        return name, path, args, {**kwargs, "prefix": self.prefix}

    def get_default(self) -> str:
        return make_public_id(self.prefix)

    def has_default(self) -> bool:
        return True
