"""What the agent needs of the world, as small protocols; services hand them in."""

from typing import Protocol

from chat.web.search import Document


class OfferedDocuments(Protocol):
    """The documents that this run may read and quote; never changes during a call."""

    def document(self, uri: str) -> Document | None:
        """The document under `uri`, or None if it was not offered."""
        ...
