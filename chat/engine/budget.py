"""What fits where, derived from the window."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from chat.engine.limits import Limits, check_window
from chat.engine.model import ModelProfile

FALLBACK_WINDOW = 128_000
USUAL_OUTPUT = 16_384
USUAL_RESERVE = 8_192
SHORT_REPLY = 2_048
MARGIN = 512
SHORTEST_RESERVE, LONGEST_RESERVE = 1_024, 16_384
LONGEST_PROMPT = 120_000
CHARS_PER_TOKEN = 4

_log = logging.getLogger(__name__)


class Role(StrEnum):
    """What a piece of a prompt is for.

    recall_page: one page of the recall tool. schema, errors: of the finalizer's
    instruction, the schema and what the validator said. task_context: the context
    and resources before the objective.
    synthesis_finding: what one child found. synthesis_package: all evidence of a
    synthesis. tool_summary, gap_summary: results and gaps as a refiner reads them.
    refiner_candidate: the answer to be refined. validation_task, validation_result: of
    a review without tools. critic_claimed_answer, critic_evidence: what a critic
    compares. critic_result: one result among its evidence.
    """

    RECALL_PAGE = "recall_page"
    SCHEMA = "schema"
    ERRORS = "errors"
    TASK_CONTEXT = "task_context"
    SYNTHESIS_FINDING = "synthesis_finding"
    SYNTHESIS_PACKAGE = "synthesis_package"
    VALIDATION_RESULT = "validation_result"
    VALIDATION_TASK = "validation_task"
    REFINER_CANDIDATE = "refiner_candidate"
    TOOL_SUMMARY = "tool_summary"
    GAP_SUMMARY = "gap_summary"
    CRITIC_CLAIMED_ANSWER = "critic_claimed_answer"
    CRITIC_EVIDENCE = "critic_evidence"
    CRITIC_RESULT = "critic_result"


class Share(NamedTuple):
    """What a role gets of the prompt.

    overhead: tokens of the prompt that belong to something else. percent: of the rest,
    for all items together. floor, ceiling: characters, of one item.
    """

    overhead: int
    percent: int
    floor: int
    ceiling: int


SHARES: Mapping[Role, Share] = {
    Role.RECALL_PAGE: Share(0, 25, 1_000, 40_000),
    Role.SCHEMA: Share(0, 25, 1_000, 3_000),
    Role.ERRORS: Share(0, 15, 500, 1_500),
    Role.TASK_CONTEXT: Share(2_000, 25, 1_000, 24_000),
    Role.SYNTHESIS_FINDING: Share(4_000, 100, 1_000, 40_000),
    Role.SYNTHESIS_PACKAGE: Share(3_000, 60, 4_000, 120_000),
    Role.VALIDATION_RESULT: Share(1_200, 80, 1_000, 20_000),
    Role.VALIDATION_TASK: Share(1_200, 20, 500, 4_000),
    Role.REFINER_CANDIDATE: Share(24_000, 50, 2_000, 32_000),
    Role.TOOL_SUMMARY: Share(24_000, 25, 1_000, 16_000),
    Role.GAP_SUMMARY: Share(24_000, 10, 500, 4_000),
    Role.CRITIC_CLAIMED_ANSWER: Share(13_000, 50, 2_000, 50_000),
    Role.CRITIC_EVIDENCE: Share(13_000, 50, 2_000, 40_000),
    Role.CRITIC_RESULT: Share(13_000, 100, 500, 50_000),
}


@dataclass(frozen=True, slots=True)
class Budget:
    """Sizes in tokens. window None: unbounded, for a model that is no language model.

    fallback: nobody declared the window. reserve: kept for the reply. max_output: what
    a request asks for, None leaves it to the provider. system, tools: the part of every
    request that never changes.
    """

    window: int | None = None
    fallback: bool = False
    reserve: int = 0
    max_output: int | None = None
    system: int = 0
    tools: int = 0

    @property
    def prompt_limit(self) -> int | None:
        """Tokens that a prompt may have at most, None where it is unbounded."""
        return None if self.window is None else self.window - self.reserve

    @property
    def prompt(self) -> int | None:
        """Tokens that a prompt should have at most, less what never changes.

        Seven tenths of the window, so that a low estimate still fits, and not so much
        that the model no longer finds what matters.
        """
        if self.window is None:
            return None
        aim = min(self.window * 7 // 10, LONGEST_PROMPT) - self.reserve
        fixed = self.system + self.tools
        return max(0, min(aim, self.window - self.reserve - fixed))

    def chars(self, role: Role, items: int = 1) -> int:
        """Return how many characters one of `items` things in this role may have.

        Counted at four characters a token, as English text has. An unbounded window
        gives the ceiling of the role. items: less than 1 counts as 1.
        """
        share, prompt = SHARES[role], self.prompt
        if prompt is None:
            return share.ceiling
        room = max(0, prompt - share.overhead) * share.percent * CHARS_PER_TOKEN
        return _clamp(room // (100 * max(1, items)), share.floor, share.ceiling)


def resolve_budget(
    limits: Limits, profile: ModelProfile, *, system: int, tools: int
) -> Budget:
    """Derive the sizes of a run from its limits and its model.

    system, tools: tokens of the system prompt and of the tools' declarations.
    Raises ConfigurationError where an explicit limit does not fit the window.
    """
    window, fallback = _window(limits, profile)
    check_window(limits, window, profile.max_output)
    output = _output(limits, profile)
    reserve = _reserve(limits, window, output)
    if output is not None and window is not None and limits.max_output_tokens is None:
        output = max(1, min(output, reserve))
    return Budget(window, fallback, reserve, output, system, tools)


def _window(limits: Limits, profile: ModelProfile) -> tuple[int | None, bool]:
    declared = limits.window or profile.window
    if declared or not profile.language_model:
        return declared or None, False
    msg = "Nobody declared the window of %s; %d tokens are assumed. Set Limits.window."
    _log.warning(msg, profile.name, FALLBACK_WINDOW)
    return FALLBACK_WINDOW, True


def _output(limits: Limits, profile: ModelProfile) -> int | None:
    wanted, able = limits.max_output_tokens, profile.max_output
    if wanted is None:
        return min(able, USUAL_OUTPUT) if able else None
    return min(wanted, able) if able else wanted


def _reserve(limits: Limits, window: int | None, output: int | None) -> int:
    if limits.reply_reserve is not None or window is None:
        return limits.reply_reserve or 0
    needed = (output or SHORT_REPLY) + MARGIN
    if needed <= USUAL_RESERVE <= window // 4:
        return USUAL_RESERVE
    usual = _clamp(window // 16, SHORTEST_RESERVE, LONGEST_RESERVE)
    return min(window // 2, max(usual, needed))


def _clamp(value: int, least: int, most: int) -> int:
    return max(least, min(value, most))
