"""The archive's bytes, named by their SHA-256 and kept apart per organization."""

from django.core.files.base import ContentFile
from django.core.files.storage import Storage, storages

from accounts.models import Organization
from research.canonical import sha256_hex


class EvidenceDamaged(Exception):
    """What the store holds is not what was archived, or is gone."""


def put_blob(organization: Organization, data: bytes) -> str:
    """Stores once and returns the lower-case hex SHA-256.

    What stands under the name with another size is a write that was cut off.
    """
    digest = sha256_hex(data)
    store = _store()
    name = _name(organization, digest)
    if not _is_whole(store, name, len(data)):
        store.save(name, ContentFile(data))
    return digest


def _is_whole(store: Storage, name: str, size: int) -> bool:
    try:
        return store.exists(name) and store.size(name) == size
    except OSError:  # another writer is replacing it
        return False


def get_blob(organization: Organization, digest: str) -> bytes:
    """Raises EvidenceDamaged when the bytes are gone or have another hash."""
    try:
        with _store().open(_name(organization, digest)) as file:
            data = bytes(file.read())
    except OSError as error:
        message = f"Snapshot {digest} is not in the store."
        raise EvidenceDamaged(message) from error
    if sha256_hex(data) != digest:
        message = f"Snapshot {digest} has other bytes than were archived."
        raise EvidenceDamaged(message)
    return data


def _store() -> Storage:
    return storages["snapshots"]


def _name(organization: Organization, digest: str) -> str:
    return f"{organization.public_id}/{digest[:2]}/{digest}"
