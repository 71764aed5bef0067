"""A dossier as CommonMark in which nothing that others wrote is markup.

Quotes stand in fenced code inside block quotes and names in code spans, so a page's
text brings no link, image or HTML into whatever renders this file.
"""

import re
from collections.abc import Iterator, Mapping

from research.evidence import Evidence
from research.models import (
    Citation,
    Claim,
    Fact,
    Lookup,
    Outcome,
    Question,
    Run,
    Source,
)
from research.presentation import facts, findings, runs, sources, words
from research.presentation.counts import denominators
from research.presentation.visible import one_line, visible
from research.presentation.words import Sentence

_PUNCTUATION = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~&@:/\"'$^=])")
MARKS: Mapping[str, str] = {
    Outcome.FOUND: "☑",
    Outcome.ABSENT: "☐",
    Outcome.UNKNOWN: "⬚",
}


def export_markdown(evidence: Evidence) -> str:
    """The whole dossier; every line ends in a line feed."""
    parts = [
        *_head(evidence),
        *_findings(evidence),
        *_facts(evidence),
        *_sources(evidence),
        *_record(evidence),
    ]
    return "\n".join(parts) + "\n"


def code_span(text: str) -> str:
    """`text` on one line, shown as it is."""
    content = one_line(text)
    fence = "`" * (_longest_run(content) + 1)
    pad = " " if content[:1] == "`" or content[-1:] == "`" or not content else ""
    return f"{fence}{pad}{content}{pad}{fence}"


def quoted(text: str) -> list[str]:
    """`text` verbatim, as the lines of a block quote."""
    content = visible(text)
    fence = "`" * max(3, _longest_run(content) + 1)
    return [f"> {line}" for line in (f"{fence}text", *content.split("\n"), fence)]


def escaped(text: str) -> str:
    """`text` on one line, where its punctuation means nothing."""
    return _PUNCTUATION.sub(r"\\\1", one_line(text))


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)


def _head(evidence: Evidence) -> Iterator[str]:
    dossier, case = evidence.dossier, evidence.dossier.case
    counts = denominators(evidence)
    run = findings.findings_run(evidence)
    yield f"# Dossier {dossier.number}: {escaped(case.title)}"
    yield ""
    kind = words.kind_words(case.subject_kind)
    yield f"- Subject: {code_span(case.subject_key)} ({kind})"
    yield f"- Version: {code_span(dossier.subject_version or 'none')}"
    yield f"- Organization: {escaped(case.organization.name)}"
    yield f"- Collected: {words.moment(dossier.collected_at)}"
    yield f"- Evidence digest: {code_span(evidence.digest)}"
    yield ""
    yield escaped(str(runs.researcher_note(run))) if run else Sentence.NO_RUN
    yield Sentence.PEOPLE_DECIDE
    yield Sentence.CLAIM_LIGHT
    yield ""
    for sentence in (counts.lookups, counts.questions, counts.quotes, counts.rejected):
        yield f"- {sentence}"


def _facts(evidence: Evidence) -> Iterator[str]:
    yield from ("", "## Facts")
    if not evidence.lookups:
        yield from ("", Sentence.NO_LOOKUPS)
    for lookup in evidence.lookups:
        yield ""
        yield from _lookup(lookup)


def _lookup(lookup: Lookup) -> Iterator[str]:
    reason = f": {escaped(lookup.reason)}" if lookup.reason else ""
    yield f"### {MARKS[lookup.outcome]} {escaped(lookup.source)}"
    yield ""
    place = f" {code_span(lookup.uri)}" if lookup.uri else ""
    yield f"{words.lookup_words(lookup.outcome).capitalize()}{reason}{place}"
    rows = list(lookup.facts.all())
    if rows:
        yield ""
    for fact in rows:
        yield _fact(fact)


def _fact(fact: Fact) -> str:
    place = f" in {code_span(fact.uri)}" if fact.uri else ""
    value = code_span(facts.fact_line(fact.value))
    return f"- {escaped(facts.fact_name(fact.name))} ({fact.tier}): {value}{place}"


def _findings(evidence: Evidence) -> Iterator[str]:
    yield from ("", "## Findings")
    if not evidence.questions:
        yield from ("", Sentence.NO_FINDINGS)
    for question in evidence.questions:
        yield ""
        yield from _question(question)


def _question(question: Question) -> Iterator[str]:
    yield f"### {MARKS[words.shape(question.outcome)]} {escaped(question.wording)}"
    yield ""
    yield escaped(findings.outcome_sentences(question))
    for claim in findings.accepted(question.claims.all()):
        yield from _claim(claim)


def _claim(claim: Claim) -> Iterator[str]:
    if findings.says_more(claim):
        yield ""
        yield escaped(claim.statement)
    for citation in claim.citations.all():
        yield from _citation(claim, citation)


def _citation(claim: Claim, citation: Citation) -> Iterator[str]:
    yield ""
    yield from quoted(citation.quote)
    yield ""
    place = f"{code_span(citation.snapshot.uri)}, {words.tier_words(claim.tier)}."
    yield f"{place} {findings.quote_light(citation)}"


def _sources(evidence: Evidence) -> Iterator[str]:
    yield from ("", "## Sources", "")
    if not evidence.sources:
        yield Sentence.NO_DOCUMENTS
    for source in evidence.sources:
        yield from _source(source)


def _source(source: Source) -> Iterator[str]:
    snapshot = source.snapshot
    yield f"- {code_span(source.uri)} ({sources.origin_words(source.origin)})"
    yield f"  - body of {snapshot.body_bytes} bytes: SHA-256 `{snapshot.body_sha256}`"
    text = f"  - text of {snapshot.text_chars} characters"
    yield f"{text}: SHA-256 `{snapshot.text_sha256}`"
    yield f"  - archived {words.moment(snapshot.taken_at)}"
    for _, fault in sources.reading_faults(snapshot):
        yield f"  - {fault}"


def _record(evidence: Evidence) -> Iterator[str]:
    dossier = evidence.dossier
    yield from ("", "## Record", "")
    yield f"- Dossier `{dossier.public_id}` of case `{dossier.case.public_id}`"
    for run in evidence.runs:
        yield _run(run)


def _run(run: Run) -> str:
    error = f" {escaped(run.error)}" if run.error else ""
    return f"- Run `{run.public_id}`: {escaped(runs.run_end(run))}{error}"
