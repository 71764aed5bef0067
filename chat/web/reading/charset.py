"""Bytes to text: by mark, by declaration, as UTF-8; guessed only where nothing says.

A declaration is believed even where it is wrong, as browsers do; what it cannot read is
marked and counted. The order is that of the Encoding Standard.
"""

import codecs
from dataclasses import dataclass
from typing import Literal

from chat.web.reading.errors import ReadingRefused, Reason
from chat.web.reading.guessing import guessed_codec, wide_codec
from chat.web.reading.labels import codec_for, name_for
from chat.web.reading.prescan import codec_inside

# UTF-32 before UTF-16: its little-endian mark begins with that of UTF-16.
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROL_BYTES = bytes([*range(8), *range(14, 27), *range(28, 32)])
_SNIFFED_BYTES = 4096
_LAST_RESORT = "cp1252"
# Beyond this share of unreadable characters what is left is no text.
_UNREADABLE_SHARE = 0.5


Source = Literal["mark", "header", "page", "utf-8", "guess", "last resort"]


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text, the codec that read it, who named that, and how many bytes it failed at.

    ``source`` is the mark at the beginning, the declaration beside or inside the body,
    ``utf-8`` where the bytes are valid as that, a guess from the bytes, or the last
    resort, windows-1252, which reads any.
    """

    text: str
    codec: str
    replaced: int
    source: Source

    def decision(self) -> str:
        """Return the encoding by the standard's name and its source, to be stored."""
        return f"{name_for(self.codec)} ({self.source})"


def decode(
    body: bytes, *, declared: str | None = None, prescan: bool = False
) -> Decoded:
    """Decode a body, or refuse it as binary.

    ``declared`` is what came with the body (an HTTP header); ``prescan`` also looks for
    a declaration inside (HTML and XML).
    """
    codec, source = declared_codec(body, declared, prescan) or _undeclared(body)
    if source == "mark":
        return _decoded(codec, body[_mark_length(body) :], source)
    if not codec.startswith("utf-16") and looks_binary(body):
        raise ReadingRefused(Reason.BINARY)
    return _decoded(codec, body, source)


def declared_codec(
    body: bytes, declared: str | None, prescan: bool
) -> tuple[str, Source] | None:
    """Return the codec that is declared, and where; None where none is, or unknown."""
    for mark, codec in _BYTE_ORDER_MARKS:
        if body.startswith(mark):
            return codec, "mark"
    named = codec_for(declared) if declared else None
    if named is not None:
        return named, "header"
    inside = codec_inside(body) if prescan else None
    return (inside, "page") if inside is not None else None


def without_broken_tail(body: bytes) -> bytes:
    """Return a body that was cut without the UTF-8 character that the cut broke."""
    for back in range(1, min(4, len(body) + 1)):
        byte = body[-back]
        if byte >= 0xC0:
            length = 2 + (byte >= 0xE0) + (byte >= 0xF0)
            return body[:-back] if back < length else body
        if byte < 0x80:
            break
    return body


def looks_binary(body: bytes) -> bool:
    """Say whether bytes in an encoding of single bytes or UTF-8 cannot be text."""
    if b"\0" in body:
        return True
    head = body[:_SNIFFED_BYTES]
    controls = len(head) - len(head.translate(None, _CONTROL_BYTES))
    return controls * 20 > len(head)


def _mark_length(body: bytes) -> int:
    return next(len(mark) for mark, _ in _BYTE_ORDER_MARKS if body.startswith(mark))


def _undeclared(body: bytes) -> tuple[str, Source]:
    codec = wide_codec(body)
    if codec is None and b"\x1b$" not in body and _is_utf8(body):
        return "utf-8", "utf-8"
    codec = codec or guessed_codec(body)
    return (codec, "guess") if codec else (_LAST_RESORT, "last resort")


def _is_utf8(body: bytes) -> bool:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _decoded(codec: str, body: bytes, source: Source) -> Decoded:
    try:
        return Decoded(body.decode(codec), codec, 0, source)
    except UnicodeDecodeError as error:
        first_bad = error.start
    text = body.decode(codec, "replace")
    own_marks = body.decode(codec, "ignore").count("\ufffd")
    replaced = text.count("\ufffd") - own_marks
    if replaced > _UNREADABLE_SHARE * len(text):
        detail = f"The first byte that is not {name_for(codec)} is at {first_bad}."
        raise ReadingRefused(Reason.CHARSET, detail)
    return Decoded(text, codec, replaced, source)
