"""Through a real server: bodies that are refused before they are read, and a quote."""

import http.client
import json
from collections.abc import Iterator
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

from accounts.models import Feature
from research.models import Run
from tests.factories.accounts import Cast, enable, make_cast
from tests.factories.research import make_evidence
from tests.research.api.clients import token_for

pytestmark = pytest.mark.django_db(transaction=True)
MIB = 1024 * 1024
FORM = "multipart/form-data; boundary=line"
HEAD = b'--line\r\nContent-Disposition: form-data; name="document"; filename="a.txt"'


@pytest.fixture
def harbour(live_server: LiveServer) -> Cast:
    cast = make_cast()
    enable(cast.organization, Feature.MCP_APPROVAL, Feature.MCP_RESEARCH)
    return cast


class Caller:
    def __init__(self, connection: http.client.HTTPConnection, token: str) -> None:
        self.connection = connection
        self.token = token

    def call(
        self, method: str, path: str, body: Any = None, **headers: str
    ) -> http.client.HTTPResponse:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        sent["Authorization"] = f"Bearer {self.token}"
        chunked = "Transfer-Encoding" in sent
        self.connection.request(method, path, body, sent, encode_chunked=chunked)
        return self.connection.getresponse()


@pytest.fixture
def caller(live_server: LiveServer, harbour: Cast) -> Iterator[Caller]:
    host = live_server.url.removeprefix("http://")
    connection = http.client.HTTPConnection(host, timeout=30)
    yield Caller(connection, token_for(harbour.actor(harbour.ada)))
    connection.close()


def test_a_form_with_a_document_starts_a_run(caller: Caller) -> None:
    question = b'\r\n--line\r\nContent-Disposition: form-data; name="question"\r\n\r\n'
    body = HEAD + b"\r\n\r\nLogs are kept." + question + b"Are logs kept?\r\n--line--"
    response = caller.call("POST", "/api/v1/runs", body, Content_Type=FORM)
    started = json.loads(response.read())
    assert response.status == 202, started
    assert response.headers["Location"] == f"/api/v1/runs/{started['id']}"


def test_a_document_over_10_mib_is_refused(caller: Caller) -> None:
    body = HEAD + b"\r\n\r\n" + b"x" * (10 * MIB + 1) + b"\r\n--line--\r\n"
    response = caller.call("POST", "/api/v1/runs", body, Content_Type=FORM)
    assert response.status == 413
    assert response.headers["Content-Type"] == "application/problem+json"
    assert not Run.objects.exists()


def test_a_chunked_body_is_refused(caller: Caller) -> None:
    response = caller.call(
        "POST",
        "/api/v1/runs",
        iter([b'{"subject": "pkg:pypi/bleach"}']),
        Content_Type="application/json",
        Transfer_Encoding="chunked",
    )
    assert json.loads(response.read())["code"] == "length_required"


def test_a_quote_is_checked_against_the_bytes_that_are_served(
    caller: Caller, harbour: Cast
) -> None:
    evidence = make_evidence(harbour.organization, harbour.ada)
    dossier = json.loads(
        caller.call("GET", f"/api/v1/dossiers/{evidence.dossier.public_id}").read()
    )
    citation = dossier["findings"]["questions"][0]["claims"][0]["citations"][0]
    text = caller.call("GET", f"/api/v1/snapshots/{citation['snapshot']}/text").read()
    held = text[citation["byte_start"] : citation["byte_end"]]
    assert held.decode() == citation["quote"]
