"""Answers held against the schema, and the result of a run, from its state."""

from dataclasses import replace
from typing import Any

from chat.engine.ending import Candidate
from chat.engine.events import AnswerChecked
from chat.engine.report import Configuration, Counters, RunReport
from chat.engine.result import DETAIL_CHARS, AgentResult, StructuredOutcome
from chat.engine.running import Running
from chat.engine.stops import AnswerSource, Status, StopReason, status_of
from chat.engine.structured import Contract, Verdict

AWAITING = "A person must decide on {names} before the run goes on."


def check_answer(run: Running, answer: Candidate) -> AnswerChecked:
    """Hold the answer against the task's schema."""
    if run.contract is None:
        return AnswerChecked(valid=True)
    verdict = _verdict(run.contract, answer)
    return AnswerChecked(verdict.valid, verdict.errors)


def conclude(run: Running) -> AgentResult:
    """Return the outcome of a run that is over, or suspended."""
    ending = run.state.ending
    answer = ending.best or Candidate("", AnswerSource.NONE)
    stop, detail = ending.stop or StopReason.ERROR, ending.detail
    if run.state.suspended:
        stop, detail = StopReason.AWAITING_APPROVAL, _waits_for(run)
    answered = answer.source is not AnswerSource.NONE
    secondary = ending.later
    status = status_of(stop, answered=answered, secondary=secondary)
    result = AgentResult(
        status=status,
        stop=stop,
        secondary=secondary,
        answer_source=answer.source,
        output=answer.text,
        citations=answer.citations,
        report=_report(run, status, stop, secondary),
        detail=detail[:DETAIL_CHARS],
    )
    if status is Status.SUSPENDED:
        waiting = run.state.round.open.values()
        return replace(result, awaiting=tuple(waiting))
    return result if run.contract is None else _held(run, run.contract, result, answer)


def reread(run: Running, result: AgentResult) -> AgentResult:
    """Return a journaled result with the value that is not journaled."""
    answer = run.state.ending.best
    if run.contract is None or answer is None or not result.schema_valid:
        return result
    return replace(result, parsed=_verdict(run.contract, answer).value)


def _held(
    run: Running, contract: Contract, result: AgentResult, answer: Candidate
) -> AgentResult:
    """Add how the answer stands to the schema; without an answer nothing is said."""
    if answer.source is AnswerSource.NONE:
        return result
    verdict = _verdict(contract, answer)
    native = answer.parsed is not None
    structured = StructuredOutcome(
        schema=contract.name,
        valid=verdict.valid,
        finalizer_runs=run.state.counts["finalizer_runs"],
        errors=verdict.errors,
        source="provider" if native else "text",
    )
    return replace(
        result,
        parsed=verdict.value,
        schema_valid=verdict.valid,
        structured=structured,
    )


def _verdict(contract: Contract, answer: Candidate) -> Verdict:
    if answer.parsed is not None:
        return contract.check_value(answer.parsed)
    return contract.check(answer.text)


def _waits_for(run: Running) -> str:
    names = sorted({call.name for call in run.state.round.open.values()})
    return AWAITING.format(names=", ".join(names))


def _report(
    run: Running, status: Status, stop: StopReason, secondary: tuple[StopReason, ...]
) -> RunReport:
    tally = run.state.tally
    counts: dict[str, Any] = dict(tally.counts)
    return RunReport(
        status=status,
        stop=stop,
        secondary=secondary,
        model=run.profile.name,
        configuration=_configuration(run),
        budget=run.budget,
        preflight=run.preflight,
        counters=Counters(**counts),
        tools=tally.tools,
        timeline=tally.timeline,
        timeline_dropped=tally.timeline_dropped,
        cost=tally.cost,
        elapsed_s=round(run.elapsed_s(), 3),
    )


def _configuration(run: Running) -> Configuration:
    limits = run.limits
    return Configuration(
        mode=limits.mode,
        tool_cap=limits.tool_cap,
        context_cap=limits.context_cap,
        iteration_cap=limits.iteration_cap,
        parallel_calls=limits.parallel_calls,
        tokens=limits.tokens,
        cost=limits.cost,
        deadline_s=limits.deadline_s,
        model_timeout_s=limits.model_timeout_s,
        tool_timeout_s=limits.tool_timeout_s,
        tools=len(run.tools),
        schema=run.contract is not None,
    )
