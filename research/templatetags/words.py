"""Stored values in plain words; one table each, and an unknown value as it is."""

from collections.abc import Mapping

from django import template

from research.models import Citation, Grade

register = template.Library()

KINDS: Mapping[str, str] = {
    "mcp_server": "MCP server",
    "mcp_command": "MCP launch command",
    "package": "Package",
    "vendor": "Vendor",
    "question": "Question",
}
CASE_STATUSES: Mapping[str, str] = {
    "unreviewed": "Not reviewed",
    "requested": "Requested, not decided",
    "approved": "Approved",
    "denied": "Denied",
    "superseded": "Decided on older evidence",
}
RUN_STATUSES: Mapping[str, str] = {
    "queued": "Waiting in the queue",
    "running": "Under way",
    "waiting": "Waiting to try again",
    "completed": "Completed",
    "failed": "Failed",
    "cancelled": "Cancelled",
}
STOPS: Mapping[str, str] = {
    "completed": "The researcher went through all its questions.",
    "tool_budget": "The budget for tools was used up.",
    "context_tool_budget": "The budget for looking things up again was used up.",
    "token_budget": "The budget for tokens was used up.",
    "cost_budget": "The budget for money was used up.",
    "iteration_limit": "The limit of turns was reached.",
    "deadline": "The time for one run was over.",
    "llm_timeout": "The model did not answer in time.",
    "context_overflow": "There was more to read than the model can hold.",
    "truncated": "The model’s last answer was cut off.",
    "plugin_halt": "Research was switched off while the run was under way.",
    "empty_response": "The model gave an empty answer.",
    "refusal": "The model refused to go on.",
    "provider_unavailable": "The model could not be reached.",
    "cancelled": "Somebody cancelled it.",
    "error": "A fault stopped it.",
}
REJECTIONS: Mapping[str, str] = {
    "quote_missing": "its quote is not in the archived text",
}
RESEARCHERS: Mapping[str, str] = {"extractive": "The extractive researcher"}


@register.filter
def kind_words(value: str) -> str:
    return KINDS.get(value, value)


@register.filter
def case_status_words(value: str) -> str:
    return CASE_STATUSES.get(value, value)


@register.filter
def run_status_words(value: str) -> str:
    return RUN_STATUSES.get(value, value)


@register.filter
def stop_words(value: str) -> str:
    return STOPS.get(value, value.replace("_", " "))


@register.filter
def fact_words(value: str) -> str:
    return value.replace("_", " ")


@register.filter
def rejection_words(value: str) -> str:
    return REJECTIONS.get(value, value.replace("_", " "))


@register.filter
def researcher_words(value: str) -> str:
    return RESEARCHERS.get(value, value)


@register.filter
def grade_words(citation: Citation) -> str:
    """The first light: whether the quote is in the archived page, and where."""
    if citation.grade == Grade.MISSING:
        return "Quote is not in the page"
    where = f"bytes {citation.byte_start} to {citation.byte_end}"
    if citation.grade == Grade.EXACT:
        sentence = f"Quote is in the page (exact, {where})"
    else:
        sentence = (
            "Quote is in the page (typographic: quotation marks, dashes, spaces or"
            f" line breaks differ; {where})"
        )
    return f"{sentence}, across paragraphs" if citation.crosses_blocks else sentence
