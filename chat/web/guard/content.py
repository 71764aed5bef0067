"""Which kinds of content are evidence, by declaration and by their first bytes."""

import codecs
import re
from dataclasses import dataclass

from chat.web.guard.policy import Policy
from chat.web.guard.refusal import FetchRefused, Reason
from chat.web.reading.charset import looks_binary
from chat.web.reading.media import is_pdf

_TYPE = re.compile(
    r"[ \t]*([a-z0-9!#$&^_.+-]+/[a-z0-9!#$&^_.+-]+)[ \t]*(?:;(.*))?", re.I
)
_CHARSET = re.compile(r"(?:^|;)\s*charset\s*=\s*\"?([^\s\";]{1,40})", re.I)
_APPLICATION = frozenset(
    f"application/{name}"
    for name in ("json", "xml", "xhtml+xml", "x-ndjson", "ndjson", "yaml", "x-yaml")
)
_HTML_START = re.compile(
    rb"\s*(?:<!--.{0,500}?-->\s*)?<(?:!doctype\s+html|html|head|body|title|script|style"
    rb"|meta|link|p|div|h1|a|table|br)[\s/>]",
    re.I | re.S,
)
# How binary files begin that may hold few or no bytes that text cannot have.
_SIGNATURE = re.compile(
    rb"\x89PNG\r\n|GIF8[79]a|\xff\xd8\xff|RIFF.{4}(?:WEBP|WAVE|AVI )"
    rb"|PK[\x03\x05][\x04\x06]|\x1f\x8b\x08|BZh[1-9]1AY&SY|\xfd7zXZ|7z\xbc\xaf|Rar!\x1a|\x28\xb5\x2f\xfd"
    rb"|\x7fELF|\xca\xfe\xba\xbe|ID3[\x02-\x04]|(?:wOF[F2]|OTTO|OggS|fLaC)\0",
    re.S,
)
_WIDE_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)


@dataclass(frozen=True, slots=True)
class ContentType:
    """A declared type; ``media_type`` is None where none can be read."""

    media_type: str | None
    charset: str | None


def declared_type(values: list[str], policy: Policy) -> ContentType:
    """Read Content-Type, and refuse what is not text before its body is read."""
    read = [found for value in values if (found := _TYPE.fullmatch(value))]
    types = {found[1].lower() for found in read}
    if len(types) > 1:
        raise FetchRefused(Reason.MEDIA_TYPE, "Two types are declared.")
    if not types:
        return ContentType(None, None)
    media_type = types.pop()
    if not _is_text(media_type) and not (
        policy.read_pdf and media_type == "application/pdf"
    ):
        raise FetchRefused(Reason.MEDIA_TYPE, f"It is {media_type[:80]}.")
    charset = _CHARSET.search(read[0][2] or "")
    return ContentType(media_type, charset[1] if charset else None)


def actual_type(declared: ContentType, body: bytes, policy: Policy) -> str:
    """Return the type of a body, sniffed where undeclared; refuses binary bytes."""
    if is_pdf(body):
        if policy.read_pdf:
            return "application/pdf"
        raise FetchRefused(Reason.BINARY, "It is a PDF.")
    is_wide = (declared.charset or "").lower().startswith(("utf-16", "ucs-2"))
    has_wide_mark = body.startswith(_WIDE_MARKS)
    if _SIGNATURE.match(body) or not (
        is_wide or has_wide_mark or not looks_binary(body)
    ):
        raise FetchRefused(Reason.BINARY)
    if declared.media_type is not None:
        return declared.media_type
    return "text/html" if _HTML_START.match(body[:1024]) else "text/plain"


def _is_text(media_type: str) -> bool:
    if media_type.startswith("text/") or media_type in _APPLICATION:
        return True
    is_application = media_type.startswith("application/")
    return is_application and media_type.endswith(("+json", "+xml"))
