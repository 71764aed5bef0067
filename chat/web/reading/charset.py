"""Bytes to text: by mark, by declaration, as UTF-8; guessed only where nothing says.

A declaration is believed even where it is wrong, as browsers do; what it cannot read is
marked and counted. The order is that of the Encoding Standard.
"""

import codecs
import re
from dataclasses import dataclass
from typing import Literal

from chat.web.reading.errors import ReadingRefused, Reason
from chat.web.reading.guessing import guessed_codec, wide_codec
from chat.web.reading.labels import codec_for, name_for

# UTF-32 before UTF-16: its little-endian mark begins with that of UTF-16.
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_PRESCAN_BYTES = 1024
_META = re.compile(
    rb"<meta[^>]{0,400}?charset\s*=\s*[\"']?\s*([^\s\"'/>;]{1,40})", re.I
)
_XML_DECLARATION = re.compile(
    rb"\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9._-]{1,40})[\"']"
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
    for mark, codec in _BYTE_ORDER_MARKS:
        if body.startswith(mark):
            return _decoded(codec, body[len(mark) :], "mark")
    codec, source = _named(body, declared, prescan)
    if not codec.startswith("utf-16") and looks_binary(body):
        raise ReadingRefused(Reason.BINARY)
    return _decoded(codec, body, source)


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


def _named(body: bytes, declared: str | None, prescan: bool) -> tuple[str, Source]:
    """Return the codec to use, and who named it."""
    codec = codec_for(declared) if declared else None
    if codec is not None:
        return codec, "header"
    codec = _codec_inside(body[:_PRESCAN_BYTES]) if prescan else None
    if codec is not None:
        return codec, "page"
    codec = wide_codec(body)
    if codec is None and b"\x1b$" not in body and _is_utf8(body):
        return "utf-8", "utf-8"
    codec = codec or guessed_codec(body)
    return (codec, "guess") if codec else (_LAST_RESORT, "last resort")


def _codec_inside(head: bytes) -> str | None:
    found = _XML_DECLARATION.match(head) or _META.search(head)
    codec = codec_for(found[1].decode("ascii", "replace")) if found else None
    # What was read as ASCII to find the word cannot be UTF-16.
    return "utf-8" if codec and codec.startswith("utf-16") else codec


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
