"""Bytes of a page or document to readable text, and quotes back to their offsets."""

from chat.web.reading.errors import SENTENCES, ReadingRefused, Reason
from chat.web.reading.folding import Folded, fold
from chat.web.reading.media import media_type_for
from chat.web.reading.model_view import Shown, shown
from chat.web.reading.quotes import Grade, Match, locate, locate_all
from chat.web.reading.reader import READER_VERSION, read_page, readable
from chat.web.reading.values import (
    Hidden,
    Link,
    Readable,
    Span,
    Stated,
    StatedDate,
)

__all__ = [
    "READER_VERSION",
    "SENTENCES",
    "Folded",
    "Grade",
    "Hidden",
    "Link",
    "Match",
    "Readable",
    "ReadingRefused",
    "Reason",
    "Shown",
    "Span",
    "Stated",
    "StatedDate",
    "fold",
    "locate",
    "locate_all",
    "media_type_for",
    "read_page",
    "readable",
    "shown",
]
