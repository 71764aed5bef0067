"""Estimated sizes in tokens, for admission before a provider has counted."""

import json
import re
from bisect import bisect_right
from collections.abc import Mapping
from typing import Any

from chat.engine.messages import Message
from chat.engine.tools import Tool

MESSAGE_OVERHEAD = 4
# Of English text, as of most that is ASCII.
CHARS_PER_TOKEN = 4
# What an image of unknown size takes at most in the usual resolution.
IMAGE_TOKENS = 1_600
PIXELS_PER_TOKEN = 750
_IMAGE_URL = re.compile(r"data:image/[\w.+-]{1,40};base64,[A-Za-z0-9+/=]*")


_TEXT = json.JSONEncoder(ensure_ascii=False, default=str)


def text_tokens(text: str) -> int:
    """Estimate a text, in one pass.

    Four ASCII characters are a token, three bytes of other scripts (one Han character,
    a letter and a half in Cyrillic), and each emoji is three.
    """
    if text.isascii():
        return length_tokens(len(text))
    ascii_only = len(text.encode("ascii", "ignore"))
    # Beyond the basic plane a character takes two units of UTF-16 instead of one.
    beyond = len(text.encode("utf-16-le", "surrogatepass")) // 2 - len(text)
    between = len(text.encode("utf-8", "surrogatepass")) - ascii_only - 4 * beyond
    return (3 * ascii_only + 4 * between + 36 * beyond + 11) // 12


def length_tokens(length: int) -> int:
    """Estimate an ASCII text by its length in characters."""
    return (length + CHARS_PER_TOKEN - 1) // CHARS_PER_TOKEN


def chars_within(text: str, tokens: int) -> int:
    """Return how many characters of its beginning fit into `tokens`."""
    most = min(len(text), max(0, tokens) * CHARS_PER_TOKEN)
    if text[:most].isascii():
        return most
    lengths = range(1, most + 1)
    return bisect_right(lengths, tokens, key=lambda chars: text_tokens(text[:chars]))


def argument_text(arguments: object) -> str:
    """Return the arguments of a call as the text that they take."""
    if isinstance(arguments, str):
        return arguments
    return _TEXT.encode(arguments)


def message_tokens(message: Message) -> int:
    """Estimate a message with its calls and results, or its raw form if longer."""
    size = text_tokens(message.text)
    for call in message.calls:
        size += text_tokens(call.name) + text_tokens(argument_text(call.arguments))
    for result in message.results:
        size += text_tokens(result.content)
    parts = len(message.calls) + len(message.results) + 1
    if message.raw is not None:
        size = max(size, json_tokens(message.raw))
    return size + MESSAGE_OVERHEAD * parts


def tool_tokens(tool: Tool) -> int:
    """Estimate what the declaration of a tool takes."""
    schema = json.dumps(dict(tool.input_schema), ensure_ascii=False)
    return text_tokens(tool.name + tool.description + schema)


def attachment_tokens(attachment: Any) -> int:
    """Estimate one of Task.attachments: an image by its size, the rest by its text."""
    return MESSAGE_OVERHEAD + json_tokens(attachment)


def json_tokens(value: Any) -> int:
    """Estimate a JSON value as a provider reads it, an image as an image."""
    total, waiting = 0, [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, Mapping) and not _is_image(item):
            waiting += [*item, *item.values()]
        elif isinstance(item, list | tuple):
            waiting += item
        elif isinstance(item, Mapping):
            total += _image_tokens(item)
        elif isinstance(item, str) and _IMAGE_URL.fullmatch(item):
            total += IMAGE_TOKENS
        else:
            total += text_tokens(item if isinstance(item, str) else repr(item))
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
