"""The tables of moves say what a run and a case may become."""

import pytest

from research.states import (
    ACTIVE_RUN_STATUSES,
    CASE_MOVES,
    RUN_MOVES,
    TERMINAL_RUN_STATUSES,
    CaseStatus,
    RunStatus,
    case_sources,
    run_sources,
)


def test_every_status_has_its_row() -> None:
    assert set(RUN_MOVES) == set(RunStatus)
    assert set(CASE_MOVES) == set(CaseStatus)


def test_completed_failed_and_cancelled_are_final() -> None:
    final = set(TERMINAL_RUN_STATUSES)
    assert final == {RunStatus.COMPLETED, RunStatus.FAILED, RunStatus.CANCELLED}
    assert not TERMINAL_RUN_STATUSES & ACTIVE_RUN_STATUSES


@pytest.mark.parametrize("status", sorted(TERMINAL_RUN_STATUSES))
def test_a_run_ends_only_from_an_active_status(status: RunStatus) -> None:
    assert set(run_sources(status)) <= ACTIVE_RUN_STATUSES


def test_only_a_decided_case_is_superseded() -> None:
    decided = {CaseStatus.APPROVED, CaseStatus.DENIED}
    assert set(case_sources(CaseStatus.SUPERSEDED)) == decided
