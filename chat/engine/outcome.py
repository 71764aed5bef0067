"""The result of a run, from its state."""

from chat.engine.report import Counters, RunReport
from chat.engine.result import AgentResult
from chat.engine.running import Running
from chat.engine.stops import StopReason, status_of


def conclude(run: Running) -> AgentResult:
    """Return the outcome of a run that is over."""
    state = run.state
    stop, secondary = state.stop or StopReason.ERROR, tuple(state.secondary)
    report = RunReport(
        stop=stop,
        secondary=secondary,
        model=run.profile.name,
        counters=Counters(**state.counts),
        cost=state.cost,
        elapsed_s=round(run.elapsed_s(), 3),
    )
    return AgentResult(
        status=status_of(stop, answered=bool(state.output)),
        stop=stop,
        secondary=secondary,
        answer_source=state.source,
        output=state.output,
        report=report,
        detail=state.detail,
    )
