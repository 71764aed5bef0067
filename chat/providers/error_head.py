"""An error as it may be logged, shown and kept: with neither key nor prompt.

Servers quote both: a refused key, the field that did not validate, the whole request.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from chat.engine import ErrorHead, ModelError, ModelRequest, Usage
from chat.engine.json_value import Json

HEAD_CHARS = 400
# Of its type, its code and the id of the request.
WORD_CHARS = 100
# As much is looked at, so that what is taken out leaves something to show.
LOOKED_AT = 800
SHORTEST_WHOLE = 5
RUN = 16
KEY_RUN = 8

_SECRETS = re.compile(r"(?i)\bbearer\s+\S+|\b(?:sk|pk|key)-[\w-]{8,}")


@dataclass(slots=True)
class Heard:
    """What is known of an answer while it is read, should it end in a failure.

    status, request_id: of the answer, None and "" before there is one. counts: its
    usage in the provider's own form, as far as it has come.
    """

    status: int | None = None
    request_id: str = ""
    counts: object = None

    def add_to(self, failed: ModelError, usage: Usage | None) -> None:
        """Add what the failure does not say itself; usage: of `counts`."""
        own = failed.head or ErrorHead()
        head = ErrorHead(
            own.status or self.status,
            own.type,
            own.code,
            own.request_id or self.request_id,
        )
        failed.head = None if head == ErrorHead() else head
        failed.usage = failed.usage or usage


def safe_error(failed: ModelError, request: ModelRequest, *, key: str) -> ModelError:
    """Return the same failure; no text of it shows the key or the prompt."""
    prompt = tuple(prompt_texts(request))

    def safe(text: str) -> str:
        return safe_head(text, key=key, prompt=prompt)

    head = failed.head and ErrorHead(
        failed.head.status,
        safe(failed.head.type)[:WORD_CHARS],
        safe(failed.head.code)[:WORD_CHARS],
        safe(failed.head.request_id)[:WORD_CHARS],
    )
    said = safe(failed.message)
    return ModelError(failed.kind, said, failed.facts, head=head, usage=failed.usage)


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
