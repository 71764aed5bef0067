"""Documents come as uploads, with their names, within limits checked while reading."""

from typing import IO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from accounts.errors import TooLarge
from research.api.parsers import DocumentFormParser
from research.models import Case, Dossier, Run, Snapshot, Source
from research.services import bring_documents
from tests.chat.web.reading.pdfs import encrypted_pdf
from tests.factories.accounts import Cast
from tests.research.api.clients import Api, problem

QUESTION = "Does the vendor keep logs of tool calls?"
MIB = 1024 * 1024


def text_file(name: str, body: bytes = b"Logs are kept for 30 days.") -> IO[bytes]:
    return SimpleUploadedFile(name, body, "text/plain")


def form(*parts: tuple[str, str | None, bytes]) -> tuple[bytes, str]:
    """A body written by hand: (field, file name or None, bytes)."""
    lines = []
    for field, name, body in parts:
        named = f'; filename="{name}"' if name is not None else ""
        head = f'Content-Disposition: form-data; name="{field}"{named}'
        lines += [f"--line\r\n{head}\r\n\r\n".encode(), body, b"\r\n"]
    return b"".join([*lines, b"--line--\r\n"]), "multipart/form-data; boundary=line"


def test_documents_become_sources_under_their_names(ada: Api) -> None:
    response = ada.send_form(
        "runs",
        {"question": QUESTION, "document": [text_file("a.txt"), text_file("b.md")]},
    )
    assert response.status_code == 202
    assert [row.uri for row in Source.objects.all()] == [
        "document:a.txt",
        "document:b.md",
    ]


def test_folders_in_a_name_are_kept_and_steps_upward_are_not(ada: Api) -> None:
    body, kind = form(
        ("question", None, QUESTION.encode()),
        ("document", "terms/privacy.md", b"Logs are kept for 30 days."),
        ("document", "../../etc/privacy.md", b"Logs are kept for 31 days."),
    )
    assert ada.send_raw("runs", body, kind).status_code == 202
    assert {row.uri for row in Source.objects.all()} == {
        "document:terms/privacy.md",
        "document:etc/privacy.md",
    }


def test_each_document_keeps_its_own_bytes(ada: Api) -> None:
    files = [text_file(f"{number}.txt", b"x" * number) for number in range(1, 9)]
    ada.send_form("runs", {"question": QUESTION, "document": files})
    sizes = Snapshot.objects.order_by("pk").values_list("body_bytes", flat=True)
    assert list(sizes) == list(range(1, 9))


def test_a_form_without_documents_is_taken(ada: Api) -> None:
    response = ada.send_form("runs", {"question": QUESTION})
    assert response.status_code == 202


@pytest.mark.parametrize("path", ["/etc/passwd", "document.txt", ""])
def test_a_path_is_not_taken_for_a_document(ada: Api, path: str) -> None:
    as_form = ada.send_form("runs", {"question": QUESTION, "document": path})
    assert "uploaded as files" in problem(as_form, 400, "bad_input")["detail"]
    as_json = ada.send("runs", {"question": QUESTION, "document": path})
    assert "uploaded as files" in problem(as_json, 400, "bad_input")["detail"]
    assert not Run.objects.exists()


def test_a_file_under_another_name_is_refused(ada: Api) -> None:
    response = ada.send_form("runs", {"question": QUESTION, "docment": text_file("a")})
    assert list(problem(response, 400, "bad_input")["errors"]) == ["docment"]


def test_a_single_field_sent_twice_is_refused(ada: Api) -> None:
    response = ada.send_form("runs", {"question": [QUESTION, "Another one?"]})
    assert list(problem(response, 400, "bad_input")["errors"]) == ["question"]


def test_an_empty_document_is_named(ada: Api) -> None:
    response = ada.send_form(
        "runs", {"question": QUESTION, "document": text_file("empty.txt", b"")}
    )
    assert response.status_code == 400
    assert "empty.txt" in response.json()["detail"]
    assert not Snapshot.objects.exists()


