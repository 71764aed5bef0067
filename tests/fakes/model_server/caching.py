"""The prompt cache: what a request reads from it, writes to it and pays in full.

A breakpoint finds what was cached up to it or up to twenty blocks before it, and writes
all that it did not find, if the prompt up to it is long enough for the model. An entry
lives for five minutes or an hour after it was last read. Tools come before the system
prompt, that before the messages; a change undoes all that comes after it. The choice of
tool and the way of thinking stand between system and messages.
"""

import hashlib
import json
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from tests.fakes.model_server.tokens import count_text
from tests.fakes.model_server.values import Json

LOOK_BACK = 20
LIFETIMES = {"5m": timedelta(minutes=5), "1h": timedelta(hours=1)}


@dataclass(frozen=True, slots=True)
class Place:
    """The prompt up to the end of one block; `ttl` where a breakpoint stands there."""

    digest: str
    tokens: int
    ttl: str | None


@dataclass
class Cache:
    """Entries by digest: how long they live, and until when."""

    entries: dict[str, tuple[str, datetime]] = field(default_factory=dict)

    def account(self, body: Json, minimum: int, now: datetime) -> Json:
        """The input side of a usage, in tokens; what it wrote is in the cache now."""
        places = read_places(body)
        marks = [n for n, place in enumerate(places) if place.ttl]
        found = max((self._found(places, n, now) for n in marks), default=0)
        written = {"5m": 0, "1h": 0}
        reached = found
        for n in marks:
            place = places[n]
            if place.tokens >= minimum:
                self._keep(place, now)
                written[place.ttl or "5m"] += max(0, place.tokens - reached)
                reached = max(reached, place.tokens)
        total = places[-1].tokens if places else 0
        return _usage(total - reached, found, written)

    def _found(self, places: list[Place], mark: int, now: datetime) -> int:
        for place in reversed(places[max(0, mark - LOOK_BACK) : mark + 1]):
            ttl, until = self.entries.get(place.digest, ("", now))
            if until > now:
                self.entries[place.digest] = (ttl, now + LIFETIMES[ttl])
                return place.tokens
        return 0

    def _keep(self, place: Place, now: datetime) -> None:
        ttl = place.ttl or "5m"
        self.entries[place.digest] = (ttl, now + LIFETIMES[ttl])


def _usage(fresh: int, read: int, written: dict[str, int]) -> Json:
    return {
        "input_tokens": fresh,
        "cache_creation_input_tokens": sum(written.values()),
        "cache_read_input_tokens": read,
        "cache_creation": {
            "ephemeral_5m_input_tokens": written["5m"],
            "ephemeral_1h_input_tokens": written["1h"],
        },
    }


def read_places(body: Json) -> list[Place]:
    """The ends of all blocks in the order in which the prompt is read."""
    parts = [
        body.get("model"),
        *_listed(body.get("tools")),
        *_listed(body.get("system")),
    ]
    settings = [body.get("tool_choice"), body.get("thinking")]
    blocks = [
        {"role": message.get("role"), "block": block}
        for message in body.get("messages", [])
        for block in _listed(message.get("content"))
    ]
    places: list[Place] = []
    so_far, tokens = hashlib.sha256(), 0
    for n, part in enumerate([*parts, settings, *blocks]):
        text = json.dumps(_bare(part), sort_keys=True, ensure_ascii=False)
        so_far.update(text.encode())
        tokens += 0 if n == 0 or part is settings else count_text(text)
        places.append(Place(so_far.hexdigest(), tokens, _ttl(part)))
    if body.get("cache_control") and places:
        last = places[-1]
        ttl = body["cache_control"].get("ttl", "5m")
        places[-1] = Place(last.digest, last.tokens, last.ttl or ttl)
    return places


def _listed(part: Json) -> list[Json]:
    if isinstance(part, str):
        return [{"type": "text", "text": part}]
    return part if isinstance(part, list) else []


def _bare(part: Json) -> Json:
    if isinstance(part, dict):
        return {k: _bare(v) for k, v in part.items() if k != "cache_control"}
    return [_bare(item) for item in part] if isinstance(part, list) else part


def _ttl(part: Json) -> str | None:
    if isinstance(part, dict):
        block = part.get("block", part)
        inside = block.get("content") if isinstance(block, dict) else None
        marks = [block, *(inside if isinstance(inside, list) else [])]
        for mark in marks:
            if isinstance(mark, dict) and mark.get("cache_control"):
                return str(mark["cache_control"].get("ttl", "5m"))
    return None
