"""Runs the researcher on an installed distribution and holds it to the truth table."""

import re
from dataclasses import dataclass, field
from importlib.metadata import version

from chat.engine import AgentResult, run
from chat.engine.events import Event, RunFinished
from chat.providers.extractive import ExtractiveModel
from chat.toolset import document_tools
from chat.web.search import Document, DocumentIndex
from research.agent.briefing import brief
from research.agent.extraction import (
    ClaimDraft,
    QuestionOutcome,
    answered_calls,
    claim_drafts,
    question_outcomes,
)
from research.agent.toolset import record_tools
from research.agent.validation import validate
from research.collectors.assembler import collect
from research.subjects.identity import Subject, parse_subject
from research.subjects.questions import questions_for
from tests.research.agent.truth_table import Truth


@dataclass(frozen=True)
class Researched:
    """One run from end to end, without a store."""

    result: AgentResult
    claims: tuple[ClaimDraft, ...]
    outcomes: dict[str, QuestionOutcome]
    index: DocumentIndex
    events: tuple[Event, ...]


@dataclass
class Score:
    """Facts stated and found, quotes offered and wrong; the names say which."""

    stated: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    offered: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    @property
    def recall(self) -> float:
        return 1 - len(self.missed) / len(self.stated)

    @property
    def wrong_share(self) -> float:
        return len(self.wrong) / len(self.offered)

    def __str__(self) -> str:
        return (
            f"recall {self.recall:.3f} of {len(self.stated)}, wrong"
            f" {self.wrong_share:.3f} of {len(self.offered)}\nmissed:\n"
            + "\n".join(self.missed)
            + "\nwrong:\n"
            + "\n".join(self.wrong)
        )


def research(subject: Subject, documents: list[Document]) -> Researched:
    """The researcher on these documents, through the engine's own loop."""
    questions = questions_for(subject)
    index = DocumentIndex(documents)
    tools = (*document_tools(index), *record_tools(questions, index))
    events = tuple(run(ExtractiveModel(), brief(subject, questions, documents), tools))
    finished = events[-1]
    assert isinstance(finished, RunFinished)
    pairs = answered_calls(events)
    outcomes = question_outcomes(
        questions, pairs, documents=len(index), stop=finished.result.stop
    )
    claims = validate(claim_drafts(pairs), questions).accepted
    by_key = {outcome.key: outcome for outcome in outcomes}
    return Researched(finished.result, claims, by_key, index, events)


def research_installed(name: str) -> Researched:
    """The researcher on what the collector finds of an installed distribution."""
    subject = parse_subject(f"pkg:pypi/{name}")
    documents = [
        Document(raw.uri, raw.title, raw.body.decode("utf-8", errors="replace"))
        for raw in collect(subject).documents
    ]
    return research(subject, documents)


def score(table: dict[str, Truth]) -> Score:
    """The researcher's figures over the distributions of `table`."""
    total = Score()
    for name, truth in table.items():
        installed = version(name)
        assert installed == truth.version, (
            f"The truth table was written for {name} {truth.version}, but {installed}"
            " is installed: read its files again and bring the table up to date."
        )
        _score_one(name, truth, research_installed(name).claims, total)
    return total


def _score_one(
    name: str, truth: Truth, claims: tuple[ClaimDraft, ...], total: Score
) -> None:
    quotes: dict[str, list[str]] = {}
    for claim in claims:
        folded = [" ".join(quote.split()) for _, quote in claim.quotes]
        quotes.setdefault(claim.question, []).extend(folded)
    for question, stated in truth.stated.items():
        for fact in stated.facts:
            total.stated.append(f"{name} {question}: {fact}")
            if not any(re.search(fact, quote) for quote in quotes.get(question, [])):
                total.missed.append(total.stated[-1])
    for question, offered in quotes.items():
        known = truth.stated.get(question)
        right = (*known.facts, *known.also) if known else ()
        for quote in offered:
            total.offered.append(f"{name} {question}: {quote}")
            if not any(re.search(pattern, quote) for pattern in right):
                total.wrong.append(total.offered[-1])
