"""Estimated sizes in tokens, for admission before a provider has counted."""

import json
from collections.abc import Mapping
from typing import Any

from chat.engine.messages import Message
from chat.engine.tools import Tool

MESSAGE_OVERHEAD = 4
# What an image of unknown size takes at most in the usual resolution.
IMAGE_TOKENS = 1_600
PIXELS_PER_TOKEN = 750


def text_tokens(text: str) -> int:
    """Estimate a text: four ASCII characters or three bytes of UTF-8 a token."""
    if text.isascii():
        return (len(text) + 3) // 4
    return (len(text.encode("utf-8", "surrogatepass")) + 2) // 3


def message_tokens(message: Message) -> int:
    """Estimate a message with its calls and results, or its raw form if longer."""
    calls = (
        text_tokens(call.name) + text_tokens(_argument_text(call.arguments))
        for call in message.calls
    )
    results = (text_tokens(result.content) for result in message.results)
    parts = len(message.calls) + len(message.results) + 1
    size = text_tokens(message.text) + sum(calls) + sum(results)
    if message.raw is not None:
        size = max(size, json_tokens(message.raw))
    return size + MESSAGE_OVERHEAD * parts


def tool_tokens(tool: Tool) -> int:
    """Estimate what the declaration of a tool takes."""
    return text_tokens(
        tool.name + tool.description + json.dumps(dict(tool.input_schema))
    )


def attachment_tokens(attachment: Any) -> int:
    """Estimate one of Task.attachments: an image by its size, the rest by its text."""
    return MESSAGE_OVERHEAD + json_tokens(attachment)


def json_tokens(value: Any) -> int:
    """Estimate a JSON value as a provider reads it, an image as an image."""
    total, waiting = 0, [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            total += text_tokens(item)
        elif isinstance(item, Mapping) and _is_image(item):
            total += _image_tokens(item)
        elif isinstance(item, Mapping):
            total += len(item)
            waiting.extend(item.values())
        elif isinstance(item, list | tuple):
            waiting.extend(item)
        else:
            total += 1
    return total


def _is_image(item: Mapping[Any, Any]) -> bool:
    media = item.get("media_type")
    return item.get("type") == "image" or (
        isinstance(media, str) and media.startswith("image/")
    )


def _image_tokens(item: Mapping[Any, Any]) -> int:
    width, height = item.get("width"), item.get("height")
    if not isinstance(width, int) or not isinstance(height, int):
        return IMAGE_TOKENS
    return max(1, width * height // PIXELS_PER_TOKEN)


def _argument_text(arguments: object) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments)
