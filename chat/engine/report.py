"""What a run did, in figures: no task text, no arguments, no payloads."""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from chat.engine.codec import encode
from chat.engine.stops import StopReason

SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class Counters:
    """Everything counted. Tokens are what providers reported; the rest are numbers of.

    model_calls: requests sent, lost and failed ones too. retries: requests sent again
    after a failure. calls_lost: requests without a reply or an error. usage_unknown:
    replies without usage. tool_calls_*: calls that ran. refused: calls over a budget
    or after the end. invalid: unknown tools and bad arguments. tool_errors: calls that
    ran and gave an error. interrupted: calls cut by a restart and not repeated.
    """

    model_calls: int = 0
    iterations: int = 0
    retries: int = 0
    calls_lost: int = 0
    nudges: int = 0
    tool_calls_business: int = 0
    tool_calls_context: int = 0
    refused: int = 0
    invalid: int = 0
    tool_errors: int = 0
    interrupted: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    usage_unknown: int = 0


@dataclass(frozen=True, slots=True)
class RunReport:
    """The run in figures. cost: money, None where a price stayed unknown.

    elapsed_s: seconds of wall clock in which a process drove the run.
    """

    stop: StopReason
    secondary: tuple[StopReason, ...] = ()
    model: str = ""
    counters: Counters = field(default_factory=Counters)
    cost: Decimal | None = None
    elapsed_s: float = 0.0
    schema_version: int = SCHEMA_VERSION

    def to_json(self) -> dict[str, Any]:
        """Return the report as a JSON object."""
        return dict(encode(self))
