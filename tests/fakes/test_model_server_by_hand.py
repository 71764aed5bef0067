"""What somebody new to the server is told when something is wrong, or goes well."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.fakes.model_client import VERSION
from tests.fakes.model_server import load
from tests.fakes.model_server.__main__ import main

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def served(script: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command in a process of its own, and the address that it names."""
    command = [sys.executable, "-m", "tests.fakes.model_server", script]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield process, process.stdout.readline().split()[0]


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as raised:
        main([*arguments])
    assert raised.value.code == 2
    return capsys.readouterr().err


def test_a_name_that_does_not_exist_is_answered_with_those_near_to_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = refusal(capsys, "10_refusals")
    assert "there is no scenario '10_refusals'; is it 10_refusal" in told


def test_a_file_that_is_no_scenario_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "a.json"
    path.write_text("{}")
    assert f"{path} is no scenario" in refusal(capsys, str(path))


def test_a_port_that_cannot_be_had_is_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert "port 70000" in refusal(capsys, "10_refusal", "--port", "70000")
    with served("10_refusal") as (process, address):
        port = address.rpartition(":")[2]
        assert f"port {port}" in refusal(capsys, "10_refusal", "--port", port)
        process.terminate()


def test_the_requests_that_it_waits_for_are_printed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["03_three_parallel_tool_use", "--requests"]) == 0
    lines = capsys.readouterr().out.splitlines()
    expected = load("03_three_parallel_tool_use").exchanges
    assert [json.loads(line) for line in lines] == [
        each.expected["body"] for each in expected
    ]


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_each_request_is_told_with_what_was_wrong_with_it(stop: signal.Signals) -> None:
    body = load("10_refusal").exchanges[0].expected["body"]
    with served("10_refusal") as (process, address):
        httpx.post(f"{address}/v1/messages", json=body)
        httpx.post(f"{address}/v1/messages", json=body, headers=VERSION)
        process.send_signal(stop)
        assert process.stdout is not None
        said = process.stdout.read()
    assert "It waits for one request." in said
    assert f"curl -s {address}/v1/messages" in said
    assert "POST /v1/messages -> 401\n    request 1: refused with 401" in said
    assert "POST /v1/messages -> 200\n" in said
    assert process.returncode == 1
