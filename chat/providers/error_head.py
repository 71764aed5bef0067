"""The head of an error as it may be logged and shown: neither key nor prompt.

Servers quote both: a refused key, the field that did not validate, the whole request.
"""

import json
import re
from collections.abc import Iterable, Iterator

from chat.engine import ModelRequest
from chat.engine.json_value import Json

HEAD_CHARS = 400
# As much is looked at, so that what is taken out leaves something to show.
LOOKED_AT = 800
SHORTEST_WHOLE = 5
RUN = 16
KEY_RUN = 8

_SECRETS = re.compile(r"(?i)\bbearer\s+\S+|\b(?:sk|pk|key)-[\w-]{8,}")


def safe_head(text: str, *, key: str, prompt: Iterable[str]) -> str:
    """Return the beginning of `text` on one line, at most 400 characters.

    Taken out are the key, and of the prompt's texts each one that is quoted whole
    and every stretch of 16 characters.
    """
    head = "".join(char if char.isprintable() else " " for char in text[:LOOKED_AT])
    head = _without_runs(" ".join(head.split()), key, KEY_RUN, "[key]")
    head = _SECRETS.sub("[key]", head)
    pieces = [" ".join(piece.split()) for piece in prompt]
    for piece in sorted(set(pieces), key=len, reverse=True):
        if SHORTEST_WHOLE <= len(piece) <= LOOKED_AT:
            head = head.replace(piece, "[prompt]")
    head = _without_runs(head, "\0".join(pieces), RUN, "[prompt]")
    return head if len(head) <= HEAD_CHARS else head[: HEAD_CHARS - 3] + "..."


def prompt_texts(request: ModelRequest) -> Iterator[str]:
    """Every text of the request that is somebody's business alone."""
    yield request.system
    yield request.task.objective
    for message in request.messages:
        yield message.text
        yield from (result.content for result in message.results)
        yield from (_as_text(call.arguments) for call in message.calls)


def _as_text(arguments: Json) -> str:
    if isinstance(arguments, str):
        return arguments
    return json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))


def _without_runs(text: str, source: str, length: int, mark: str) -> str:
    """Replace every stretch of at least `length` characters that is in `source`."""
    if len(source) < length:
        return text.replace(source, mark) if source else text
    kept, place = [], 0
    while place < len(text):
        end = place + length
        if end > len(text) or text[place:end] not in source:
            kept.append(text[place])
            place += 1
            continue
        while end < len(text) and text[end - length + 1 : end + 1] in source:
            end += 1
        kept.append(mark)
        place = end
    return "".join(kept)
