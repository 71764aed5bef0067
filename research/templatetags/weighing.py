"""How evidence is shown: counts with denominators, safe text, times."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from django import template
from django.utils import timezone
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.timesince import timesince

from chat.web.sanitize import linked as link_addresses
from research.evidence import Evidence
from research.exports.visible import STEERING
from research.models import (
    Claim,
    Fact,
    Lookup,
    Outcome,
    Question,
    QuestionOutcome,
    Run,
    Snapshot,
)

register = template.Library()

# The parser of a browser drops NUL and turns a carriage return into a line feed.
_AS_REFERENCE = {"\0": "\N{REPLACEMENT CHARACTER}", "\r": "&#13;"}


_MARKUP = str.maketrans("", "", "*`_")


@dataclass(frozen=True)
class Tally:
    """The counts that a dossier is introduced with."""

    questions: int
    answered: int
    not_found: int
    not_checked: int
    quotes: int
    proven: int
    lookups: int
    found: int
    absent: int
    unknown: int
    rejected: int


@register.simple_tag
def tally(evidence: Evidence) -> Tally:
    outcomes = [question.outcome for question in evidence.questions]
    lookups = [lookup.outcome for lookup in evidence.lookups]
    return Tally(
        questions=len(outcomes),
        answered=outcomes.count(QuestionOutcome.ANSWERED),
        not_found=outcomes.count(QuestionOutcome.SEARCHED_NOT_FOUND),
        not_checked=outcomes.count(QuestionOutcome.NOT_CHECKED),
        quotes=len(evidence.citations),
        proven=evidence.proven,
        lookups=len(lookups),
        found=lookups.count(Outcome.FOUND),
        absent=lookups.count(Outcome.ABSENT),
        unknown=lookups.count(Outcome.UNKNOWN),
        rejected=len(evidence.claims) - len(evidence.accepted),
    )


@register.simple_tag
def findings_run(evidence: Evidence) -> Run | None:
    """The run whose ledger is shown, else the newest one."""
    return evidence.questions[0].run if evidence.questions else evidence.run


@register.filter
def accepted(claims: Iterable[Claim]) -> list[Claim]:
    return [claim for claim in claims if not claim.rejected_reason]


@register.filter
def rejected(claims: Iterable[Claim]) -> list[Claim]:
    return [claim for claim in claims if claim.rejected_reason]


@register.filter
def says_more(claim: Claim) -> bool:
    """Whether the statement is anything else than its one quote, unmarked."""
    quotes = [_unmarked(citation.quote) for citation in claim.citations.all()]
    return quotes != [_unmarked(claim.statement)]


def _unmarked(text: str) -> list[str]:
    """The words without the spacing and emphasis of plain-text markup."""
    return text.translate(_MARKUP).split()


@register.filter
def shared_source(lookup: Lookup) -> Fact | None:
    """A fact that speaks for all: every fact has its tier and its document."""
    facts = list(lookup.facts.all())
    same = len({(fact.tier, fact.uri) for fact in facts}) == 1
    return facts[0] if same else None


@register.filter
def searches(question: Question) -> list[str]:
    """What was searched for; a row that cannot be read shows nothing."""
    try:
        listed = json.loads(question.searches)
    except ValueError:
        return []
    return [str(item) for item in listed] if isinstance(listed, list) else []


@register.simple_tag
def snapshot_of(evidence: Evidence, uri: str) -> Snapshot | None:
    """The archived document of this dossier that a fact or lookup names, if any."""
    sources = (source for source in evidence.sources if uri and source.uri == uri)
    source = next(sources, None)
    return source.snapshot if source else None


@register.filter
def short_uri(uri: str) -> str:
    """Without what all the documents of a dossier share; web addresses stay whole."""
    scheme, colon, rest = uri.partition(":")
    if scheme == "dist":
        return rest.partition("/")[2] or uri
    return rest if scheme == "document" and colon else uri


@register.filter
def grouped(number: int) -> str:
    """Thousands apart: 32,170."""
    return f"{number:,}"


@register.filter
def visible(text: str) -> SafeString:
    """Escaped source text whose invisible characters are isolated and can be seen.

    The text of the element stays the text that was given, so that it can be copied.
    """
    return mark_safe(STEERING.sub(_isolated, escape(text)))  # noqa: S308


def _isolated(match: re.Match[str]) -> str:
    character = match.group()
    shown = _AS_REFERENCE.get(character, character)
    return f'<bdi class="control" data-code="U+{ord(character):04X}">{shown}</bdi>'


@register.filter
def linked(text: str) -> SafeString:
    """What a person typed: escaped, addresses made links, nothing else kept."""
    return mark_safe(link_addresses(text))  # noqa: S308


@register.simple_tag
def when(at: datetime | None) -> SafeString:
    """Relative in the flow; the moment itself on hover, on focus and in print."""
    if at is None:
        return SafeString("")
    moment = at.astimezone(UTC)
    return format_html(
        '<time class="when" tabindex="0" datetime="{}">{}'
        '<span class="when-exact"> ({})</span></time>',
        moment.isoformat(timespec="seconds"),
        _relative(moment),
        f"{moment.day} {moment:%b %Y, %H:%M} UTC",
    )


@register.filter
def is_past(moment: datetime) -> bool:
    return moment <= timezone.now()


def _relative(moment: datetime) -> str:
    now = timezone.now()
    if moment > now:
        return f"in {timesince(now, moment, depth=1)}"
    if (now - moment).total_seconds() < 60:
        return "just now"
    return f"{timesince(moment, now, depth=1)} ago"
