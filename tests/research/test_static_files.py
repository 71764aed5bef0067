"""The application itself serves static files, under ASGI and without a warning."""

from http import HTTPStatus

from asgiref.sync import async_to_sync
from django.http import HttpResponse
from django.test import AsyncClient

CSS = "/static/admin/css/base.css"


def _get(path: str, method: str = "get", **headers: str) -> HttpResponse:
    call = getattr(AsyncClient(), method)
    return async_to_sync(call)(path, headers=headers)


def test_a_style_sheet_is_served_whole() -> None:
    response = _get(CSS)

    assert response.status_code == HTTPStatus.OK
    assert response.headers["Content-Type"].startswith("text/css")
    assert len(response.content) == int(response.headers["Content-Length"])
    assert b"DJANGO Admin styles" in response.content


def test_a_style_sheet_that_the_browser_has_is_not_sent_again() -> None:
    tag = _get(CSS).headers["ETag"]

    response = _get(CSS, **{"If-None-Match": tag})

    assert response.status_code == HTTPStatus.NOT_MODIFIED
    assert response.content == b""


def test_a_part_of_a_file_is_served_alone() -> None:
    response = _get(CSS, Range="bytes=5-9")

    assert response.status_code == HTTPStatus.PARTIAL_CONTENT
    assert response.content == _get(CSS).content[5:10]


def test_a_head_request_gets_the_headers_alone() -> None:
    response = _get(CSS, "head")

    assert response.content == b""
    assert int(response.headers["Content-Length"]) > 0


def test_a_post_to_a_static_file_is_refused() -> None:
    assert _get(CSS, "post").status_code == HTTPStatus.METHOD_NOT_ALLOWED
