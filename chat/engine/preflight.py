"""Whether there is room to work, before the first call."""

import logging
from dataclasses import dataclass, replace

from chat.engine.budget import Budget
from chat.engine.limits import Limits

_UNFIT = (
    "Only %d tokens of the window are free, and autonomous mode needs %d: "
    "the run goes on in standard mode."
)
_MARGINAL = (
    "Only %d tokens of the window are free: few for %s mode, which should have %d."
)
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Preflight:
    """fitness: fit, marginal, unfit or skipped. action: none, warned or downgraded.

    mode: what the run goes on as. working: tokens left for the work itself, None where
    the window is unbounded.
    """

    fitness: str = "skipped"
    action: str = "none"
    mode: str = "standard"
    working: int | None = None


def check_fitness(limits: Limits, budget: Budget, head: int) -> Preflight:
    """Say whether the window leaves room for a run of this mode; warn if not.

    head: tokens of the task itself. An autonomous run without room is downgraded to a
    standard one. Direct mode and an unbounded window are not judged.
    """
    mode, working = limits.mode, _working(budget, head)
    if working is None or mode == "direct":
        return Preflight(mode=mode, working=working)
    floors = limits.preflight
    if mode == "autonomous" and working < floors.unfit:
        _log.warning(_UNFIT, working, floors.unfit)
        return Preflight("unfit", "downgraded", "standard", working)
    floor = floors.marginal if mode == "autonomous" else floors.standard
    if working < floor:
        _log.warning(_MARGINAL, working, mode, floor)
        return Preflight("marginal", "warned", mode, working)
    return Preflight("fit", "none", mode, working)


def effective_limits(limits: Limits, preflight: Preflight) -> Limits:
    """Return the limits that hold after preflight.

    A downgraded run has the caps of standard mode, but for those that were set.
    """
    if preflight.action != "downgraded":
        return limits
    return replace(limits, mode="standard")


def _working(budget: Budget, head: int) -> int | None:
    limit = budget.prompt_limit
    return (
        None if limit is None else max(0, limit - budget.system - budget.tools - head)
    )
