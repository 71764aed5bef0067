"""The files of one installed distribution, read without leaving its environment."""

import csv
import re
import stat
from dataclasses import dataclass
from importlib.metadata import Distribution
from pathlib import Path, PurePosixPath

MOST_BYTES = 10 * 1024 * 1024
_LICENCE = re.compile(r"(?i)(?:licen[cs]e|copying|notice|authors)")


class UnreadableError(Exception):
    """A file is there and could not be read; the message says why."""


@dataclass(frozen=True, slots=True)
class InstalledFiles:
    """Where a distribution lies; `listed` is None when no RECORD lists its files."""

    root: Path
    info: Path
    listed: tuple[str, ...] | None

    def read_info(self, name: str) -> bytes | None:
        """The bytes of a file beside METADATA, or None if it is absent."""
        return self._read(self.info / name)

    def read_listed(self, name: str) -> bytes | None:
        """The bytes of a file that RECORD lists, or None if it is absent."""
        return self._read(self.root / name)

    def licence_names(self) -> list[str]:
        """Licence files beside METADATA, relative to it."""
        names = []
        for path in sorted(self.info.rglob("*")):
            name = path.relative_to(self.info)
            nested = name.parts[0] == "licenses" and len(name.parts) > 1
            if path.is_file() and (nested or _LICENCE.match(name.name)):
                names.append(name.as_posix())
        return names

    def path_file_names(self) -> list[str]:
        """Listed .pth files: the interpreter runs them at every start."""
        names = dict.fromkeys(self.listed or ())
        return [
            name
            for name in names
            if name.endswith(".pth") and len(PurePosixPath(name).parts) == 1
        ]

    def _read(self, path: Path) -> bytes | None:
        # RECORD is the publisher's: no path may lead out of the environment.
        try:
            if not path.resolve().is_relative_to(self.root.resolve()):
                raise UnreadableError("the path leads out of the environment")
            return read_bounded(path)
        except RuntimeError as error:
            raise UnreadableError("the path leads back to itself") from error


def read_bounded(path: Path) -> bytes | None:
    """The bytes of a file, or None if it is absent; raises UnreadableError."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise UnreadableError("no regular file")
        if status.st_size > MOST_BYTES:
            raise UnreadableError(f"larger than {MOST_BYTES // 1024 // 1024} MiB")
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        raise UnreadableError(reason) from error


def installed_files(distribution: Distribution) -> InstalledFiles:
    """The files of `distribution`; raises UnreadableError if it lies in no folder."""
    info = _info_folder(distribution)
    root = Path(str(distribution.locate_file("")))
    record = InstalledFiles(root, info, None).read_info("RECORD")
    return InstalledFiles(root, info, None if record is None else _listed(record))


def read_metadata(distribution: Distribution) -> bytes | None:
    """The bytes of METADATA, or None if it is absent; raises UnreadableError."""
    info = _info_folder(distribution)
    return read_bounded(info / metadata_name(info))


def metadata_name(info: Path) -> str:
    """What the file of the metadata is called in this kind of folder."""
    return "METADATA" if info.suffix == ".dist-info" else "PKG-INFO"


def _info_folder(distribution: Distribution) -> Path:
    # importlib.metadata has no public name for the folder of the metadata.
    info = getattr(distribution, "_path", None)
    if not isinstance(info, Path) or not info.is_dir():
        raise UnreadableError("its metadata is not a folder on disk")
    return info


def _listed(record: bytes) -> tuple[str, ...]:
    """The paths in RECORD; importlib.metadata leaves out those that are missing."""
    rows = csv.reader(record.decode("utf-8", errors="replace").splitlines())
    try:
        return tuple(row[0] for row in rows if row and row[0])
    except csv.Error as error:
        raise UnreadableError("its RECORD is malformed") from error
