"""Which encoding a body is in, and who says so.

The order is the WHATWG's: byte order mark, header, declaration within the first 1,024
bytes, UTF-8 where it is valid, windows-1252. Labels are those of its closed table.
"""

import codecs
import re
from dataclasses import dataclass
from enum import StrEnum

from chat.web.reading.labels import codec_for
from chat.web.reading.media import is_html, is_pdf, is_xml

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16le"),
    (codecs.BOM_UTF16_BE, "utf-16be"),
)
_PRESCAN_BYTES = 1024
_XML = re.compile(rb"\s*<\?xml\s[^>]{0,400}?encoding\s*=\s*[\"']([^\"'>]{1,40})[\"']")
_COMMENT = re.compile(rb"<!--.*?-->", re.S)
_META = re.compile(rb"<meta[\s/]([^>]*)", re.I)
_ATTRIBUTE = re.compile(
    rb"([a-z-]{1,20})\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))", re.I
)
_IN_CONTENT = re.compile(rb"charset\s*=\s*[\"']?\s*([^\s\"';]{1,40})", re.I)


class CharsetSource(StrEnum):
    """What decided on the encoding, in the order in which they are asked."""

    MARK = "byte_order_mark"
    HEADER = "header"
    XML = "xml_declaration"
    META = "meta"
    VALID = "valid_utf_8"
    FALLBACK = "fallback"


@dataclass(frozen=True, slots=True)
class Charset:
    """A label of the WHATWG's table in lower case, and what decided on it."""

    label: str
    source: CharsetSource


def charset_of(
    body: bytes, media_type: str, declared: str | None, *, cut: bool = False
) -> Charset | None:
    """Decide on the encoding of a body; None for PDF, which is no text.

    ``declared`` is the label in the header. Of a body that was ``cut`` the last
    character may be broken.
    """
    if is_pdf(body):
        return None
    for mark, label in _MARKS:
        if body.startswith(mark):
            return Charset(label, CharsetSource.MARK)
    if declared is not None and (known := _known(declared)):
        return Charset(known, CharsetSource.HEADER)
    return _declared_inside(body[:_PRESCAN_BYTES], media_type) or _undeclared(body, cut)


def _declared_inside(head: bytes, media_type: str) -> Charset | None:
    found = _XML.match(head) if is_xml(media_type) or is_html(media_type) else None
    if found and (label := _readable_label(found[1])):
        return Charset(label, CharsetSource.XML)
    if not is_html(media_type):
        return None
    for tag in _META.finditer(_COMMENT.sub(b"", head)):
        if label := _label_of_meta(tag[1]):
            return Charset(label, CharsetSource.META)
    return None


def _label_of_meta(tag: bytes) -> str | None:
    attributes = {
        name.lower(): double or single or bare
        for name, double, single, bare in reversed(_ATTRIBUTE.findall(tag))
    }
    if b"charset" in attributes:
        return _readable_label(attributes[b"charset"])
    if attributes.get(b"http-equiv", b"").lower() != b"content-type":
        return None
    found = _IN_CONTENT.search(attributes.get(b"content", b""))
    return _readable_label(found[1]) if found else None


def _readable_label(raw: bytes) -> str | None:
    """What was read byte by byte to find the label cannot be UTF-16."""
    label = _known(raw.decode("ascii", "replace"))
    is_wide = label is not None and (codec_for(label) or "").startswith("utf-16")
    return "utf-8" if is_wide else label


def _known(declared: str) -> str | None:
    label = declared.strip(" \t\n\r\f").lower()
    return label if codec_for(label) else None


def _undeclared(body: bytes, cut: bool) -> Charset:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        decoder.decode(body, final=not cut)
    except UnicodeDecodeError:
        return Charset("windows-1252", CharsetSource.FALLBACK)
    return Charset("utf-8", CharsetSource.VALID)
