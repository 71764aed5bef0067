"""What kind of text a name or a body is."""

from pathlib import PurePath

_BY_SUFFIX = {
    ".htm": "text/html",
    ".html": "text/html",
    ".xhtml": "application/xhtml+xml",
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".rst": "text/x-rst",
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".json": "application/json",
    ".xml": "application/xml",
    ".pdf": "application/pdf",
}
_HTML = {"text/html", "application/xhtml+xml"}


def media_type_for(name: str) -> str:
    """Return the media type for a file's name; plain text for any other suffix."""
    return _BY_SUFFIX.get(PurePath(name).suffix.lower(), "text/plain")


def is_pdf(body: bytes) -> bool:
    """Say whether the bytes begin as a PDF does, whatever they are declared to be."""
    return body[:1024].lstrip(b"\xef\xbb\xbf \t\r\n\0").startswith(b"%PDF-")


def is_html(media_type: str) -> bool:
    return media_type in _HTML


def is_xml(media_type: str) -> bool:
    return media_type.endswith(("/xml", "+xml"))


def essence(media_type: str) -> str:
    """Return the type and subtype alone, in lower case."""
    return media_type.split(";", 1)[0].strip().lower()
