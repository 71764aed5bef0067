"""Tells people how a run goes, on standard error."""

from dataclasses import dataclass, field

from rich.console import Console
from rich.text import Text

from chat import engine
from research.evidence import Evidence
from research.management.progress import Progress
from research.models import Outcome, Run
from research.presentation.counts import counted, denominators
from research.presentation.runs import run_end


@dataclass
class Reporter:
    """One line a step; says nothing at all when quiet."""

    console: Console
    quiet: bool
    progress: Progress = field(default_factory=Progress)
    waiting_for: str = ""

    def started(self, run: Run) -> None:
        self._say(f"run {run.public_id} started on {run.case.title}")

    def event(self, run: Run, event: engine.Event) -> None:
        if isinstance(event, engine.RunStarted):
            self._collected(run)
        self._say(self.progress.line(event))

    def waits(self, run: Run) -> None:
        """Said once per reason, however often it is asked."""
        reason = f"{run.status}: {run.error or 'another process holds the run'}"
        if reason != self.waiting_for:
            self.waiting_for = reason
            self._say(f"{reason} Trying again; Ctrl-C cancels.")

    def finished(self, run: Run, evidence: Evidence) -> None:
        counts = denominators(evidence)
        self._say(f"{run_end(run)} {counts.questions} {counts.quotes}", whole=True)

    def _collected(self, run: Run) -> None:
        lookups = run.dossier.lookups
        found = lookups.filter(outcome=Outcome.FOUND).count()
        documents = counted(run.dossier.sources.count(), "document")
        asked = counted(lookups.count(), "lookup")
        self._say(f"collected {documents}; {found} of {asked} found something")

    def _say(self, line: str, *, whole: bool = False) -> None:
        """A terminal gets what fits its width; a log gets every line whole."""
        if line and not self.quiet:
            text = Text(line, style="dim")
            if self.console.is_terminal and not whole:
                text.truncate(self.console.width, overflow="ellipsis")
            self.console.print(text, soft_wrap=True)
