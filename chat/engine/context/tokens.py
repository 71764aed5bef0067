"""Estimated sizes in tokens, for admission before a provider has counted."""

import json

from chat.engine.messages import Message
from chat.engine.tools import Tool

MESSAGE_OVERHEAD = 4


def text_tokens(text: str) -> int:
    """Estimate a text: four ASCII characters or three bytes of UTF-8 a token."""
    if text.isascii():
        return (len(text) + 3) // 4
    return (len(text.encode("utf-8", "surrogatepass")) + 2) // 3


def message_tokens(message: Message) -> int:
    """Estimate a message with its calls and results."""
    calls = (
        text_tokens(call.name) + text_tokens(_argument_text(call.arguments))
        for call in message.calls
    )
    results = (text_tokens(result.content) for result in message.results)
    parts = len(message.calls) + len(message.results) + 1
    size = text_tokens(message.text) + sum(calls) + sum(results)
    return size + MESSAGE_OVERHEAD * parts


def tool_tokens(tool: Tool) -> int:
    """Estimate what the declaration of a tool takes."""
    return text_tokens(
        tool.name + tool.description + json.dumps(dict(tool.input_schema))
    )


def _argument_text(arguments: object) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments)
