"""Server-sent events, from bytes in any pieces to the JSON of each frame.

A frame is one line here, as every server of this protocol writes it.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from chat.engine import ErrorKind, ModelError

DONE = "[DONE]"
_END = re.compile(rb"\r\n|\n|\r(?!\n)(?=.)", re.DOTALL)


def lines(chunks: Iterable[bytes]) -> Iterator[str]:
    """Yield the lines; one that is not ended is not whole and is left out.

    But for the last of all, which some servers do not end.
    """
    waiting: list[bytes] = []
    for chunk in chunks:
        if b"\n" not in chunk and b"\r" not in chunk:
            waiting.append(chunk)
            continue
        *whole, rest = _END.split(b"".join([*waiting, chunk]))
        waiting = [rest]
        for line in whole:
            yield line.decode("utf-8", "replace")
    rest = b"".join(waiting)
    if rest.endswith(b"\r") or rest.removeprefix(b"data:").strip() == DONE.encode():
        yield rest.decode("utf-8", "replace")


def frames(chunks: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """Yield each frame until [DONE]; ModelError where the stream ends without it.

    Comments, event names and empty lines are skipped. llama.cpp has sent its errors in
    a field of their own.
    """
    for line in lines(chunks):
        name, _, data = line.partition(":")
        data = data.strip()
        if name not in ("data", "error") or not data:
            continue
        if data == DONE:
            return
        frame = _object(data)
        yield {"error": frame} if name == "error" and "error" not in frame else frame
    raise broken_off()


def broken_off() -> ModelError:
    """What to raise for a stream that ended too early: it is no answer."""
    return ModelError(ErrorKind.UNAVAILABLE, "The stream broke off before its end.")


def _object(data: str) -> dict[str, Any]:
    try:
        frame = json.loads(data)
    except (ValueError, RecursionError):
        frame = None
    if not isinstance(frame, dict):
        msg = "A frame of the stream is no JSON object."
        raise ModelError(ErrorKind.UNAVAILABLE, msg)
    return frame
