"""How evidence is put into HTML: safe text, times, and what a template asks of it."""

from collections.abc import Mapping
from datetime import UTC, datetime

from django import template
from django.utils import timezone
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.timesince import timesince

from chat.web.sanitize import linked as link_addresses
from research.evidence import Evidence
from research.models import Citation, Fact, Lookup, Question, Snapshot
from research.presentation import counts, findings
from research.presentation import visible as display
from research.presentation.words import minute
from research.services.passages import Passage

register = template.Library()
register.simple_tag(counts.denominators)
register.simple_tag(findings.findings_run)
register.filter(findings.accepted)
register.filter(findings.rejected)
register.filter(findings.says_more)
register.filter(display.one_line)


@register.filter
def visible(text: str) -> SafeString:
    """Escaped source text whose steering characters are isolated and can be seen.

    The text of the element stays the text that was given, so that it can be copied.
    """
    return mark_safe(display.steering_shown(escape(text), _isolated))  # noqa: S308


def _isolated(character: str) -> str:
    code = display.code_point(character)
    shown = _as_parsed(character)
    return f'<bdi class="control" data-code="{code}">{shown}</bdi>'


def _as_parsed(character: str) -> str:
    """What gives it in a page: a parser turns some characters into others."""
    if character == "\r":
        return "&#13;"
    unfit = character == "\0" or "\ud800" <= character <= "\udfff"
    return "\N{REPLACEMENT CHARACTER}" if unfit else character


@register.filter
def linked(text: str) -> SafeString:
    """What a person typed: escaped, addresses made links, nothing else kept."""
    return mark_safe(link_addresses(display.visible(text)))  # noqa: S308


@register.filter
def searched(question: Question) -> SafeString:
    """What was searched in vain, each term a quotation of its own."""
    return mark_safe(findings.searched(question, _quotation))  # noqa: S308


def _quotation(term: str) -> str:
    return f"<q>{visible(term)}</q>"


@register.filter
def shared_source(lookup: Lookup) -> Fact | None:
    """A fact that speaks for all: every fact has its tier and its document."""
    facts = list(lookup.facts.all())
    same = len({(fact.tier, fact.uri) for fact in facts}) == 1
    return facts[0] if same else None


@register.simple_tag
def snapshot_of(evidence: Evidence, uri: str) -> Snapshot | None:
    """The archived document of this dossier that a fact or lookup names, if any."""
    sources = (source for source in evidence.sources if uri and source.uri == uri)
    source = next(sources, None)
    return source.snapshot if source else None


@register.simple_tag
def passage_at(passages: Mapping[int, Passage], citation: Citation) -> Passage:
    """The archived text around a citation's quote."""
    return passages[citation.pk]


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


@register.simple_tag
def when(at: datetime | None) -> SafeString:
    """Relative in the flow; the moment itself on hover, on focus and in print."""
    if at is None:
        return SafeString("")
    return format_html(
        '<time class="when" tabindex="0" datetime="{}">{}'
        '<span class="when-exact"> ({})</span></time>',
        at.astimezone(UTC).isoformat(timespec="seconds"),
        _relative(at),
        minute(at),
    )


@register.filter
def is_past(at: datetime) -> bool:
    return at <= timezone.now()


def _relative(at: datetime) -> str:
    now = timezone.now()
    if at > now:
        return f"in {timesince(now, at, depth=1)}"
    if (now - at).total_seconds() < 60:
        return "just now"
    return f"{timesince(at, now, depth=1)} ago"
