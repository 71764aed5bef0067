"""How long a server asks to be left alone."""

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from time import time
from typing import Any

from chat.providers.openai_compatible.parts import an_object


def seconds_to_wait(
    headers: Mapping[str, str], error: Mapping[str, Any]
) -> float | None:
    """Read the headers, then those that OpenRouter passes on in the error's metadata.

    retry-after is in seconds or a date, X-RateLimit-Reset a time in milliseconds.
    """
    passed = an_object(an_object(error.get("metadata")).get("headers"))
    passed = {str(name).lower(): str(value) for name, value in passed.items()}
    lowered = {name.lower(): value for name, value in headers.items()}
    for each in (lowered, passed):
        wait = _milliseconds(each.get("retry-after-ms"))
        if wait is None:
            wait = _retry_after(each.get("retry-after"))
        if wait is not None:
            return wait
    reset = _milliseconds(passed.get("x-ratelimit-reset"))
    return None if reset is None else max(0.0, reset - time())


def _retry_after(value: str | None) -> float | None:
    if value is None:
        return None
    seconds = _number(value)
    if seconds is not None:
        return seconds
    try:
        until = parsedate_to_datetime(value)
    except (ValueError, TypeError):
        return None
    if until.tzinfo is None:
        until = until.replace(tzinfo=UTC)
    return max(0.0, (until - datetime.now(UTC)).total_seconds())


def _milliseconds(value: str | None) -> float | None:
    number = None if value is None else _number(value)
    return None if number is None else number / 1000


def _number(value: str) -> float | None:
    try:
        number = float(value)
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None