@pytest.mark.parametrize(
    ("name", "body", "code"),
    [
        ("locked.pdf", encrypted_pdf(), "document_pdf_encrypted"),
        ("false.pdf", b"this is no PDF", "document_pdf_broken"),
        # Marked as UTF-8, and none of it is.
        ("marked.txt", b"\xef\xbb\xbf" + b"\xe4\xf6\xfc" * 50, "document_charset"),
    ],
)
def test_a_document_that_cannot_be_read_starts_nothing(
    ada: Api, name: str, body: bytes, code: str
) -> None:
    files = [text_file("good.txt"), text_file(name, body)]
    response = ada.send_form("runs", {"question": QUESTION, "document": files})
    found = problem(response, 400, code)
    assert found["detail"].startswith(f"{name} cannot be read: ")
    assert list(found["errors"]) == ["document"]
    for model in (Case, Dossier, Run, Snapshot, Source):
        assert not model.objects.exists()


def test_two_documents_of_one_name_are_refused(ada: Api) -> None:
    files = [text_file("a.txt"), text_file("a.txt", b"Other words altogether.")]
    response = ada.send_form("runs", {"question": QUESTION, "document": files})
    problem(response, 400, "document_repeated")


def test_a_document_over_10_mib_is_too_large(ada: Api) -> None:
    big = text_file("big.txt", b"x" * (10 * MIB + 1))
    response = ada.send_form("runs", {"question": QUESTION, "document": big})
    problem(response, 413, "document_too_large")
    assert not Run.objects.exists()


def test_more_than_500_documents_are_too_many(ada: Api) -> None:
    files = [text_file(f"{number}.txt") for number in range(501)]
    response = ada.send_form("runs", {"question": QUESTION, "document": files})
    assert response.status_code == 413
    assert response["Content-Type"] == "application/problem+json"
    assert "500" in response.json()["detail"]


def test_documents_too_large_together_are_refused(
    ada: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bring_documents, "MAX_TOTAL_BYTES", 40)
    files = [text_file("a.txt"), text_file("b.txt")]
    response = ada.send_form("runs", {"question": QUESTION, "document": files})
    problem(response, 413, "documents_too_large")


class Endless:
    """A body that goes on as long as it is read, and counts what was taken."""

    def __init__(self, head: bytes) -> None:
        self.head = head
        self.taken = 0

    def read(self, size: int = -1) -> bytes:
        block, self.head = self.head or b"x" * 65536, b""
        self.taken += len(block)
        return block


def test_reading_stops_at_the_limit(cast: Cast) -> None:
    head = b'--line\r\nContent-Disposition: form-data; name="document"; '
    body = Endless(head + b'filename="endless.txt"\r\n\r\n')
    with pytest.raises(TooLarge):
        parse(body, length=20 * MIB)
    assert body.taken < 11 * MIB


def test_a_length_over_the_limit_is_refused_before_anything_is_read() -> None:
    body = Endless(b"")
    with pytest.raises(TooLarge):
        parse(body, length=300 * MIB)
    assert body.taken == 0


def parse(body: Endless, *, length: int) -> None:
    from django.http import HttpRequest

    request = HttpRequest()
    request.META["CONTENT_LENGTH"] = str(length)
    kind = "multipart/form-data; boundary=line"
    DocumentFormParser().parse(body, kind, {"request": request})


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"no form at all", "multipart/form-data"),
        (b"no form at all", "multipart/form-data; boundary=line"),
        (b"x", "multipart/form-data; boundary=" + "b" * 201),
    ],
)
def test_a_form_that_cannot_be_read_is_refused(
    ada: Api, body: bytes, kind: str
) -> None:
    problem(ada.send_raw("runs", body, kind), 400, "parse_error")


@pytest.mark.parametrize("kept", [60, 120, 210, -10])
def test_a_form_cut_short_starts_no_run(ada: Api, kept: int) -> None:
    body, kind = form(
        ("question", None, QUESTION.encode()),
        ("document", "a.txt", b"Logs are kept for 30 days."),
    )
    response = ada.send_raw("runs", body[:kept], kind)
    problem(response, 400, "parse_error")
    assert not Run.objects.exists()
