"""Rules about size, which the API checks last: the whole request, and the prompt."""

from tests.fakes.model_server.contract.asked import Asked
from tests.fakes.model_server.tokens import count_tokens
from tests.fakes.model_server.values import Refusal

LIMIT_BYTES = 32 * 1024 * 1024


def request_is_not_too_large(asked: Asked) -> Refusal | None:
    """Row 40: 32 MB, and 100,000 messages."""
    if asked.request.size > LIMIT_BYTES:
        return Refusal("Request exceeds the maximum size", 413, "request_too_large")
    return None


def messages_are_not_too_many(asked: Asked) -> str | None:
    """Row 40 (text not verified)."""
    if len(asked.messages) > 100_000:
        return "messages: List should have at most 100000 items"
    return None


def prompt_fits_the_window(asked: Asked) -> str | None:
    """Row 26."""
    tokens, window = count_tokens(asked.body), asked.traits.window
    if tokens > window and not asked.counting:
        return f"prompt is too long: {tokens} tokens > {window} maximum"
    return None
