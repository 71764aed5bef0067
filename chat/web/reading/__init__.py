"""Bytes of a page or document to readable text, and quotes back to their offsets."""

from chat.web.reading.folding import Folded, fold
from chat.web.reading.quotes import Grade, Match, locate

__all__ = ["Folded", "Grade", "Match", "fold", "locate"]
