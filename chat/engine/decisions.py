"""What a run decided about itself, in figures: children, coverage, critic, handoff.

Everything here is part of a RunReport; no run fills it yet. Names of resources and ids
of children are the only free words in it, and redaction replaces them.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from chat.engine.model import ErrorKind
from chat.engine.stops import Status, StopReason


@dataclass(frozen=True, slots=True)
class ChildReport:
    """One child run. window, reserve: tokens; window None is unbounded.

    error: why the model failed it, where that was the reason. tool_cap, tool_calls:
    calls of business tools that it might and did make. resources: what it was given.
    touched: what it read. auxiliary: it gathered or followed up, on limits of its own.
    """

    id: str
    status: Status
    stop: StopReason
    error: ErrorKind | None = None
    window: int | None = None
    reserve: int = 0
    tool_cap: int = 0
    tool_calls: int = 0
    resources: tuple[str, ...] = ()
    touched: tuple[str, ...] = ()
    auxiliary: bool = False


@dataclass(frozen=True, slots=True)
class Coverage:
    """What became of the task's resources, by name.

    touched: read by a call that succeeded. unprocessed: not read. acknowledged: not
    read, and the answer says so. followup: those not read were asked for once more.
    blocked: the answer was held back because something was not read.
    """

    resources: tuple[str, ...] = ()
    touched: tuple[str, ...] = ()
    unprocessed: tuple[str, ...] = ()
    acknowledged: tuple[str, ...] = ()
    followup: bool = False
    blocked: bool = False


class Complexity(StrEnum):
    """Whether a task is split among children."""

    SIMPLE = "simple"
    COMPLEX = "complex"


class Downgrade(StrEnum):
    """Why a task that was to be split was not."""

    GATE_FAILED = "gate_failed"
    TOO_FEW_PARTS = "too_few_parts"
    TOO_MANY_PARTS = "too_many_parts"
    PART_WITHOUT_RESOURCE = "part_without_resource"
    RESOURCE_WITHOUT_PART = "resource_without_part"
    RESOURCE_SHARED = "resource_shared"
    NO_ROOM = "no_room"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Gates:
    """The four conditions for splitting a task; None was not judged.

    several: there are two parts at least. independent: none needs another's result.
    mergeable: their results can be put together without loss. separable: each has
    sources of its own, and the sources are not one record.
    """

    several: bool | None = None
    independent: bool | None = None
    mergeable: bool | None = None
    separable: bool | None = None


@dataclass(frozen=True, slots=True)
class Classification:
    """How the task was judged. parts: how many were proposed."""

    verdict: Complexity
    gates: Gates = field(default_factory=Gates)
    parts: int = 0
    downgrade: Downgrade | None = None


class GatherSkip(StrEnum):
    """Why nothing was gathered before the task was split."""

    NO_RESOURCES = "no_resources"
    NO_IDEMPOTENT_TOOL = "no_idempotent_tool"
    NO_BUDGET = "no_budget"
    NO_TIME = "no_time"


@dataclass(frozen=True, slots=True)
class GatherFirst:
    """Whether the resources were to be read first, and were."""

    asked: bool = False
    ran: bool = False
    skipped: GatherSkip | None = None


@dataclass(frozen=True, slots=True)
class Handoff:
    """What the synthesis was given of the children's findings.

    findings, truncated: how many there were, and were cut. chars_cut: characters that
    the synthesis did not see.
    """

    findings: int = 0
    truncated: int = 0
    chars_cut: int = 0


@dataclass(frozen=True, slots=True)
class CriticTally:
    """What the critic said, in numbers of verdicts.

    partial_views: of those, made on less than the evidence. downgraded: failures on a
    partial view that were taken as uncertain. escalations: times it was asked again
    with more effort.
    """

    passed: int = 0
    failed: int = 0
    uncertain: int = 0
    partial_views: int = 0
    downgraded: int = 0
    escalations: int = 0


@dataclass(frozen=True, slots=True)
class Decisions:
    """All of it; classification None where the task was not judged."""

    classification: Classification | None = None
    gather_first: GatherFirst = field(default_factory=GatherFirst)
    handoff: Handoff = field(default_factory=Handoff)
    critic: CriticTally = field(default_factory=CriticTally)
