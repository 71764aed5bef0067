"""The most that a request may use, before it is sent."""

from chat.engine import ModelRequest
from chat.engine.context.tokens import message_tokens, text_tokens, tool_tokens

# Our count is an estimate; a tokenizer that fits the language badly takes more.
MARGIN = 1.25


def largest_tokens(
    request: ModelRequest, max_output: int | None
) -> tuple[int, int] | None:
    """Return tokens read and written at most; None where nothing bounds the reply."""
    written = request.max_output_tokens or max_output
    if written is None:
        return None
    prompt = (
        text_tokens(request.system)
        + sum(map(message_tokens, request.messages))
        + sum(map(tool_tokens, request.declared or request.tools))
    )
    return int(prompt * MARGIN), written
