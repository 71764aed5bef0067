"""Bodies that are no good JSON, or no JSON at all."""

import pytest

from research.models import Run
from tests.research.api.clients import Api, problem

GOOD = b'{"subject": "pkg:pypi/bleach"}'


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"\xff\xfe",
        b'{"subject": NaN}',
        b'{"subject": "pkg:pypi/bleach", "subject": "pkg:pypi/django"}',
        b"[" * 100_000,
        b'{"subject": ' + b"9" * 5000 + b"}",
    ],
)
def test_malformed_json_is_refused(ada: Api, body: bytes) -> None:
    response = ada.send_raw("runs", body, "application/json")
    problem(response, 400, "parse_error")


@pytest.mark.parametrize("body", [b"[]", b'"text"', b"3", b"null", b"true"])
def test_json_that_is_no_object_is_refused(ada: Api, body: bytes) -> None:
    response = ada.send_raw("runs", body, "application/json")
    problem(response, 400, "bad_input")


def test_no_body_at_all_is_refused_by_field(ada: Api) -> None:
    response = ada.send_raw("runs", b"", "application/json")
    assert "subject" in problem(response, 400, "bad_input")["errors"]


def test_json_over_1_mib_is_too_large(ada: Api) -> None:
    body = b'{"question": "' + b"why " * 300_000 + b'"}'
    problem(ada.send_raw("runs", body, "application/json"), 413, "body_too_large")


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/xml",
        "application/json; charset=utf-16",
        "application/json; charset=base64",
        "",
    ],
)
def test_another_content_type_is_refused(ada: Api, kind: str) -> None:
    problem(ada.send_raw("runs", GOOD, kind), 415, "unsupported_media_type")


@pytest.mark.parametrize(
    "kind", ["application/json", "application/json; charset=UTF-8", "APPLICATION/JSON"]
)
def test_json_is_taken_however_it_is_declared(ada: Api, kind: str) -> None:
    assert ada.send_raw("runs", GOOD, kind).status_code == 202


def test_a_byte_order_mark_is_no_fault(ada: Api) -> None:
    response = ada.send_raw("runs", b"\xef\xbb\xbf" + GOOD, "application/json")
    assert response.status_code == 202


def test_a_form_is_taken_only_where_files_are(ada: Api) -> None:
    response = ada.send_form("cases", {"subject": "pkg:pypi/bleach"})
    problem(response, 415, "unsupported_media_type")


def test_a_chunked_body_is_asked_for_its_length(ada: Api) -> None:
    response = ada.post("/api/v1/runs", HTTP_TRANSFER_ENCODING="chunked")
    problem(response, 411, "length_required")
    assert not Run.objects.exists()
