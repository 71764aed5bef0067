"""Executes a run in the command's own process, to its end."""

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from django.utils import timezone

from accounts.actor import Actor
from accounts.errors import Conflict
from chat import engine
from research.management.interruption import Interruption
from research.management.reporting import Reporter
from research.models import Run
from research.services.cancel_run import cancel_run
from research.services.claim_run import end_worn_out_runs, make_owner, release_run
from research.services.execute_run import execute_run
from research.states import RunStatus

_POLL_S = 0.2


def see_through(
    run: Run, by: Actor, reporter: Reporter, interruption: Interruption
) -> None:
    """Executes the run to a terminal status and tells of every step."""
    reporter.started(run)
    InlineRun(
        run=run,
        by=by,
        interruption=interruption,
        on_event=partial(reporter.event, run),
        on_wait=reporter.waits,
    ).finish()


@dataclass
class InlineRun:
    """One run, and whoever watches its events and waits."""

    run: Run
    by: Actor
    interruption: Interruption
    on_event: Callable[[engine.Event], None]
    on_wait: Callable[[Run], None]
    cancel_asked: bool = False

    def finish(self) -> None:
        """Returns when the run is terminal; `run` is then as the database has it.

        A run that has to wait is tried again when it is due, one that a worker took
        over is waited for. Raises KeyboardInterrupt when asked twice to stop.
        """
        owner = make_owner()
        try:
            while not self._is_over():
                done = execute_run(
                    self.run.public_id, owner=owner, on_event=self._watch
                )
                if not done:
                    end_worn_out_runs()
                if not self._is_over():
                    self._wait()
        except KeyboardInterrupt:
            release_run(self.run, owner)
            self._cancel()
            raise

    def _is_over(self) -> bool:
        self.run.refresh_from_db()
        return self.run.is_terminal

    def _watch(self, event: engine.Event) -> None:
        """Between two events no transaction is open, so the database may be asked."""
        if self.interruption.signal and not self.cancel_asked:
            self._cancel()
        self.on_event(event)

    def _wait(self) -> None:
        """Until the run is due; a moment only where somebody else holds it."""
        self.on_wait(self.run)
        due = self.run.not_before if self.run.status == RunStatus.WAITING else None
        while True:
            time.sleep(_POLL_S)
            if self.interruption.signal and not self.cancel_asked:
                self._cancel()
                return
            if due is None or due <= timezone.now():
                return

    def _cancel(self) -> None:
        """A run that has just ended stays as it is."""
        self.cancel_asked = True
        with contextlib.suppress(Conflict):
            cancel_run(by=self.by, run=self.run)
