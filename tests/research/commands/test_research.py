"""`manage.py research` from a subject or a question to a dossier, without any key."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from accounts.models import UsageRecord
from research.models import Run
from research.states import RunStatus
from tests.factories.accounts import Cast
from tests.research.commands.calling import Done, call
from tests.research.exports.page import read_page

Write = Callable[[str, bytes], str]
POLICY = (
    b"# Log policy\n\n"
    b"Access logs are kept for 30 days and are then deleted.\n\n"
    b"Questions go to the office in Utrecht.\n"
)


def research(*arguments: str) -> Done:
    return call("research", "--organization", "harbour", *arguments)


def finding(dossier: dict[str, Any], key: str) -> dict[str, Any]:
    questions = dossier["findings"]["questions"]
    (question,) = [item for item in questions if item["key"] == key]
    return question


def quotes(question: dict[str, Any]) -> list[str]:
    return [
        citation["quote"]
        for claim in question["claims"]
        for citation in claim["citations"]
    ]


@pytest.mark.row("D13")
def test_an_installed_package_is_researched_without_any_key(cast: Cast) -> None:
    done = research("pkg:pypi/bleach", "--json")
    assert done.code == 0
    dossier = json.loads(done.out)
    assert dossier["findings"]["run"]["researcher"]["language_model"] is False
    maintained = quotes(finding(dossier, "maintained"))
    assert any("Bleach is no longer maintained" in quote for quote in maintained)
    assert dossier["findings"]["citation_counts"]["exact"] > 0
    assert UsageRecord.objects.filter(cost__gt=0).count() == 0


@pytest.mark.row("D13")
def test_a_question_is_answered_from_the_documents_given(
    cast: Cast, document: Write
) -> None:
    path = document("policy.md", POLICY)
    question = "For how many days are access logs kept?"
    done = research("--question", question, "--document", path, "--json")
    assert done.code == 0
    (answer,) = json.loads(done.out)["findings"]["questions"]
    assert answer["outcome"] == "answered"
    assert quotes(answer) == ["Access logs are kept for 30 days and are then deleted."]


@pytest.mark.row("D9")
def test_a_question_that_the_documents_leave_open_is_searched_and_not_found(
    cast: Cast, document: Write
) -> None:
    path = document("policy.md", POLICY)
    question = "Which certificate covers the payroll service?"
    done = research("--question", question, "--document", path)
    assert done.code == 0
    assert "( – ) Which certificate covers the payroll service?" in done.out
    assert "Searched, not found." in done.out


@pytest.mark.row("D9")
def test_a_question_without_documents_is_not_checked_and_the_run_failed(
    cast: Cast,
) -> None:
    done = research("--question", "Does it keep logs?")
    assert done.code == 1
    assert "There was nothing to read" in done.err
    assert "╌ ? ╌ Does it keep logs?" in done.out
    assert "Not checked. This run had no documents to search." in done.out


def test_the_dossier_is_printed_and_the_steps_are_told_apart_from_it(
    cast: Cast,
) -> None:
    done = research("pkg:pypi/bleach")
    assert done.out.startswith("Package: bleach 6.")
    assert "Bleach is no longer maintained." in done.out
    assert "which is no language model" in done.out
    steps = done.err.splitlines()
    assert steps[0].startswith("run run_")
    assert steps[1].startswith("collected ")
    assert any(step.startswith("searched for “") for step in steps)
    assert any(step.startswith("read dist:bleach==") for step in steps)
    assert any(step.startswith("cited “") for step in steps)
    assert steps[-1].startswith("Completed, ")
    assert "read dist:" not in done.out


def test_quiet_tells_no_step(cast: Cast) -> None:
    done = research("pkg:pypi/bleach", "--quiet")
    assert (done.code, done.err) == (0, "")


def test_nothing_is_left_to_a_worker(cast: Cast) -> None:
    research("pkg:pypi/bleach", "--quiet")
    run = Run.objects.get()
    assert (run.status, run.attempts, run.lease_owner) == (RunStatus.COMPLETED, 1, "")
    assert run.requested_by == cast.ada


def test_a_second_call_makes_a_second_dossier_of_the_same_case(cast: Cast) -> None:
    first = json.loads(research("pkg:pypi/bleach", "--json").out)
    second = json.loads(research("pkg:pypi/Bleach", "--json").out)
    assert first["case"] == second["case"]
    assert (first["number"], second["number"]) == (1, 2)
    assert first["evidence_digest"] == second["evidence_digest"]


def test_exports_are_written_beside_what_is_printed(cast: Cast, tmp_path: Path) -> None:
    html, markdown = tmp_path / "dossier.html", tmp_path / "dossier.md"
    done = research(
        "pkg:pypi/bleach", "--json", "--html", str(html), "--markdown", str(markdown)
    )
    digest = json.loads(done.out)["evidence_digest"]
    page = read_page(html.read_text())
    assert digest in page.text
    assert any("Bleach is no longer maintained" in mark for mark in page.marked)
    assert digest in markdown.read_text()


def test_documents_of_a_folder_are_read_in_the_order_of_their_names(
    cast: Cast, tmp_path: Path
) -> None:
    folder = tmp_path / "papers"
    (folder / "deep").mkdir(parents=True)
    (folder / "b.txt").write_bytes(POLICY)
    (folder / "deep" / "a.txt").write_text("Nothing of note stands in this paper.")
    done = research(
        "--question",
        "How long are access logs kept?",
        "--document",
        str(folder),
        "--json",
    )
    assert [source["uri"] for source in json.loads(done.out)["sources"]] == [
        "document:papers/b.txt",
        "document:papers/deep/a.txt",
    ]


def test_a_subject_may_bring_its_own_documents(cast: Cast, document: Write) -> None:
    path = document("notes.txt", b"Weights are licensed under the MIT License.\n")
    done = research("pkg:pypi/not-installed-here", "--document", path, "--json")
    assert done.code == 0
    dossier = json.loads(done.out)
    assert dossier["sources"][0]["uri"] == "document:notes.txt"
    assert dossier["facts"]["lookups"][0]["outcome"] == "absent"


def test_the_named_user_is_who_asked(cast: Cast) -> None:
    research("pkg:pypi/bleach", "--user", "ben@example.org")
    assert Run.objects.get().requested_by == cast.ben
