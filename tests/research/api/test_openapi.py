"""The API's document: complete, valid, without a warning, and public."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import call_command
from django.test import Client

from research.api.urls import v1


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> Any:
    target: Path = tmp_path_factory.mktemp("schema") / "schema.yaml"
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(target))
    return yaml.safe_load(target.read_text())


def test_every_address_is_in_the_document(document: Any) -> None:
    names = {pattern.name for pattern in v1} - {"schema", "docs"}
    assert len(document["paths"]) == len(names)


def test_every_call_takes_the_token(document: Any) -> None:
    for calls in document["paths"].values():
        for call in calls.values():
            assert call["security"] == [{"token": []}]


def test_every_refusal_is_problem_details(document: Any) -> None:
    for calls in document["paths"].values():
        for call in calls.values():
            for status, answer in call["responses"].items():
                if int(status) >= 400:
                    assert list(answer["content"]) == ["application/problem+json"]


def test_starting_a_run_has_examples_and_takes_files(document: Any) -> None:
    content = document["paths"]["/api/v1/runs"]["post"]["requestBody"]["content"]
    assert set(content) == {"application/json", "multipart/form-data"}
    examples = content["application/json"]["examples"]
    assert {"subject": "pkg:pypi/bleach"} in [one["value"] for one in examples.values()]


def test_the_document_is_served_to_anybody() -> None:
    response = Client().get("/api/v1/schema", headers={"accept": "application/json"})
    assert response.status_code == 200
    assert response.json()["info"]["title"] == "Weighhouse"


def test_the_page_of_it_loads_nothing_from_elsewhere() -> None:
    page = Client().get("/api/v1/docs").content.decode()
    assert "http://" not in page
    assert "https://" not in page
    assert "<script>" not in page


def test_the_page_s_script_names_the_document() -> None:
    script = Client().get("/api/v1/docs?script=")
    assert script["Content-Type"].startswith("application/javascript")
    assert "/api/v1/schema" in script.content.decode()
