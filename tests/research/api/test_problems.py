"""Whatever goes wrong under /api/ is told in problem details, never in HTML."""

from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client
from rest_framework.test import APIClient

from research.api.throttling import TokenThrottle
from tests.factories.research import EvidenceRows
from tests.research.api.clients import Api, problem


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Basic YTpi",
        "Bearer wh_short",
        "Bearer wh_000000000000_" + "x" * 43,
        "Bearer \xff",
    ],
)
@pytest.mark.django_db
def test_without_a_good_token_nothing_is_told(header: str) -> None:
    headers = {"authorization": header} if header else {}
    response = APIClient().get("/api/v1/cases", headers=headers)
    found = response.json()
    assert response.status_code == 401
    assert response["WWW-Authenticate"] == 'Bearer realm="weighhouse"'
    assert response["Content-Type"] == "application/problem+json"
    assert found["code"] in {"not_authenticated", "authentication_failed"}


@pytest.mark.parametrize(
    "address",
    ["/api/", "/api/v1", "/api/v1/", "/api/v2/runs", "/api/v1/runs/", "/api/v1/%00"],
)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "OPTIONS"])
def test_an_address_that_is_none_is_not_found(address: str, method: str) -> None:
    problem(Client().generic(method, address), 404, "not_found")


@pytest.mark.parametrize(
    "path",
    [
        "runs/run_00000000000000000000000000",
        "runs/1",
        "cases/case_00000000000000000000000000",
        "dossiers/dos_00000000000000000000000000",
        "snapshots/snp_00000000000000000000000000",
        "snapshots/snp_00000000000000000000000000/text",
    ],
)
def test_an_unknown_id_is_not_found(ada: Api, path: str) -> None:
    noun = path.split("s/", maxsplit=1)[0]
    problem(ada.read(path), 404, f"{noun}_not_found")


@pytest.mark.parametrize("name", ["a%00b", "a%2Fb", "x" * 61, "%F0%9F%92%A9"])
def test_what_could_be_no_id_is_not_found(ada: Api, name: str) -> None:
    problem(ada.read(f"runs/{name}"), 404, "not_found")


@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "DELETE"])
def test_another_method_is_refused(ada: Api, method: str) -> None:
    response = ada.generic(method, "/api/v1/runs")
    problem(response, 405, "method_not_allowed")
    assert "POST" in response["Allow"]


def test_another_media_type_is_not_acceptable(ada: Api) -> None:
    response = ada.get("/api/v1/cases", headers={"accept": "text/html"})
    problem(response, 406, "not_acceptable")


def test_a_refusal_of_plain_text_is_still_problem_details(ada: Api) -> None:
    address = "/api/v1/snapshots/snp_00000000000000000000000000/text"
    response = ada.get(address, headers={"accept": "text/plain"})
    problem(response, 404, "snapshot_not_found")


def test_a_busy_token_is_told_when_to_come_back(
    ada: Api, cy: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TokenThrottle, "rate", "2/min", raising=False)
    assert [ada.read("cases").status_code for _ in range(3)] == [200, 200, 429]
    response = ada.read("cases")
    problem(response, 429, "throttled")
    assert 1 <= int(response["Retry-After"]) <= 60
    assert cy.read("cases").status_code == 200


def test_an_unexpected_fault_tells_nothing_of_itself(
    ada: Api, evidence: EvidenceRows
) -> None:
    def broken(execute: Any, sql: str, *rest: Any) -> Any:
        if "research_run" in sql:
            raise OperationalError("the password is swordfish")
        return execute(sql, *rest)

    ada.raise_request_exception = False
    with connection.execute_wrapper(broken):
        response = ada.read(f"runs/{evidence.run.public_id}")
    problem(response, 500, "fault")
    assert b"swordfish" not in response.content
    assert b"Traceback" not in response.content


def test_a_foreign_host_is_a_bad_request() -> None:
    response = Client().get("/api/v1/cases", headers={"host": "elsewhere.example"})
    problem(response, 400, "bad_request")


def test_elsewhere_errors_stay_pages() -> None:
    response = Client().get("/no-such-page", headers={"host": "elsewhere.example"})
    assert response.status_code == 400
    assert response["Content-Type"].startswith("text/html")
