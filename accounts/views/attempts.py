"""How often somebody may try a password: counts per person and place, and per person.

They are kept in the default cache. Unless that is a shared one, each process counts
for itself, so that N web processes allow N times as many.
"""

import contextlib
from dataclasses import dataclass
from hashlib import sha256

from django.core.cache import cache
from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

MOST_FROM_ONE_PLACE = 5
# Far higher: whoever reaches it keeps the person out, from every place.
MOST_FROM_ALL_PLACES = 50
WAIT_S = 15 * 60


@dataclass(frozen=True)
class Attempts:
    """The tries at one email address from one network address."""

    email: str
    place: str

    def begin(self) -> bool:
        """Counts one more try, before the password is looked at; False: too many.

        A try that one place has too many of does not count against the others.
        """
        if _count(self._here) > MOST_FROM_ONE_PLACE:
            return False
        return _count(self._everywhere) <= MOST_FROM_ALL_PLACES

    def succeed(self) -> None:
        """Forgets the tries from here; those of others stay."""
        cache.delete(self._here)
        with contextlib.suppress(ValueError):  # its time ran out meanwhile
            cache.decr(self._everywhere)

    @property
    def _here(self) -> str:
        return _key(f"{self.place} {self.email}")

    @property
    def _everywhere(self) -> str:
        return _key(self.email)


def place_of(request: HttpRequest) -> str:
    """The sender's network address, the proxy's word for it where there is a proxy."""
    return BaseThrottle().get_ident(Request(request)) or ""


def _count(key: str) -> int:
    """The tries so far with this one; the first starts the 15 minutes."""
    cache.add(key, 0, WAIT_S)
    try:
        return cache.incr(key)
    except ValueError:  # its time ran out between the two calls
        return 1


def _key(text: str) -> str:
    return f"sign-in:{sha256(text.encode()).hexdigest()}"
