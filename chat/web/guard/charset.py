"""Which encoding is declared for a body, and where: the reading's own rule, told."""

from dataclasses import dataclass

from chat.web.reading.charset import Source, declared_codec
from chat.web.reading.labels import name_for
from chat.web.reading.media import is_html, is_pdf, is_xml


@dataclass(frozen=True, slots=True)
class Charset:
    """An encoding by its standard name, and what declares it.

    ``source`` is ``mark`` (byte order mark), ``header`` or ``page`` (within the first
    1,024 bytes); they are asked in this order.
    """

    name: str
    source: Source


def declared_charset(
    body: bytes, media_type: str, header: str | None
) -> Charset | None:
    """Return what is declared; None where nothing is, or nothing that is known."""
    prescan = is_html(media_type) or is_xml(media_type)
    found = None if is_pdf(body) else declared_codec(body, header, prescan)
    return Charset(name_for(found[0]), found[1]) if found else None
