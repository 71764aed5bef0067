"""What a collector brings back: lookups with their facts, and documents to read."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Outcome(StrEnum):
    """The three answers of a lookup; `unknown` always has a reason."""

    FOUND = "found"
    ABSENT = "absent"
    UNKNOWN = "unknown"


class Tier(StrEnum):
    """Who says so: the publisher, or what was seen in the files themselves."""

    DECLARED = "declared"
    OBSERVED = "observed"


@dataclass(frozen=True, slots=True)
class FactResult:
    """One fact; `value` is text, a number, a truth value or a list of texts."""

    name: str
    value: Any
    tier: Tier
    uri: str


@dataclass(frozen=True, slots=True)
class LookupResult:
    """One source that was consulted, and the facts it gave."""

    source: str
    uri: str
    outcome: Outcome
    reason: str = ""
    latency_ms: int = 0
    facts: tuple[FactResult, ...] = ()


@dataclass(frozen=True, slots=True)
class RawDocument:
    """One file as it was found: its bytes, under a URI that names the version."""

    uri: str
    title: str
    media_type: str
    body: bytes


@dataclass(frozen=True, slots=True)
class Collected:
    """All that the collectors know of a subject; `version` pins the dossier."""

    version: str | None = None
    lookups: tuple[LookupResult, ...] = field(default=())
    documents: tuple[RawDocument, ...] = field(default=())
