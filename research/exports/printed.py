"""A dossier as text for a terminal or a pipe."""

from collections.abc import Iterator, Mapping

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from research.evidence import Evidence
from research.models import (
    Citation,
    Claim,
    Fact,
    Lookup,
    Outcome,
    Question,
    QuestionOutcome,
)
from research.presentation import facts, findings, runs, words
from research.presentation.counts import counted, denominators
from research.presentation.visible import one_line
from research.presentation.words import Sentence

# Three answers, three shapes: solid, outlined, dashed.
MARKS: Mapping[str, tuple[str, str]] = {
    Outcome.FOUND: ("[✓]", "bold"),
    Outcome.ABSENT: ("( – )", ""),
    Outcome.UNKNOWN: ("╌ ? ╌", "dim"),
}
_FACT_CHARS = 300


def print_dossier(evidence: Evidence, console: Console) -> None:
    """Subject, findings with their quotes, facts, and how much was looked for."""
    for renderable in _parts(evidence):
        console.print(renderable)


def _parts(evidence: Evidence) -> Iterator[RenderableType]:
    yield from _head(evidence)
    yield from _heading("Findings: what the researcher read")
    for question in evidence.questions:
        yield from _question(question)
    if not evidence.questions:
        yield Sentence.NO_FINDINGS
    yield from _heading("Facts: what collectors looked up")
    for lookup in evidence.lookups:
        yield from _lookup(lookup)
    if not evidence.lookups:
        yield Sentence.NO_LOOKUPS
    yield from _foot(evidence)


def _head(evidence: Evidence) -> Iterator[RenderableType]:
    dossier, case = evidence.dossier, evidence.dossier.case
    version = f" {dossier.subject_version}" if dossier.subject_version else ""
    head = f"{words.kind_words(case.subject_kind)}: {case.title}{version}"
    run = findings.findings_run(evidence)
    yield Text(one_line(head), style="bold underline")
    if case.subject_key != case.title:
        yield Text(one_line(case.subject_key))
    yield Text(
        f"Dossier {dossier.number}, collected {words.moment(dossier.collected_at)}."
    )
    yield Text(str(runs.researcher_note(run)) if run else Sentence.NO_RUN)
    yield Text(f"{Sentence.PEOPLE_DECIDE} {Sentence.CLAIM_LIGHT}")


def _heading(title: str) -> Iterator[RenderableType]:
    yield Text("")
    yield Text(title.upper(), style="bold")


def _question(question: Question) -> Iterator[RenderableType]:
    yield Text("")
    yield _marked(words.shape(question.outcome), question.wording)
    if question.outcome != QuestionOutcome.ANSWERED:
        yield _indented(findings.outcome_sentences(question))
    for claim in findings.accepted(question.claims.all()):
        yield from _claim(claim)


def _claim(claim: Claim) -> Iterator[RenderableType]:
    if findings.says_more(claim):
        yield _indented(claim.statement)
    for citation in claim.citations.all():
        yield from _citation(claim, citation)


def _citation(claim: Claim, citation: Citation) -> Iterator[RenderableType]:
    yield _indented(f"“{citation.quote}”", style="italic")
    place = f"{words.tier_words(claim.tier)}: {findings.grade_and_place(citation)}"
    source = f"{citation.snapshot.uri}, {place}"
    yield _indented(source, style="dim", by=6)


def _lookup(lookup: Lookup) -> Iterator[RenderableType]:
    said = f": {lookup.reason}" if lookup.reason else f" in {lookup.uri}"
    answer = words.lookup_words(lookup.outcome)
    yield _marked(lookup.outcome, f"{lookup.source}, {answer}{said}")
    rows = list(lookup.facts.all())
    if rows:
        yield Padding(_fact_table(rows), (0, 0, 0, 4), expand=False)


def _fact_table(rows: list[Fact]) -> Table:
    table = Table.grid(padding=(0, 2))
    for width in (20, 9):
        table.add_column(min_width=width)
    table.add_column(overflow="fold")
    for fact in rows:
        name, value = (
            one_line(facts.fact_name(fact.name)),
            one_line(facts.fact_line(fact.value)),
        )
        short = value if len(value) <= _FACT_CHARS else f"{value[:_FACT_CHARS]}…"
        table.add_row(Text(name), Text(fact.tier, style="dim"), Text(short))
    return table


def _foot(evidence: Evidence) -> Iterator[RenderableType]:
    counts = denominators(evidence)
    yield from _heading("How much was looked for")
    for sentence in (counts.lookups, counts.questions, counts.quotes, counts.rejected):
        yield Text(sentence)
    yield Text(f"{counted(len(evidence.sources), 'document')} archived.")
    yield Text(f"Dossier {evidence.dossier.public_id}, evidence digest")
    yield Text(evidence.digest)


def _marked(outcome: str, text: str) -> RenderableType:
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=5, no_wrap=True)
    grid.add_column(overflow="fold")
    mark, style = MARKS[outcome]
    grid.add_row(Text(mark, style=style), Text(one_line(text), style=style))
    return grid


def _indented(text: str, *, style: str = "", by: int = 4) -> RenderableType:
    return Padding(Text(one_line(text), style=style), (0, 0, 0, by), expand=False)
