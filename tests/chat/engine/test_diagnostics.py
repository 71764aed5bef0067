"""The command and what it reads: reports as JSON, and everything that is none."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from chat.engine.diagnostics import main
from chat.engine.loading import MAX_BYTES, ReportError, load_report
from chat.engine.report import SCHEMA_VERSION, RunReport, ToolTally
from chat.engine.stops import StopReason
from tests.chat.engine.reports import GAP, altered, child, clean, filled, reports

pytestmark = pytest.mark.row("B2")

ROOT = Path(__file__).parents[3]
CRITICAL = altered(clean(), {"counters.unseen_evicted": 1})
WARNING = clean(stop=StopReason.REFUSAL)
INFO = clean(cost=None)
HOSTILE = "x\n# Forged\n\n<h1>`f`</h1>\r\x1b[31m\u2028| [a](b) **b** ``\u202eq"


def command(
    *arguments: str, redirect: str = "", **options: Any
) -> subprocess.CompletedProcess[bytes]:
    line = [sys.executable, "-W", "error", "-m", "chat.engine.diagnostics", *arguments]
    line = ["sh", "-c", f'exec "$@" {redirect}', "sh", *line]
    usual = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": ROOT}
    return subprocess.run(line, check=False, **{**usual, **options})


@pytest.fixture
def file(tmp_path: Path) -> Callable[[Any], str]:
    def write(content: Any) -> str:
        path = tmp_path / "report.json"
        known = isinstance(content, bytes)
        path.write_bytes(content if known else json.dumps(content).encode())
        return str(path)

    return write


# What is read.


@given(reports(st.text(max_size=5)))
def test_a_report_survives_json(report: RunReport) -> None:
    text = json.dumps(report.to_json())

    assert load_report(text) == report
    assert load_report(text.encode()) == report
    assert load_report({"report": report.to_json(), "output_chars": 3}) == report
    assert load_report(json.loads(text)) == report


def test_a_report_is_read_from_a_path(file: Callable[[Any], str]) -> None:
    name = file(b"\xef\xbb\xbf" + json.dumps(clean().to_json()).encode())
    assert load_report(name) == load_report(Path(name)) == clean()


def test_findings_that_a_file_brings_are_not_believed() -> None:
    forged = {**clean().to_json(), "findings": [{"code": "FORGED"}]}
    assert load_report(forged).findings == ()
    assert "findings" not in clean().to_json()


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"schema_version": SCHEMA_VERSION + 1}, "has schema version 3"),
        ({"schema_version": True}, "whole number as its schema_version"),
        ({"schema_version": None}, "whole number as its schema_version"),
        ({"stop": "because"}, "RunReport.stop is not what it should be"),
        ({"secondary": ("because",)}, "RunReport.secondary is not what"),
        ({"counters": [1]}, "A Counters must be an object"),
        ({"counters": {"refused": "3"}}, "Counters.refused is not what"),
        ({"counters": {"refused": 10**20}}, "no number that long"),
        ({"elapsed_s": float("inf")}, "no number without end"),
        ({"cost": "NaN"}, "A cost is a finite number"),
        ({"model": {1, 2}}, "holds nothing but JSON"),
    ],
)
def test_what_is_no_report_is_refused_with_a_reason(
    changes: dict[str, Any], problem: str
) -> None:
    with pytest.raises(ReportError, match=problem):
        load_report({**clean().to_json(), **changes})


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("{", "This is no JSON: line 1"),
        ("[]", "A report is a JSON object"),
        ({"report": 3}, "A report is a JSON object"),
        ({}, "schema_version"),
        ("[" * 100_000, "not nested that deep"),
        (b"\xff", "text in UTF-8"),
        ("no such file", "no file that can be read"),
        ("\0", "no path"),
        ("{" + " " * MAX_BYTES, "bytes at most"),
        (7, "cannot be read from a int"),
    ],
    ids=range(10),
)
def test_what_holds_no_report_is_refused_with_a_reason(
    source: Any, problem: str
) -> None:
    with pytest.raises(ReportError, match=problem):
        load_report(source)


def test_a_report_without_its_status_is_refused() -> None:
    data = clean().to_json()
    del data["status"]
    with pytest.raises(ReportError, match="status is missing"):
        load_report(data)


# What is shown.


def test_the_explanation_shows_what_there_is() -> None:
    changes = {"coverage": GAP, "children": (child(),), "counters.unseen_evicted": 2}
    text = altered(clean(), changes).explain()

    assert "- stop: `completed`" in text
    assert "- unseen_evicted: 2" in text
    assert "- window: 128000" in text
    assert "- fitness: `fit`" in text
    assert "- not read: `b`" in text
    assert "(`EVIDENCE_EVICTED_UNSEEN`)" in text
    assert "refused" not in text


def test_names_in_a_report_cannot_forge_a_heading_or_markup() -> None:
    hostile = filled(RunReport, HOSTILE, enumerations=True)
    tokens = MarkdownIt("commonmark").parse(hostile.explain())
    at = [token.type for token in tokens]
    headings = [
        tokens[at_ + 1].content for at_, kind in enumerate(at) if kind == "heading_open"
    ]
    inner = {child.type for token in tokens for child in token.children or ()}

    assert not any("Forged" in heading for heading in headings)
    assert "html_block" not in at
    assert inner <= {"text", "code_inline"}
    assert "\x1b" not in hostile.explain()


def test_every_name_of_a_report_is_shown_short() -> None:
    report = clean(
        tools=tuple(ToolTally("n" * 5_000, "business", 1) for _ in range(50))
    )
    text = report.explain()

    assert "and 30 more" in text
    assert max(map(len, text.splitlines())) < 200


# The command.


@pytest.mark.parametrize(
    ("report", "code"), [(clean(), 0), (INFO, 0), (WARNING, 1), (CRITICAL, 2)]
)
def test_the_exit_code_is_the_worst_finding(
    report: RunReport, code: int, file: Callable[[Any], str]
) -> None:
    assert main([file(report.to_json())]) == code
    assert main([file({"report": report.to_json(), "stop": "x"}), "--json"]) == code


def test_the_findings_are_printed_in_plain_text(file: Callable[[Any], str]) -> None:
    done = command(file(CRITICAL.to_json()))
    lines = done.stdout.decode().splitlines()

    assert (done.returncode, done.stderr) == (2, b"")
    assert lines[0] == "success: completed"
    assert lines[1] == "findings: 1 critical"
    assert lines[3].startswith("[critical] EVIDENCE_EVICTED_UNSEEN: ")
    assert "counters.unseen_evicted = 1" in lines[4]


def test_what_is_printed_as_json_can_be_read_again() -> None:
    data = json.dumps(WARNING.to_json()).encode()
    first = command("-", "--json", input=data)
    again = command("-", "--json", input=first.stdout)

    assert first.returncode == again.returncode == 1
    assert first.stdout == again.stdout
    (finding,) = json.loads(first.stdout)["findings"]
    assert set(finding) == {
        "code",
        "title",
        "severity",
        "evidence",
        "cause",
        "fix_now",
        "fix_release",
    }


def test_control_characters_do_not_reach_a_terminal(file: Callable[[Any], str]) -> None:
    report = clean(tools=(ToolTally("\x1b]0;x\x07é", "business", 3, 3),))
    done = command(file(report.to_json()), env={"PYTHONIOENCODING": "ascii"})

    assert done.returncode == 1
    assert rb"\x1b]0;x\x07\xe9" in done.stdout


@pytest.mark.parametrize(
    "arguments", [(), ("--nope", "x"), ("a", "b"), ("-", "--jso"), ("-", "--json=1")]
)
def test_wrong_arguments_exit_64(arguments: tuple[str, ...]) -> None:
    complains(command(*arguments), 64)


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"null", b"\xff\xfe", b"{}", b'{"schema_version": 99}', b"[" * 100_000],
)
def test_input_without_a_report_exits_65(content: bytes) -> None:
    complains(command("-", input=content), 65)


def test_input_that_is_too_large_exits_65(tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    complains(command(str(path)), 65)


def test_input_that_is_not_there_exits_66(tmp_path: Path) -> None:
    complains(command(str(tmp_path)), 66)
    complains(command(str(tmp_path / "absent")), 66)
    complains(command("-", redirect="<&-"), 66)


def test_output_that_cannot_be_written_exits_74(file: Callable[[Any], str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    name = file(CRITICAL.to_json())
    done = command(name, stdout=writer)
    os.close(writer)

    complains(done, 74)
    complains(command(name, redirect=">&-"), 74)


def complains(done: subprocess.CompletedProcess[bytes], code: int) -> None:
    """Assert that one sentence says why, and nothing else is printed."""
    sentence = done.stderr.decode()
    assert done.returncode == code, sentence
    assert not done.stdout
    assert sentence.startswith("python -m chat.engine.diagnostics: ")
    assert sentence.count("\n") == 1
    assert "Traceback" not in sentence
