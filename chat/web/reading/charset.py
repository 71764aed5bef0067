"""Bytes to text: byte order mark, declaration, strict UTF-8; nothing is guessed."""

import codecs
import re
from dataclasses import dataclass

from chat.web.reading.errors import ReadingRefused, Reason
from chat.web.reading.labels import codec_for

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
# A declaration is believed while it misreads no more than this.
_REPLACED_AT_MOST = 2
_REPLACED_SHARE = 0.002


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text, the codec that read it, and how many bytes it could not read."""

    text: str
    codec: str
    replaced: int


def decode(
    body: bytes, *, declared: str | None = None, prescan: bool = False
) -> Decoded:
    """Decode a body, or refuse it as binary or as being in an unknown encoding.

    ``declared`` is what came with the body (an HTTP header); ``prescan`` also looks for
    a declaration inside (HTML and XML).
    """
    for mark, codec in _BYTE_ORDER_MARKS:
        if body.startswith(mark):
            return _decode_as(codec, body[len(mark) :])
    named = _declared_codec(body, declared, prescan)
    if not (named or "").startswith("utf-16") and looks_binary(body):
        raise ReadingRefused(Reason.BINARY)
    return _decode_as(named, body) if named else _decode_undeclared(body)


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


def _declared_codec(body: bytes, declared: str | None, prescan: bool) -> str | None:
    codec = codec_for(declared) if declared else None
    if codec is None and prescan:
        codec = _codec_inside(body[:_PRESCAN_BYTES])
    return codec


def _codec_inside(head: bytes) -> str | None:
    found = _XML_DECLARATION.match(head) or _META.search(head)
    codec = codec_for(found[1].decode("ascii", "replace")) if found else None
    # What was read as ASCII to find the word cannot be UTF-16.
    return "utf-8" if codec and codec.startswith("utf-16") else codec


def _decode_undeclared(body: bytes) -> Decoded:
    try:
        return Decoded(body.decode("utf-8"), "utf-8", 0)
    except UnicodeDecodeError as error:
        detail = f"It declares no encoding, and byte {error.start} is not UTF-8."
        raise ReadingRefused(Reason.CHARSET, detail) from None


def _decode_as(codec: str, body: bytes) -> Decoded:
    try:
        return Decoded(body.decode(codec), codec, 0)
    except UnicodeDecodeError as error:
        first_bad = error.start
    text = body.decode(codec, "replace")
    own_marks = body.decode(codec, "ignore").count("\ufffd")
    replaced = text.count("\ufffd") - own_marks
    if replaced > max(_REPLACED_AT_MOST, _REPLACED_SHARE * len(text)):
        detail = f"The first byte that is not {codec} is at {first_bad}."
        raise ReadingRefused(Reason.CHARSET, detail)
    return Decoded(text, codec, replaced)
