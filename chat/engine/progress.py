"""The no-progress guard: rounds of tool calls that bring nothing new, again and again.

A round is stale when each of its answers is known from an earlier round, or says by
itself that nothing is new. Stale rounds in a row are counted; one with anything new
starts from nothing. Within such a row:

    the round before, once more    nudge at the second, stop at the third
    a cycle of 2 to 4 rounds       nudge when seen twice whole, stop at three times
    repeats without a period       nudge at 3 stale rounds, stop at 6

The state is a fold over the rounds, of hashes only; there is no clock and no chance in
it, so that a resumed run comes to the same end.
"""

import json
import logging
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b
from types import MappingProxyType
from typing import Any

from chat.engine.volatile import stable_text

__all__ = ["NUDGE", "Answer", "Move", "Progress", "stable_text"]

LONGEST_CYCLE = 4
_PERIODS = range(1, LONGEST_CYCLE + 1)
STALE_NUDGE = 3
STALE_STOP = 6
NUDGE = (
    "The last tool calls gave only what you already had; calling them again in the "
    "same way will not give more. Use what you have: answer now and say what is "
    "missing, or call something else."
)

_NO_FINGERPRINTS: Mapping[str, Callable[[str], str]] = MappingProxyType({})
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
    """One answered call.

    stale: the answer brings nothing new by itself, such as an error of the recall tool,
    a call refused over its budget, or a notice that the call was made before.
    """

    name: str
    arguments: Any
    content: str
    stale: bool = False


class Move(StrEnum):
    """What is to be done after a round."""

    GO_ON = "go_on"
    NUDGE = "nudge"
    STOP = "stop"


class Progress:
    """What the rounds of one run have brought, kept as hashes.

    fingerprints: for a tool by name, what of a result's content counts; the others
    count without their volatile parts. stale_rounds: of the whole run.
    """

    def __init__(
        self, fingerprints: Mapping[str, Callable[[str], str]] = _NO_FINGERPRINTS
    ) -> None:
        self.stale_rounds = 0
        self._fingerprints = dict(fingerprints)
        self._known: set[bytes] = set()
        self._first: dict[bytes, Answer] = {}
        self._contents: dict[bytes, dict[bytes, int]] = {}
        self._rounds: deque[bytes] = deque(maxlen=LONGEST_CYCLE)
        # By period: how many rounds in a row were as the one that long before.
        self._repeats = [0] * (LONGEST_CYCLE + 1)
        # Stale rounds in a row, and those of them since the nudge about a cycle.
        self._row = self._since = 0
        self._nudged = False
        self._cycle: tuple[bytes, ...] = ()

    def observe(self, answers: Sequence[Answer]) -> Move:
        """Take in one round, when all its calls are answered."""
        if not answers:
            return Move.GO_ON
        pairs = [self._pair(answer) for answer in answers]
        fresh = any(
            not answer.stale and pair not in self._known
            for answer, pair in zip(answers, pairs, strict=True)
        )
        self._known.update(pairs)
        self._remember(_digest(*sorted(pairs)))
        if fresh:
            self._row, self._nudged, self._cycle = 0, False, ()
            return Move.GO_ON
        self.stale_rounds += 1
        self._row += 1
        return self._judge()

    def _judge(self) -> Move:
        """Decide on a stale round."""
        repeats, row = self._repeats, self._row
        # While the whole row may be one cycle, the cycle's own count decides.
        erratic = row not in repeats[1:]
        if self._stuck() or (erratic and row >= STALE_STOP):
            return Move.STOP
        if self._nudged:
            self._since += 1
            return Move.GO_ON
        period = next((p for p in _PERIODS if repeats[p] >= p), 0)
        if not period and not (erratic and row >= STALE_NUDGE):
            return Move.GO_ON
        self._nudged, self._since = True, 0
        self._cycle = tuple(self._rounds)[-period:] if period else ()
        return Move.NUDGE

    def _stuck(self) -> bool:
        """A cycle was seen three times, or is gone back to after it was pointed out."""
        back = self._rounds[-1] in self._cycle and self._since >= len(self._cycle) - 1
        return back or any(self._repeats[p] >= 2 * p for p in _PERIODS)

    def _remember(self, signature: bytes) -> None:
        rounds = self._rounds
        for p in _PERIODS:
            same = len(rounds) >= p and rounds[-p] == signature
            self._repeats[p] = self._repeats[p] + 1 if same else 0
        rounds.append(signature)

    def _pair(self, answer: Answer) -> bytes:
        asked = _digest(_hash(answer.name), _hash(canonical(answer.arguments)))
        return _digest(asked, b"%d" % self._number(asked, answer))

    def _number(self, asked: bytes, answer: Answer) -> int:
        """Number the contents that one call has given.

        What a call gives for the first time is new whatever it is, so that it is only
        masked and hashed when the call is made again.
        """
        contents = self._contents.get(asked)
        if contents is None:
            first = self._first.setdefault(asked, answer)
            if first is answer:
                return 0
            contents = self._contents[asked] = {_hash(self._content(first)): 0}
        return contents.setdefault(_hash(self._content(answer)), len(contents))

    def _content(self, answer: Answer) -> str:
        own = self._fingerprints.get(answer.name, stable_text)
        try:
            counts = own(answer.content)
        except Exception:  # noqa: BLE001, it is the tool's author's code
            _log.warning("The fingerprint of %s failed.", answer.name, exc_info=True)
            return answer.content
        return counts if isinstance(counts, str) else answer.content


_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), default=str)


def canonical(arguments: Any) -> str:
    """Return one text for all arguments that mean the same.

    The order of keys and the whitespace between them do not count, nor whether the
    arguments are JSON or text that is JSON.
    """
    try:
        if isinstance(arguments, str):
            arguments = json.loads(arguments)
        return _CANONICAL.encode(arguments)
    except Exception:  # noqa: BLE001, whatever an odd value raises when it is shown
        return _odd(arguments)


def _odd(arguments: Any) -> str:
    if isinstance(arguments, str):
        return " ".join(arguments.split())
    try:
        return repr(arguments)
    except Exception:  # noqa: BLE001, whatever an odd value raises when it is shown
        return type(arguments).__name__


def _hash(text: str) -> bytes:
    return _digest(text.encode("utf-8", "surrogatepass"))


def _digest(*parts: bytes) -> bytes:
    return blake2b(b"".join(parts), digest_size=16).digest()
