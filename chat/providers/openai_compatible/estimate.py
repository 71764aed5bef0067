"""The most that a request may use, before it is sent."""

from chat.engine import ModelRequest, Usage
from chat.engine.context.tokens import message_tokens, text_tokens, tool_tokens

# Of our estimate; a tokenizer that fits a language badly takes that much more.
MARGIN = 2


def largest_usage(request: ModelRequest, max_output: int | None) -> Usage | None:
    """Return the usage that a request stays under; None where nothing bounds the reply.

    Nothing is taken as cached, which costs the most.
    """
    written = request.max_output_tokens or max_output
    if written is None:
        return None
    prompt = text_tokens(request.system)
    prompt += sum(map(message_tokens, request.messages))
    prompt += sum(map(tool_tokens, request.declared or request.tools))
    return Usage(input_tokens=prompt * MARGIN, output_tokens=written)
