"""Finds every quote again in the archived bytes, and only then calls it a citation."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from chat.web.reading import Match, locate
from research.agent.extraction import ClaimDraft
from research.models import Citation, Claim, ClaimTier, Grade, Question, Run, Source
from research.services.archive_snapshot import snapshot_text

# Files that build tools and installers write; what stands there is no word of anybody.
MADE_BY_TOOLS = ("/RECORD", "/WHEEL", ".pth")
MISSING_REASON = "quote_missing"


@dataclass(frozen=True)
class ProvenQuote:
    """A quote and where it stands; `match` is None when the text does not hold it."""

    source: Source
    quote: str
    match: Match | None


@dataclass(frozen=True)
class CheckedClaim:
    draft: ClaimDraft
    quotes: tuple[ProvenQuote, ...]
    rejected_reason: str

    @property
    def accepted(self) -> bool:
        return not self.rejected_reason


def check_claims(
    drafts: Iterable[tuple[ClaimDraft, str]],
    sources: Mapping[str, Source],
    beat: Callable[[], None],
) -> list[CheckedClaim]:
    """Reads the archive, so call it outside any transaction.

    `drafts` come with the reason why validation rejected them, or "". `beat` is called
    before each quote, since finding one in a long text takes seconds. Raises
    EvidenceDamaged when the archive does not hold.
    """
    texts: dict[str, str] = {}
    checked = []
    for draft, reason in drafts:
        quotes = tuple(
            _prove(sources[uri], quote, texts, beat)
            for uri, quote in draft.quotes
            if uri in sources
        )
        missing = not quotes or any(quote.match is None for quote in quotes)
        fault = reason or (MISSING_REASON if missing else "")
        checked.append(CheckedClaim(draft, quotes, fault))
    return checked


def _prove(
    source: Source, quote: str, texts: dict[str, str], beat: Callable[[], None]
) -> ProvenQuote:
    """What is kept as the quote is the archive's own text, not what was sent."""
    beat()
    if source.uri not in texts:
        texts[source.uri] = snapshot_text(source.snapshot)
    text = texts[source.uri]
    match = locate(quote, text)
    verbatim = text[match.start : match.end] if match else quote
    return ProvenQuote(source, verbatim, match)


def store_claims(
    run: Run, checked: Iterable[CheckedClaim], questions: Mapping[str, Question]
) -> None:
    """Writes claims and citations; call inside the transaction that ends the run."""
    for position, claim in enumerate(checked):
        question = questions.get(claim.draft.question)
        if question is None:
            continue  # validation named it; there is no line to hang it on
        row = Claim.objects.create(
            run=run,
            question=question,
            position=position,
            statement=claim.draft.statement,
            tier=_tier(claim),
            rejected_reason=claim.rejected_reason,
        )
        Citation.objects.bulk_create(
            _citation(row, number, quote) for number, quote in enumerate(claim.quotes)
        )


def _tier(claim: CheckedClaim) -> ClaimTier:
    """What a collector read in the subject's own files is the publisher's word.

    One quote from elsewhere is enough for the claim not to be.
    """
    if not all(quote.source.origin == "collector" for quote in claim.quotes):
        return ClaimTier.PROVIDED
    made = all(quote.source.uri.endswith(MADE_BY_TOOLS) for quote in claim.quotes)
    return ClaimTier.OBSERVED if made else ClaimTier.PUBLISHER


def _citation(claim: Claim, position: int, quote: ProvenQuote) -> Citation:
    match = quote.match
    return Citation(
        claim=claim,
        snapshot=quote.source.snapshot,
        position=position,
        quote=quote.quote,
        grade=Grade(match.grade) if match else Grade.MISSING,
        start=match.start if match else None,
        end=match.end if match else None,
        byte_start=match.byte_start if match else None,
        byte_end=match.byte_end if match else None,
        crosses_blocks=match.crosses_blocks if match else False,
    )
