"""An export is written whole or not at all, and refused before the work begins."""

from pathlib import Path

import pytest

from accounts.errors import BadInput
from research.exports import check_writable, write_whole


def test_a_file_is_written_and_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "dossier.html"
    write_whole(path, "first\n")
    write_whole(path, "second “quoted”\n")
    assert path.read_bytes() == "second “quoted”\n".encode()
    assert [entry.name for entry in tmp_path.iterdir()] == ["dossier.html"]


def test_checking_leaves_nothing_behind(tmp_path: Path) -> None:
    check_writable(tmp_path / "dossier.html")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["", "missing/dossier.html", "x" * 300 + "/a"])
def test_a_place_that_takes_no_file_is_refused_by_name(
    tmp_path: Path, name: str
) -> None:
    for write in (check_writable, lambda path: write_whole(path, "text")):
        with pytest.raises(BadInput, match="cannot be written"):
            write(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_text_that_cannot_be_encoded_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "dossier.md"
    write_whole(path, "old\n")
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "new \ud800\n")
    assert path.read_text() == "old\n"
    assert [entry.name for entry in tmp_path.iterdir()] == ["dossier.md"]


def test_a_symbolic_link_keeps_pointing_at_the_file(tmp_path: Path) -> None:
    target, link = tmp_path / "real.html", tmp_path / "link.html"
    target.write_text("old")
    link.symlink_to(target)
    write_whole(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"
