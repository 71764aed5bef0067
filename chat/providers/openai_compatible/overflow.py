"""Recognizes that a prompt was too long, in the words of many servers.

There is no code that they share. Each of these texts was seen in the wild.
"""

import re
from collections.abc import Mapping
from typing import Any

from chat.providers.openai_compatible.parts import a_count

_TOO_LONG = re.compile(
    r"context_length_exceeded|exceed_context_size"
    r"|maximum context length|context (length|limit|size|window)\b.*\bexceed"
    r"|exceeds? (the |this model's |your )?(available |maximum |max )?"
    r"(model's )?context"
    r"|prompt is too long|prompt too long|input is too long|input (length|token count)"
    r".{0,40}exceed|reduce the length of (the|your) (messages|prompt|input)"
    r"|context (the )?overflows|too many (input )?tokens",
    re.IGNORECASE | re.DOTALL,
)
_NUMBER = r"([\d][\d,_]*)"
_LIMITS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"context limit: [\d,_]+ \+ [\d,_]+ > {_NUMBER}",
        rf"context (?:length|window|size|limit)\D{{0,40}}?{_NUMBER}",
        rf"tokens? > {_NUMBER} maximum",
        rf"tokens? allowed \({_NUMBER}\)",
        rf"maximum (?:number of )?(?:input )?tokens\D{{0,20}}{_NUMBER}",
    )
)
# The prompt alone is looked for before the sum of prompt and reply.
_PROMPTS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\({_NUMBER} (?:in the messages|of text input|in the prompt)",
        rf"{_NUMBER} (?:input|prompt) tokens",
        rf"messages resulted in {_NUMBER} tokens",
        rf"too long: {_NUMBER} tokens",
        rf"context limit: {_NUMBER} \+",
        rf"token count \({_NUMBER}\)",
        rf"request \({_NUMBER} tokens\)",
        rf"keep the first {_NUMBER} tokens",
        rf"requested (?:about )?{_NUMBER} tokens",
    )
)


def is_overflow(words: str) -> bool:
    """Whether an error's codes and message say that the prompt is too long."""
    return _TOO_LONG.search(words) is not None


def overflow_facts(words: str, error: Mapping[str, Any]) -> dict[str, int]:
    """Return prompt_tokens and limit in tokens, as far as the error tells them."""
    prompt = a_count(error.get("n_prompt_tokens")) or _first(_PROMPTS, words)
    limit = a_count(error.get("n_ctx")) or _first(_LIMITS, words)
    figures = {"prompt_tokens": prompt, "limit": limit}
    return {name: figure for name, figure in figures.items() if figure}


def _first(patterns: tuple[re.Pattern[str], ...], words: str) -> int | None:
    for pattern in patterns:
        found = pattern.search(words)
        if found:
            return int(re.sub(r"[,_]", "", found.group(1)))
    return None
