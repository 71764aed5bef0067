"""Documents come whole and readable, or the request is refused by their names."""

from pathlib import Path

import pytest

from accounts.errors import BadInput, TooLarge
from research.document_limits import MAX_FILE_BYTES, MAX_FILES
from research.services.bring_documents import (
    Document,
    documents_from_paths,
    read_documents,
)
from tests.chat.web.reading.pdfs import encrypted_pdf, pdf_with_pages


def refusal(*documents: Document) -> str:
    with pytest.raises((BadInput, TooLarge)) as caught:
        list(read_documents(documents))
    return f"{caught.value.code}: {caught.value.message}"


def test_a_folder_brings_all_its_files_by_their_paths(tmp_path: Path) -> None:
    folder = tmp_path / "handbook"
    (folder / "security").mkdir(parents=True)
    (folder / "b.md").write_text("# B")
    (folder / "security" / "a.txt").write_text("A")
    names = [item.name for item in documents_from_paths([folder])]
    assert names == ["handbook/b.md", "handbook/security/a.txt"]


def test_files_are_read_and_named_by_uri() -> None:
    (source,) = read_documents([Document("notes/policy.md", b"Kept for 30 days.\n")])
    assert source.uri == "document:notes/policy.md"
    assert source.readable.text == "Kept for 30 days.\n"


def test_a_pdf_is_read_by_its_bytes_whatever_its_name() -> None:
    body = pdf_with_pages(["Kept for 30 days."])
    (source,) = read_documents([Document("policy.txt", body)])
    assert "Kept for 30 days." in source.readable.text


def test_text_whose_encoding_nobody_names_is_read() -> None:
    body = "Gebühren für Müll und Öl".encode("cp1252")
    (source,) = read_documents([Document("latin.txt", body)])
    assert source.readable.text == "Gebühren für Müll und Öl"


@pytest.mark.parametrize(
    ("name", "body", "code"),
    [
        ("nothing.txt", b"", "document_empty"),
        ("blanks.txt", b" \n\t\n", "document_empty"),
        ("image.png", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" * 9, "document_binary"),
        # Marked as UTF-8, and none of it is.
        ("marked.txt", b"\xef\xbb\xbf" + b"\xe4\xf6\xfc" * 50, "document_charset"),
        ("locked.pdf", encrypted_pdf(), "document_pdf_encrypted"),
        ("false.pdf", b"this is no PDF", "document_pdf_broken"),
    ],
)
def test_an_unreadable_document_is_named_with_the_reason(
    name: str, body: bytes, code: str
) -> None:
    sentence = refusal(Document("good.txt", b"Good."), Document(name, body))
    assert sentence.startswith(f"{code}: {name} cannot be read: ")


def test_a_folder_of_a_thousand_files_is_refused_before_any_is_read(
    tmp_path: Path,
) -> None:
    for number in range(MAX_FILES * 2):
        (tmp_path / f"{number}.txt").touch()
    with pytest.raises(TooLarge, match="at most 500"):
        documents_from_paths([tmp_path])


def test_a_file_of_50_mib_is_refused_before_it_is_read(tmp_path: Path) -> None:
    big = tmp_path / "big.txt"
    with big.open("wb") as file:
        file.truncate(5 * MAX_FILE_BYTES)
    with pytest.raises(TooLarge, match=r"big\.txt is over 10 MiB"):
        documents_from_paths([big])
    assert refusal(Document("big.txt", b"x" * (MAX_FILE_BYTES + 1))).startswith(
        "document_too_large"
    )


def test_symbolic_links_are_refused(tmp_path: Path) -> None:
    target = tmp_path / "secret.txt"
    target.write_text("secret")
    link = tmp_path / "folder" / "link.txt"
    link.parent.mkdir()
    link.symlink_to(target)
    for path in (link, link.parent):
        with pytest.raises(BadInput, match="symbolic link"):
            documents_from_paths([path])


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="No such file"):
        documents_from_paths([tmp_path / "absent"])


def test_files_of_one_name_from_two_folders_are_told_apart(tmp_path: Path) -> None:
    paths = [tmp_path / "a" / "notes.md", tmp_path / "b" / "notes.md"]
    for path in paths:
        path.parent.mkdir()
        path.write_text("Notes.")
    first, second = read_documents(documents_from_paths(paths))
    assert first.uri.endswith("/a/notes.md")
    assert second.uri.endswith("/b/notes.md")


def test_an_empty_path_does_not_mean_the_current_folder() -> None:
    with pytest.raises(BadInput, match="empty path"):
        documents_from_paths([Path()])


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="holds no file"):
        documents_from_paths([tmp_path])


def test_two_documents_of_one_name_are_refused() -> None:
    one = Document("a.txt", b"One.")
    assert refusal(one, one).startswith("document_repeated")


@pytest.mark.parametrize("name", ["", "/", "..", "a\nb.txt", "x" * 301])
def test_a_name_that_cannot_be_shown_is_refused(name: str) -> None:
    assert refusal(Document(name, b"Text.")).startswith("document_name")


def test_a_name_keeps_nothing_that_climbs_out() -> None:
    (source,) = read_documents([Document("..\\..\\etc/passwd", b"Text.")])
    assert source.uri == "document:etc/passwd"


class Watched:
    """A body that tells when it is read."""

    def __init__(self, body: bytes, read: list[bytes]) -> None:
        self.body = body
        self.read = read

    def __len__(self) -> int:
        return len(self.body)

    def __bytes__(self) -> bytes:
        self.read.append(self.body)
        return self.body


def test_a_document_is_read_when_the_one_before_it_was_taken() -> None:
    read: list[bytes] = []
    documents = [
        Document(f"{letter}.txt", Watched(letter.encode(), read)) for letter in "abc"
    ]
    sources = read_documents(documents)
    assert read == []
    assert next(sources).uri == "document:a.txt"
    assert read == [b"a"]


def test_an_excess_is_refused_before_any_is_read() -> None:
    read: list[bytes] = []
    big = Watched(b"x" * (MAX_FILE_BYTES + 1), read)
    good = Document("good.txt", Watched(b"Good.", read))
    assert refusal(good, Document("big.txt", big)).startswith("document_too_large")
    assert read == []


def test_a_file_that_grew_after_it_was_weighed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_text("Short.")
    documents = documents_from_paths([path])
    with path.open("ab") as file:
        file.truncate(2 * MAX_FILE_BYTES)
    assert refusal(*documents).startswith("document_too_large")


def test_a_file_that_went_away_is_named(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_text("Short.")
    documents = documents_from_paths([path])
    path.unlink()
    assert refusal(*documents) == (
        "document_unreadable: log.txt cannot be read: No such file or directory."
    )
