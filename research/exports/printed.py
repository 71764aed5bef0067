"""A dossier as text for a terminal or a pipe."""

from collections.abc import Iterator

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from research.evidence import Evidence
from research.exports.visible import one_line
from research.exports.wording import (
    CLAIM_TIER_WORDS,
    FACT_TIER_WORDS,
    LOOKUP_WORDS,
    PEOPLE_DECIDE,
    QUESTION_WORDS,
    SHAPES,
    adds_words,
    counted,
    denominators,
    grade_and_place,
    moment,
    researcher_note,
)
from research.models import (
    Citation,
    Claim,
    ClaimTier,
    Fact,
    FactTier,
    Lookup,
    Outcome,
    Question,
    QuestionOutcome,
)

# Three answers, three shapes: solid, outlined, dashed.
MARKS = {Outcome.FOUND: "[✓]", Outcome.ABSENT: "( – )", Outcome.UNKNOWN: "╌ ? ╌"}
STYLES = {Outcome.FOUND: "bold", Outcome.ABSENT: "", Outcome.UNKNOWN: "dim"}
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
        yield "No run has left findings on this dossier."
    yield from _heading("Facts: what collectors looked up")
    for lookup in evidence.lookups:
        yield from _lookup(lookup)
    if not evidence.lookups:
        yield "No collector looked anything up for this subject."
    yield from _foot(evidence)


def _head(evidence: Evidence) -> Iterator[RenderableType]:
    dossier, case = evidence.dossier, evidence.dossier.case
    version = f" {dossier.subject_version}" if dossier.subject_version else ""
    kind = case.subject_kind.replace("_", " ")
    yield Text(one_line(f"{kind}: {case.title}{version}"), style="bold underline")
    if case.subject_key != case.title:
        yield Text(one_line(case.subject_key))
    yield Text(f"Dossier {dossier.number}, collected {moment(dossier.collected_at)}.")
    yield Text(researcher_note(evidence.run))
    yield Text(PEOPLE_DECIDE)


def _heading(words: str) -> Iterator[RenderableType]:
    yield Text("")
    yield Text(words.upper(), style="bold")


def _question(question: Question) -> Iterator[RenderableType]:
    outcome = QuestionOutcome(question.outcome)
    yield Text("")
    yield _marked(SHAPES[outcome], question.wording)
    if outcome != QuestionOutcome.ANSWERED:
        reason = f": {question.reason}" if question.reason else "."
        yield _indented(f"{QUESTION_WORDS[outcome].capitalize()}{reason}")
    for claim in question.claims.all():
        if not claim.rejected_reason:
            yield from _claim(claim)


def _claim(claim: Claim) -> Iterator[RenderableType]:
    if adds_words(claim):
        yield _indented(claim.statement)
    for citation in claim.citations.all():
        yield from _citation(claim, citation)


def _citation(claim: Claim, citation: Citation) -> Iterator[RenderableType]:
    tier = CLAIM_TIER_WORDS[ClaimTier(claim.tier)]
    yield _indented(f"“{citation.quote}”", style="italic")
    source = f"{citation.snapshot.uri}, {tier}: {grade_and_place(citation)}"
    yield _indented(source, style="dim", by=6)


def _lookup(lookup: Lookup) -> Iterator[RenderableType]:
    outcome = Outcome(lookup.outcome)
    said = f": {lookup.reason}" if lookup.reason else f" in {lookup.uri}"
    yield _marked(outcome, f"{lookup.source}, {LOOKUP_WORDS[outcome]}{said}")
    facts = list(lookup.facts.all())
    if facts:
        yield Padding(_fact_table(facts), (0, 0, 0, 4), expand=False)


def _fact_table(facts: list[Fact]) -> Table:
    table = Table.grid(padding=(0, 2))
    for width in (20, 9):
        table.add_column(min_width=width)
    table.add_column(overflow="fold")
    for fact in facts:
        value = one_line(fact.value.replace("\n", "; ")) or "(empty)"
        short = value if len(value) <= _FACT_CHARS else f"{value[:_FACT_CHARS]}…"
        tier = FACT_TIER_WORDS[FactTier(fact.tier)]
        table.add_row(Text(one_line(fact.name)), Text(tier, style="dim"), Text(short))
    return table


def _foot(evidence: Evidence) -> Iterator[RenderableType]:
    counts = denominators(evidence)
    yield from _heading("How much was looked for")
    for sentence in (counts.lookups, counts.questions, counts.quotes, counts.rejected):
        if sentence:
            yield Text(sentence)
    yield Text(f"{counted(len(evidence.sources), 'document')} archived.")
    yield Text(f"Dossier {evidence.dossier.public_id}, evidence digest")
    yield Text(evidence.digest)


def _marked(outcome: Outcome, text: str) -> RenderableType:
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=5, no_wrap=True)
    grid.add_column(overflow="fold")
    style = STYLES[outcome]
    grid.add_row(Text(MARKS[outcome], style=style), Text(one_line(text), style=style))
    return grid


def _indented(text: str, *, style: str = "", by: int = 4) -> RenderableType:
    return Padding(Text(one_line(text), style=style), (0, 0, 0, by), expand=False)
