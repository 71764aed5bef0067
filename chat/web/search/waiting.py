"""How long a backend says to wait before it is asked again."""

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_LONGEST_S = 31 * 86_400.0


def seconds_to_wait(headers: Mapping[str, str]) -> float | None:
    """Read Retry-After, seconds or a date, or X-RateLimit-Reset; None without one.

    Names of headers are in lower case. Of several windows the first one is meant, which
    is the shortest: ``X-RateLimit-Reset: 1, 1419704`` (api-dashboard.search.brave.com,
    guide to rate limiting).
    """
    told = headers.get("retry-after", "")
    if told:
        return _seconds(told) if _is_number(told) else _until(told)
    reset = headers.get("x-ratelimit-reset", "").partition(",")[0].strip()
    # Others put a moment there, which would be decades.
    seconds = _seconds(reset) if _is_number(reset) else None
    return seconds if seconds is not None and seconds < _LONGEST_S else None


def _is_number(text: str) -> bool:
    return text.isascii() and text.replace(".", "", 1).isdigit()


def _seconds(text: str) -> float | None:
    seconds = float(text)
    return min(seconds, _LONGEST_S) if math.isfinite(seconds) else _LONGEST_S


def _until(date: str) -> float | None:
    try:
        moment = parsedate_to_datetime(date)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    seconds = (moment - datetime.now(UTC)).total_seconds()
    return min(max(0.0, seconds), _LONGEST_S)
