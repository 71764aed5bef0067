"""Any body to its readable text: the one entrance to reading."""

from dataclasses import replace
from typing import Protocol

from chat.web.reading import media
from chat.web.reading.charset import Decoded, decode, without_broken_tail
from chat.web.reading.cleaning import SPELLED, clean
from chat.web.reading.errors import ReadingRefused, Reason
from chat.web.reading.html import read_html
from chat.web.reading.nesting import within_measure
from chat.web.reading.process import ProcessLimits, read_in_process
from chat.web.reading.values import Hidden, Readable, Span

# Stored with every snapshot. Raise it when the same bytes would give another text.
READER_VERSION = "2"

MAX_BYTES = 16 * 1024 * 1024

# Unclosed formatting elements make time grow with the cube of the size; this little
# HTML takes a fraction of a second at worst.
_PARSED_HERE_AT_MOST = 2 * 1024
_HTML_LIMITS = ProcessLimits(cpu_s=2, wall_s=15.0)
_PDF_LIMITS = ProcessLimits(cpu_s=15, wall_s=45.0)


class PageLike(Protocol):
    """What reading needs of a fetched page."""

    @property
    def body(self) -> bytes: ...
    @property
    def media_type(self) -> str: ...
    @property
    def charset(self) -> str | None: ...
    @property
    def final_url(self) -> str: ...
    @property
    def body_truncated(self) -> bool: ...


def read_page(page: PageLike, max_chars: int | None = None) -> Readable:
    """Return the readable form of a fetched page."""
    body = without_broken_tail(page.body) if page.body_truncated else page.body
    return readable(
        body,
        media_type=page.media_type,
        charset=page.charset,
        url=page.final_url,
        max_chars=max_chars,
    )


def readable(
    body: bytes,
    *,
    media_type: str = "text/html",
    charset: str | None = None,
    url: str = "",
    max_chars: int | None = None,
) -> Readable:
    """Return all text of a body that a person would see.

    ``charset`` is the encoding declared with the body; ``url`` is where relative links
    start from; ``max_chars`` cuts the text, None keeps all. Raises ReadingRefused.
    """
    if len(body) > MAX_BYTES:
        raise ReadingRefused(Reason.TOO_LARGE, f"The limit is {MAX_BYTES} bytes.")
    whole = _read(body, media.essence(media_type), charset, url)
    if not whole.text.strip():
        raise ReadingRefused(Reason.EMPTY, _hidden_in(whole))
    return _cut(whole, max_chars)


def _read(body: bytes, media_type: str, charset: str | None, url: str) -> Readable:
    if not body:
        raise ReadingRefused(Reason.EMPTY)
    if media.is_pdf(body):
        return read_in_process(
            "pdf", body, limits=_PDF_LIMITS, exceeded=Reason.PDF_LIMIT
        )
    if media_type == "application/pdf":
        raise ReadingRefused(Reason.PDF_BROKEN)
    is_html = media.is_html(media_type)
    prescan = is_html or media.is_xml(media_type)
    decoded = decode(body, declared=charset, prescan=prescan)
    return _read_markup(decoded, url) if is_html else _read_plain(decoded)


def _hidden_in(page: Readable) -> str:
    """Say that a page has text which only a script would show; it is no evidence."""
    count = sum(len(hidden.text) for hidden in page.hidden)
    return f"All of its {count:,} characters are hidden." if count else ""


def _read_plain(decoded: Decoded) -> Readable:
    """Plain text, Markdown, JSON, CSV, XML: white space stays as it is."""
    cleaned = clean(decoded.text)
    return Readable(
        text=cleaned.text,
        main=[(0, len(cleaned.text))],
        hidden=[Hidden(words, SPELLED) for words in cleaned.spelled],
        replaced=decoded.replaced,
        removed=cleaned.removed,
        charset=decoded.decision(),
    )


def _read_markup(decoded: Decoded, url: str) -> Readable:
    html = within_measure(decoded.text)
    if len(html) <= _PARSED_HERE_AT_MOST:
        page = read_html(html, url)
    else:
        encoded = html.encode("utf-8", "replace")
        page = read_in_process(
            "html", encoded, url=url, limits=_HTML_LIMITS, exceeded=Reason.HTML_LIMIT
        )
    return replace(
        page,
        text_truncated=len(html) < len(decoded.text),
        replaced=decoded.replaced,
        charset=decoded.decision(),
    )


def _cut(whole: Readable, max_chars: int | None) -> Readable:
    """Keep the first characters; what is marked beyond them is dropped or clipped."""
    if max_chars is None or len(whole.text) <= max_chars:
        return whole
    return replace(
        whole,
        text=whole.text[:max_chars],
        main=_clipped(whole.main, max_chars),
        pages=_clipped(whole.pages, max_chars),
        text_truncated=True,
    )


def _clipped(spans: list[Span], end: int) -> list[Span]:
    return [(start, min(stop, end)) for start, stop in spans if start < end]
