"""The server by hand: python -m tests.fakes.model_server SCRIPT."""

import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.fakes.model_client import VERSION
from tests.fakes.model_server import load
from tests.fakes.model_server.__main__ import main

ROOT = Path(__file__).resolve().parents[2]


def test_without_a_script_the_scenarios_are_listed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([]) == 0
    assert "10_refusal: HTTP 200, content []" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("asked", "status", "words"),
    [(True, 0, "All went as written."), (False, 1, "were not used")],
)
def test_a_scenario_is_served_until_interrupted(
    asked: bool, status: int, words: str
) -> None:
    command = [sys.executable, "-m", "tests.fakes.model_server", "10_refusal"]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        address = process.stdout.readline().split()[0]
        if asked:
            body = load("10_refusal").exchanges[0].expected["body"]
            httpx.post(f"{address}/v1/messages", json=body, headers=VERSION)
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=20)
    assert (process.returncode, words in said) == (status, True)


def test_a_script_for_any_request_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    script = str(ROOT / "tests" / "data" / "by_hand" / "retention.json")
    command = [sys.executable, "-m", "tests.fakes.model_server", script]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(2)]
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
    assert "plays retention" in said[0]
    assert "It answers 3 requests, whatever they ask" in said[1]
    assert main([script, "--requests"]) == 0
    assert not capsys.readouterr().out.strip()
