"""Writing an export: checked before the work begins, and whole or not at all."""

import os
import secrets
from pathlib import Path

from accounts.errors import BadInput


def check_writable(path: Path) -> None:
    """Raises BadInput unless a file can be made beside where `path` points."""
    target = path.resolve()
    try:
        if target.is_dir():
            raise IsADirectoryError(None, "it is a folder")
        draft = _new_draft(target)
    except OSError as error:
        raise _refusal(path, error) from error
    draft.unlink()


def write_whole(path: Path, text: str) -> None:
    """Replaces the file in one step, so that nobody ever reads half of it."""
    target = path.resolve()
    try:
        draft = _new_draft(target)
        try:
            draft.write_text(text, encoding="utf-8", newline="\n")
            draft.replace(target)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise _refusal(path, error) from error


def _new_draft(target: Path) -> Path:
    draft = target.with_name(f".{secrets.token_hex(8)}.part")
    os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    return draft


def _refusal(path: Path, error: OSError) -> BadInput:
    message = f"{path} cannot be written: {error.strerror}."
    return BadInput(message, code="not_writable")
