"""The encoding that a page declares within its first bytes, as browsers look for it."""

import re

from chat.web.reading.labels import codec_for

_PRESCAN_BYTES = 1024
_XML = re.compile(rb"\s*<\?xml\s[^>]{0,400}?encoding\s*=\s*[\"']([^\"'>]{1,40})[\"']")
_COMMENT = re.compile(rb"<!--.*?-->", re.S)
_META = re.compile(rb"<meta[\s/]([^>]*)", re.I)
_ATTRIBUTE = re.compile(
    rb"([a-z-]{1,20})\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))", re.I
)
_IN_CONTENT = re.compile(rb"charset\s*=\s*[\"']?\s*([^\s\"';]{1,40})", re.I)


def codec_inside(body: bytes) -> str | None:
    """Return the codec that an XML declaration or the first good meta tag names."""
    head = body[:_PRESCAN_BYTES]
    found = _XML.match(head)
    if found and (codec := _codec(found[1])):
        return codec
    tags = _META.finditer(_COMMENT.sub(b"", head))
    return next((codec for tag in tags if (codec := _codec_of_meta(tag[1]))), None)


def _codec_of_meta(tag: bytes) -> str | None:
    """Only ``charset`` declares, or ``content`` where it stands for a header."""
    # Of an attribute that is there twice, the first counts.
    attributes = {
        name.lower(): double or single or bare
        for name, double, single, bare in reversed(_ATTRIBUTE.findall(tag))
    }
    if b"charset" in attributes:
        return _codec(attributes[b"charset"])
    if b"http-equiv" not in attributes:
        return None
    found = _IN_CONTENT.search(attributes.get(b"content", b""))
    return _codec(found[1]) if found else None


def _codec(label: bytes) -> str | None:
    """What was read byte by byte to find the label cannot be UTF-16."""
    codec = codec_for(label.decode("ascii", "replace"))
    return "utf-8" if codec and codec.startswith("utf-16") else codec
