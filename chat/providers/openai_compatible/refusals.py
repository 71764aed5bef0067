"""What of a request an endpoint has refused and can do without."""

import re
from collections.abc import Collection, Mapping

from chat.engine import ErrorKind, ModelError

_WORDS: Mapping[str, re.Pattern[str]] = {
    # A model that cannot stop thinking, or a route on which nobody knows the word.
    "reasoning": re.compile(r"reasoning|thinking|requested parameters", re.IGNORECASE),
    # Ollama's endpoint for this protocol wants text again.
    "mapping": re.compile(r"unmarshal|arguments|of type string", re.IGNORECASE),
    "broken": re.compile(r"argument|json|tool", re.IGNORECASE),
}
_SCHEMA = re.compile(
    r"response_format|json_schema|json schema|structured output|grammar|guided",
    re.IGNORECASE,
)


def refused_part(error: ModelError, parts: Collection[str]) -> str | None:
    """Return the one of `parts` that the error is about, None if about none."""
    if error.kind is not ErrorKind.INVALID_REQUEST:
        return None
    for part, words in _WORDS.items():
        if part in parts and words.search(error.message):
            return part
    return None


def schema_refused(error: ModelError) -> bool:
    """Whether the endpoint cannot hold an answer to the schema that it was given."""
    # llama.cpp fails at a grammar that it cannot make, with 500.
    refused = error.kind in (ErrorKind.INVALID_REQUEST, ErrorKind.UNAVAILABLE)
    return refused and _SCHEMA.search(error.message) is not None
