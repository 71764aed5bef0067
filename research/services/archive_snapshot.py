"""Archives one source: its bytes, and the readable text that quotes are found in."""

from dataclasses import dataclass

from django.utils import timezone

from accounts.models import Organization
from chat.web.reading import READER_VERSION, Readable, readable
from research.models import Snapshot
from research.services.snapshot_store import get_blob, put_blob


@dataclass(frozen=True)
class ReadSource:
    """A source after reading and before any row is written."""

    uri: str
    title: str
    media_type: str
    body: bytes
    readable: Readable


def read_source(*, uri: str, title: str, media_type: str, body: bytes) -> ReadSource:
    """Raises chat.web.reading.ReadingRefused; parses, so never inside a transaction."""
    return ReadSource(
        uri, title, media_type, body, readable(body, media_type=media_type, url=uri)
    )


def store_source(organization: Organization, source: ReadSource) -> Snapshot:
    """Puts the bytes into the store and returns the row, not yet saved."""
    return Snapshot(
        organization=organization,
        uri=source.uri,
        title=source.title[:500],
        media_type=source.media_type,
        body_sha256=put_blob(organization, source.body),
        body_bytes=len(source.body),
        text_sha256=put_blob(organization, source.readable.text.encode()),
        text_chars=len(source.readable.text),
        reader_version=READER_VERSION,
        text_truncated=source.readable.text_truncated,
        replaced=source.readable.replaced,
        removed=source.readable.removed,
        taken_at=timezone.now(),
    )


def snapshot_text(snapshot: Snapshot) -> str:
    """The archived text, its hash checked. Raises EvidenceDamaged."""
    return get_blob(snapshot.organization, snapshot.text_sha256).decode()
