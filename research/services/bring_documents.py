"""Documents that come with a run: from a folder on this machine, or uploaded.

500 files of 10 MiB, 200 MiB in all, no symbolic links. One bad document refuses the
whole request by name, before anything is written.
"""

import stat
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from accounts.errors import BadInput, TooLarge
from chat.web.reading import ReadingRefused, media_type_for
from research.services.archive_snapshot import ReadSource, read_source

MAX_FILES = 500
MAX_FILE_BYTES = 10 * 1024 * 1024
MAX_TOTAL_BYTES = 200 * 1024 * 1024
MAX_NAME = 300


@dataclass(frozen=True)
class Document:
    """One file by the name its owner knows it by."""

    name: str
    body: bytes


def documents_from_paths(paths: Iterable[Path]) -> list[Document]:
    """Files as they are, folders with all they hold, in the order of their names.

    Raises BadInput or TooLarge in one sentence; reads nothing before all is counted.
    """
    found: list[tuple[str, Path]] = []
    for path in paths:
        found.extend(_files_of(path))
        _refuse_too_many(len(found))
    _refuse_too_big([(name, path.lstat().st_size) for name, path in found])
    try:
        return [Document(name, path.read_bytes()) for name, path in found]
    except OSError as error:
        message = f"{error.filename} cannot be read: {error.strerror}."
        raise BadInput(message, code="document_unreadable") from error


def read_documents(documents: Sequence[Document]) -> list[ReadSource]:
    """Raises BadInput or TooLarge and names the document that cannot be read."""
    _refuse_too_many(len(documents))
    _refuse_too_big([(item.name, len(item.body)) for item in documents])
    names = [_clean_name(item.name) for item in documents]
    repeated = {name for name in names if names.count(name) > 1}
    if repeated:
        message = f"Two documents are named {sorted(repeated)[0]}; rename one."
        raise BadInput(message, code="document_repeated", field="document")
    return [_read(name, item.body) for name, item in zip(names, documents, strict=True)]


def _files_of(path: Path) -> list[tuple[str, Path]]:
    try:
        mode = path.lstat().st_mode
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror}."
        raise BadInput(message, code="document_unreadable") from error
    if stat.S_ISREG(mode):
        return [(path.name, path)]
    if not stat.S_ISDIR(mode):
        message = f"{path} is a symbolic link or no file; give files and folders."
        raise BadInput(message, code="document_unreadable")
    return _folder_files(path)


def _folder_files(folder: Path) -> list[tuple[str, Path]]:
    found: list[tuple[str, Path]] = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            message = f"{path} is a symbolic link; give the file itself."
            raise BadInput(message, code="document_unreadable")
        if path.is_file():
            found.append((f"{folder.name}/{name}" if folder.name else name, path))
            _refuse_too_many(len(found))
    if not found:
        message = f"{folder} holds no file."
        raise BadInput(message, code="document_missing")
    return found


def _refuse_too_many(count: int) -> None:
    if count > MAX_FILES:
        message = f"A run takes at most {MAX_FILES} documents; more were given."
        raise TooLarge(message, code="too_many_documents", field="document")


def _refuse_too_big(sizes: Sequence[tuple[str, int]]) -> None:
    for name, size in sizes:
        if size > MAX_FILE_BYTES:
            message = f"{name} has {size // 1_048_576} MiB; a document may have 10 MiB."
            raise TooLarge(message, code="document_too_large", field="document")
    if sum(size for _, size in sizes) > MAX_TOTAL_BYTES:
        message = "The documents have over 200 MiB together; bring fewer."
        raise TooLarge(message, code="documents_too_large", field="document")


def _clean_name(name: str) -> str:
    """A relative POSIX name without tricks; it is shown, never opened."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    kept = [part for part in parts if part not in {"/", "..", "."}]
    clean = "/".join(kept)
    if not clean or len(clean) > MAX_NAME or not clean.isprintable():
        message = "A document needs a printable name of at most 300 characters."
        raise BadInput(message, code="document_name", field="document")
    return clean


def _read(name: str, body: bytes) -> ReadSource:
    try:
        return read_source(
            uri=f"document:{name}",
            title=name,
            media_type=media_type_for(name),
            body=body,
        )
    except ReadingRefused as refused:
        message = f"{name} cannot be read: {refused}"
        raise BadInput(
            message, code=f"document_{refused.reason}", field="document"
        ) from refused
