"""The live tests against the local model server: they pass, and what they leave plays.

So whoever has a key needs nothing else.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from chat.engine import ErrorKind, ModelError
from chat.providers.anthropic import AnthropicModel
from tests.chat.providers.anthropic.wire import ask
from tests.fakes.model_server import (
    KEY,
    Clock,
    Reply,
    call,
    failure,
    load,
    page,
    say,
    wire,
)
from tests.fakes.model_server.replies import cited, hit, search
from tests.fakes.model_server.scenario import Exchange
from tests.fakes.model_server.script import Source
from tests.fakes.model_server.transports import sdk_transport
from tests.live.recorder import Recorder, write_scenario

ROOT = Path(__file__).resolve().parents[2]
DJANGO = "https://www.djangoproject.com/foundation/"
TOWN = '{"name": "Amsterdam", "place": {"country": "Netherlands"}}'


def searched() -> Reply:
    found = search("Django maintainers", hit(DJANGO, "Foundation"))
    return say(*found, "It is kept by ", cited("the foundation.", DJANGO))


def script() -> list[Reply]:
    """What an API that keeps its word would answer, in the order of the tests."""
    files = [call("read_file", path=f"{name}.txt") for name in "abc"]
    return [
        say("Harbour."),
        say(*files),
        say("All say that the tide is at 4 m."),
        searched(),
        searched(),
        say(TOWN),
        failure(404, "model: claude-of-nowhere-1"),
        say("Harbour."),
        say("Harbour."),
    ]


def play(source: Source, folder: Path, **environment: str) -> str:
    """Run the live tests, in a process of their own, against the local server."""
    with wire(source) as server:
        named = {
            "WEIGHHOUSE_LIVE": "1",
            "LIVE_URL": server.base_url,
            "LIVE_FOLDER": str(folder),
            "ANTHROPIC_API_KEY": KEY,
        }
        hidden = {"PYTEST_XDIST_WORKER", "DATABASE_URL"}
        kept = {name: each for name, each in os.environ.items() if name not in hidden}
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "tests/live/test_messages_api.py"],
            cwd=ROOT,
            env={**kept, **named, **environment},
            capture_output=True,
            text=True,
            check=False,
        )
        # Shown where the server has something to say against it.
        sys.stdout.write(done.stdout + done.stderr)
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that one run of them left."""
    folder = tmp_path_factory.mktemp("left")
    told = play(script(), folder)
    assert "8 passed" in told
    assert f"live: 10 calls, 0 refused, in {folder}" in told
    return folder


def recorded(folder: Path) -> list[Exchange]:
    """All that was written, in the order in which it was said."""
    paths = sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime_ns)
    return [each for path in paths for each in load(path).exchanges]


def test_what_the_live_tests_leave_is_a_script_that_they_can_be_run_on(
    left: Path, tmp_path: Path
) -> None:
    assert len(recorded(left)) == 10
    assert "8 passed" in play(recorded(left), tmp_path)
    assert scenarios(tmp_path) == scenarios(left)


def scenarios(folder: Path) -> list[object]:
    """Everything written but the time and the ids of the requests."""
    found = []
    for path in sorted(folder.iterdir()):
        text = path.read_text(encoding="utf-8")
        data = json.loads(text) if path.suffix == ".json" else text
        found.append((path.name, _timeless(data)))
    return found


def _timeless(data: object) -> object:
    if isinstance(data, dict):
        left_out = ("source", "request-id", "request_id")
        return {k: _timeless(v) for k, v in data.items() if k not in left_out}
    return [_timeless(each) for each in data] if isinstance(data, list) else data


def test_each_file_is_a_scenario_by_itself_and_holds_no_key(left: Path) -> None:
    texts = [path.read_text(encoding="utf-8") for path in left.iterdir()]
    assert not any(KEY in text or "authorization" in text for text in texts)
    written = {path.stem: load(path) for path in left.glob("*.json")}
    assert len(written) == 8
    search = written["live_a_streamed_search_with_citations"]
    assert search.exchanges[0].reply.frames is not None
    assert search.expect["final_text"] == "It is kept by the foundation."
    wrong = written["live_a_wrong_model_name_is_told_with_the_head_of_the_error"]
    assert "request-id" in wrong.exchanges[0].reply.headers


def test_without_a_key_every_live_test_is_deselected(tmp_path: Path) -> None:
    told = play((), tmp_path, ANTHROPIC_API_KEY="")
    assert "8 deselected" in told
    assert list(tmp_path.iterdir()) == []


@contextmanager
def recording(script: list[Reply]) -> Iterator[tuple[AnthropicModel, Recorder]]:
    """A model whose calls are recorded before the local server answers them."""
    with wire(script, socket=False) as server:
        recorder = Recorder(sdk_transport(server))
        with httpx2.Client(transport=recorder) as client:
            model = AnthropicModel("claude-haiku-5-5", api_key=KEY, http_client=client)
            yield model, recorder


def test_an_eleventh_call_is_refused_and_not_sent() -> None:
    with recording([say("A.")] * 10) as (model, recorder):
        for _ in range(10):
            model.complete(ask())
        with pytest.raises(ModelError) as raised:
            model.complete(ask())
    assert raised.value.kind is ErrorKind.UNAVAILABLE
    assert (recorder.calls, recorder.refused) == (10, 1)


def test_a_key_in_what_was_said_keeps_everything_from_being_written(
    tmp_path: Path,
) -> None:
    with recording([say(f"Your key is {KEY}.")]) as (model, recorder):
        model.complete(ask())
    with pytest.raises(ValueError, match="holds the key"):
        write_scenario(tmp_path, "a", "a", recorder.take(), Clock()())
    assert list(tmp_path.iterdir()) == []


def test_a_page_of_a_proxy_is_written_as_it_is(tmp_path: Path) -> None:
    with (
        recording([page("<html>Sign in</html>")]) as (model, recorder),
        pytest.raises(ModelError),
    ):
        model.complete(ask())
    path = write_scenario(tmp_path, "a", "a", recorder.take(), Clock()())
    assert load(path).exchanges[0].reply.body == "<html>Sign in</html>"
