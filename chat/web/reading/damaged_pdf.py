"""The pages of a damaged PDF that can still be found, by pypdf."""

import io
import logging
from collections.abc import Iterator

import pypdf

from chat.web.reading.errors import ReadingRefused, Reason


def pages_found(body: bytes) -> Iterator[str]:
    """Yield the text of each page that pypdf finds; raises ReadingRefused at none."""
    # What it says of damage would go to nobody.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        for page in pypdf.PdfReader(io.BytesIO(body)).pages:
            yield page.extract_text()
    except Exception as error:
        # On damaged files it lets errors of nearly any kind pass.
        raise ReadingRefused(Reason.PDF_BROKEN, str(error)) from error
