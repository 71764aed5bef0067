"""What a run did, in figures: no task text, no arguments, no payloads."""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from chat.engine.budget import Budget
from chat.engine.codec import encode
from chat.engine.decisions import ChildReport, Coverage, Decisions
from chat.engine.preflight import Preflight
from chat.engine.stops import Status, StopReason

if TYPE_CHECKING:
    from chat.engine.findings import Finding

SCHEMA_VERSION = 2


@dataclass(frozen=True, slots=True)
class Counters:
    """Everything counted. Tokens are what providers reported; the rest are numbers of.

    model_calls: requests sent, lost and failed ones too. iterations: turns of the
    model, a paused one counted once. nudges: times the loop spoke to it. retries:
    requests sent again after a failure. calls_lost: requests without a reply or an
    error. usage_unknown: replies without usage. pauses: replies that were to be
    continued. empty_replies: replies without text and calls. tool_calls_*: calls that
    ran. refused: calls over a budget or after the end. invalid: unknown tools and bad
    arguments. tool_errors: calls that ran and gave an error. recall_errors: those of
    them that were recalls. interrupted: calls cut by a restart and not repeated.
    denied: calls that a person refused. approvals_requested: calls that waited for a
    person. duplicates: answers that only said that the result is the same as before.
    stale_rounds: rounds that brought nothing new. error_rounds: rounds of nothing but
    errors. masks, folds, emergencies: compactions of tier 1, 2 and 3. unseen_evicted:
    results that were put aside before the model had seen any of them. overflows:
    requests that a provider refused as too long. closing_turns, finalizer_runs:
    requests without tools after a stop, and for an answer in the schema.
    schema_failures: answers that did not fit. parse_fallbacks: replies that the
    provider could not parse. server_calls: of tools that the provider ran. searches:
    those that it bills as web searches. fallbacks: things that the provider did
    otherwise than asked. max_prompt_tokens: the longest request, as estimated.
    """

    model_calls: int = 0
    iterations: int = 0
    retries: int = 0
    calls_lost: int = 0
    nudges: int = 0
    pauses: int = 0
    empty_replies: int = 0
    tool_calls_business: int = 0
    tool_calls_context: int = 0
    refused: int = 0
    invalid: int = 0
    tool_errors: int = 0
    recall_errors: int = 0
    interrupted: int = 0
    denied: int = 0
    approvals_requested: int = 0
    duplicates: int = 0
    stale_rounds: int = 0
    error_rounds: int = 0
    masks: int = 0
    folds: int = 0
    emergencies: int = 0
    unseen_evicted: int = 0
    overflows: int = 0
    closing_turns: int = 0
    finalizer_runs: int = 0
    schema_failures: int = 0
    parse_fallbacks: int = 0
    server_calls: int = 0
    searches: int = 0
    fallbacks: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    max_prompt_tokens: int = 0
    usage_unknown: int = 0


@dataclass(frozen=True, slots=True)
class Configuration:
    """The limits that held, after derivation and preflight. None is without limit.

    mode: how far the run went by itself. *_cap: calls of business tools, calls of
    context tools and turns. parallel_calls: calls at the same time. tokens: over all
    requests. cost: money over all requests. *_s: seconds. tools: how many were
    declared. schema: whether the answer had to fit one.
    """

    mode: str = "standard"
    tool_cap: int = 0
    context_cap: int = 0
    iteration_cap: int = 0
    parallel_calls: int = 0
    tokens: int | None = None
    cost: Decimal | None = None
    deadline_s: float = 0.0
    model_timeout_s: float | None = None
    tool_timeout_s: float | None = None
    tools: int = 0
    schema: bool = False


@dataclass(frozen=True, slots=True)
class ToolTally:
    """Calls of one tool that ran, and how many of them gave an error.

    kind: business, context, or server for a tool that the provider ran.
    """

    name: str
    kind: str
    calls: int = 0
    errors: int = 0


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """One event: milliseconds of the run, model turn, kind, and a word on it.

    detail: a stop reason, an outcome, an error kind or the name of a declared tool;
    never text of the model, of a tool or of a provider.
    """

    at_ms: int
    turn: int
    kind: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class RunReport:
    """The run in figures. cost: money, None where a price stayed unknown.

    status, stop, secondary: as in AgentResult. model: its name. configuration, budget,
    preflight: what held. tools: every tool with its calls. children, decisions: empty
    for a run without children.
    elapsed_s: seconds of wall clock in which a process drove the run. timeline: the
    first and the last events; timeline_dropped of them between are left out. coverage:
    None for a task without resources.
    """

    status: Status
    stop: StopReason
    secondary: tuple[StopReason, ...] = ()
    model: str = ""
    configuration: Configuration = field(default_factory=Configuration)
    budget: Budget = field(default_factory=Budget)
    preflight: Preflight = field(default_factory=Preflight)
    counters: Counters = field(default_factory=Counters)
    tools: tuple[ToolTally, ...] = ()
    children: tuple[ChildReport, ...] = ()
    coverage: Coverage | None = None
    decisions: Decisions = field(default_factory=Decisions)
    timeline: tuple[TimelineEntry, ...] = ()
    timeline_dropped: int = 0
    cost: Decimal | None = None
    elapsed_s: float = 0.0
    schema_version: int = SCHEMA_VERSION

    def to_json(self) -> dict[str, Any]:
        """Return the report as a JSON object; load_report() reads it back.

        Findings are no part of it: they are worked out anew wherever it is read.
        """
        return dict(encode(self))

    # Judging and showing a report is not needed to run, so it is imported on demand.

    @property
    def findings(self) -> "tuple[Finding, ...]":
        """What is to be said of the run, the worst first."""
        from chat.engine.findings import analyze

        return analyze(self)

    def explain(self, *, redact: bool = False) -> str:
        """Return the report and its findings as Markdown for people."""
        from chat.engine.explain import explain

        return explain(self, redact=redact)

    def redacted(self, key: bytes | None = None) -> "RunReport":
        """Return the report with every free word replaced by a keyed hash."""
        from chat.engine.redaction import redacted

        return redacted(self, key)
