"""The archive holds whole files only, and mends what a full disk left behind."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages

from accounts.models import Organization
from research.services.snapshot_store import EvidenceDamaged, get_blob, put_blob
from research.snapshot_files import SnapshotFiles
from tests.factories.accounts import make_organization

pytestmark = pytest.mark.django_db
DATA = b"The archived page."


def file_of(folder: Path, organization: Organization, digest: str) -> Path:
    (found,) = (folder / organization.public_id).rglob(digest)
    return found


@pytest.fixture
def folder() -> Path:
    return Path(storages["snapshots"].path(""))


class FullDisk(ContentFile):
    """Gives up in the middle of its bytes."""

    def chunks(self, chunk_size: int | None = None) -> Iterator[bytes]:
        yield b"The arch"
        raise OSError(28, "No space left on device")


def test_what_is_put_is_got_back() -> None:
    organization = make_organization()
    assert get_blob(organization, put_blob(organization, DATA)) == DATA


def test_a_write_that_was_cut_off_is_done_again(folder: Path) -> None:
    organization = make_organization()
    digest = put_blob(organization, DATA)
    file_of(folder, organization, digest).write_bytes(DATA[:5])
    with pytest.raises(EvidenceDamaged):
        get_blob(organization, digest)
    assert put_blob(organization, DATA) == digest
    assert get_blob(organization, digest) == DATA


def test_changed_bytes_are_never_given_out(folder: Path) -> None:
    organization = make_organization()
    digest = put_blob(organization, DATA)
    file_of(folder, organization, digest).write_bytes(DATA.upper())
    with pytest.raises(EvidenceDamaged):
        get_blob(organization, digest)


def test_a_full_disk_leaves_nothing_under_the_name(tmp_path: Path) -> None:
    store = SnapshotFiles(location=tmp_path)
    with pytest.raises(OSError, match="No space left"):
        store.save("ab/abc", FullDisk(b""))
    assert not store.exists("ab/abc")
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.django_db(transaction=True)
def test_many_writers_of_the_same_bytes_leave_one_file(folder: Path) -> None:
    organization = make_organization()
    bodies = [DATA * number for number in range(1, 6)]
    with ThreadPoolExecutor(12) as pool:
        digests = set(pool.map(lambda data: put_blob(organization, data), bodies * 40))
    files = [
        path for path in (folder / organization.public_id).rglob("*") if path.is_file()
    ]
    assert {path.name for path in files} == digests
    assert len(files) == len(bodies)


def test_one_organizations_bytes_are_not_anothers() -> None:
    digest = put_blob(make_organization(), DATA)
    with pytest.raises(EvidenceDamaged):
        get_blob(make_organization(), digest)
