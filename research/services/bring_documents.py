"""Documents that come with a run: from a folder on this machine, or uploaded.

The limits are those of document_limits.py; no symbolic links. One bad document refuses
the whole request by name, and no row is written.
"""

import stat
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Protocol, SupportsBytes

from accounts.errors import BadInput, TooLarge
from chat.web.reading import ReadingRefused, media_type_for
from research.document_limits import (
    MAX_FILE_BYTES,
    MAX_FILE_MIB,
    MAX_FILES,
    MAX_TOTAL_BYTES,
    MAX_TOTAL_MIB,
)
from research.services.archive_snapshot import ReadSource, read_source

MAX_NAME = 300


class Body(SupportsBytes, Protocol):
    """Bytes, or what reads them when `bytes()` asks and knows their number before."""

    def __len__(self) -> int: ...


@dataclass(frozen=True)
class Document:
    """One file by the name its owner knows it by."""

    name: str
    body: Body


@dataclass(frozen=True)
class FileBody:
    """A file of this machine, read when its turn comes."""

    path: Path
    size: int

    def __len__(self) -> int:
        return self.size

    def __bytes__(self) -> bytes:
        with self.path.open("rb") as file:
            return file.read(MAX_FILE_BYTES + 1)


def documents_from_paths(paths: Iterable[Path]) -> list[Document]:
    """Files as they are, folders with all they hold, in the order of their names.

    Raises BadInput or TooLarge in one sentence; reads nothing.
    """
    found: list[Document] = []
    for path in paths:
        found.extend(_files_of(path))
        _refuse_too_many(len(found))
    refuse_excess(_weights(found))
    return _told_apart(found)


def _told_apart(documents: Sequence[Document]) -> list[Document]:
    """Files of one name from several folders are named by their whole paths."""
    count = Counter(item.name for item in documents)
    return [
        Document(item.body.path.as_posix(), item.body)
        if count[item.name] > 1 and isinstance(item.body, FileBody)
        else item
        for item in documents
    ]


def read_documents(documents: Sequence[Document]) -> Iterator[ReadSource]:
    """Reads them one after the other, so that one body is in memory at a time.

    Raises BadInput or TooLarge and names the document: for its number, size or name
    before any is read, for its content when its turn comes.
    """
    refuse_excess(_weights(documents))
    names = [_clean_name(item.name) for item in documents]
    repeated = {name for name in names if names.count(name) > 1}
    if repeated:
        message = f"Two documents are named {sorted(repeated)[0]}; rename one."
        raise BadInput(message, code="document_repeated", field="document")
    pairs = zip(names, documents, strict=True)
    return (_read(name, item.body) for name, item in pairs)


def refuse_excess(sizes: Sequence[tuple[str, int]]) -> None:
    """Raises TooLarge when these names and sizes in bytes are over a limit."""
    _refuse_too_many(len(sizes))
    for name, size in sizes:
        if size > MAX_FILE_BYTES:
            message = (
                f"{name} is over {MAX_FILE_MIB} MiB, the most a document may have."
            )
            raise TooLarge(message, code="document_too_large", field="document")
    if sum(size for _, size in sizes) > MAX_TOTAL_BYTES:
        message = f"The documents are over {MAX_TOTAL_MIB} MiB together; bring fewer."
        raise TooLarge(message, code="documents_too_large", field="document")


def too_many_documents() -> TooLarge:
    """The refusal, for entrances where the framework has counted."""
    message = f"A run takes at most {MAX_FILES} documents; more were given."
    return TooLarge(message, code="too_many_documents", field="document")


def _files_of(path: Path) -> list[Document]:
    if not path.name:  # an empty argument, which would mean the current folder
        message = "An empty path is no document; give files and folders."
        raise BadInput(message, code="document_missing", field="document")
    try:
        mode = path.lstat().st_mode
        if stat.S_ISREG(mode):
            return [_file(path.name, path)]
        if stat.S_ISDIR(mode):
            return _folder_files(path)
    except OSError as error:
        message = f"{error.filename or path} cannot be read: {error.strerror}."
        raise BadInput(message, code="document_unreadable") from error
    message = f"{path} is a symbolic link or no file; give files and folders."
    raise BadInput(message, code="document_unreadable")


def _folder_files(folder: Path) -> list[Document]:
    found: list[Document] = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            message = f"{path} is a symbolic link; give the file itself."
            raise BadInput(message, code="document_unreadable")
        if path.is_file():
            whole_name = f"{folder.name}/{name}" if folder.name else name
            found.append(_file(whole_name, path))
            _refuse_too_many(len(found))
    if not found:
        message = f"{folder} holds no file."
        raise BadInput(message, code="document_missing")
    return found


def _file(name: str, path: Path) -> Document:
    return Document(name, FileBody(path, path.lstat().st_size))


def _weights(documents: Iterable[Document]) -> list[tuple[str, int]]:
    return [(item.name, len(item.body)) for item in documents]


def _refuse_too_many(count: int) -> None:
    if count > MAX_FILES:
        raise too_many_documents()


def _clean_name(name: str) -> str:
    """A relative POSIX name without tricks; it is shown, never opened."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    kept = [part for part in parts if part not in {"/", "..", "."}]
    clean = "/".join(kept)
    if not clean or len(clean) > MAX_NAME or not clean.isprintable():
        message = f"A document needs a printable name of at most {MAX_NAME} characters."
        raise BadInput(message, code="document_name", field="document")
    return clean


def document_uri(name: str) -> str:
    """The name as a URI, which holds no blank; all else stays as people wrote it."""
    return "document:" + name.replace("%", "%25").replace(" ", "%20")


def _read(name: str, body: Body) -> ReadSource:
    try:
        data = bytes(body)
    except OSError as error:
        message = f"{name} cannot be read: {error.strerror}."
        raise BadInput(message, code="document_unreadable", field="document") from error
    # A file may have grown since it was weighed.
    refuse_excess([(name, len(data))])
    try:
        return read_source(
            uri=document_uri(name),
            title=name,
            media_type=media_type_for(name),
            body=data,
        )
    except ReadingRefused as refused:
        message = f"{name} cannot be read: {refused}"
        raise BadInput(
            message, code=f"document_{refused.reason}", field="document"
        ) from refused
