"""The snapshot store as a folder: a file is there whole or not at all."""

import os
import secrets
from pathlib import Path

from django.core.files.base import File
from django.core.files.storage import FileSystemStorage


class SnapshotFiles(FileSystemStorage):
    """Writes beside the name, flushes to disk, then moves the file into place.

    Django's own storage writes under the final name: a full disk or a kill would leave
    a part of the bytes there for good.
    """

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        """The name as it is: it says what the bytes are, so replacing them is safe."""
        return name

    def _save(self, name: str, content: "File[bytes]") -> str:
        target = Path(self.path(name))
        # One by one: with parents=True the mode would hold for the last folder alone.
        for folder in reversed([it for it in target.parents if not it.exists()]):
            folder.mkdir(mode=0o700, exist_ok=True)
        draft = target.with_name(f"{target.name}.{secrets.token_hex(8)}.part")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as file:
                for chunk in content.chunks():
                    file.write(chunk)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(target)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
        return name
