"""Plays a scenario by hand, for curl or any client.

Without SCRIPT the scenarios are listed. With it the server waits on 127.0.0.1 for the
requests of the scenario, in their order, and says what came and what was wrong with it.
Stop it with Ctrl-C: the exit status is 0 if all went as written, 1 if it did not.
"""

import argparse
import json
import signal
import sys
import threading
from collections.abc import Mapping
from contextlib import ExitStack
from difflib import get_close_matches
from types import FrameType

from tests.fakes.model_server import (
    KEY,
    ROUTER_KEY,
    ModelServer,
    Response,
    Scenario,
    WireProblem,
    load,
    names,
    serving,
)
from tests.fakes.model_server.values import Json

PROGRAM = "python -m tests.fakes.model_server"
REQUEST = """\
It waits for {count}. The first, from another terminal:

{program} {script} --requests | head -n 1 |
  curl -s {address}{path} -d @- \\
    -H 'authorization: Bearer {key}' \\
    -H 'anthropic-version: 2026-10-21' -H 'content-type: application/json'
"""


class Talking(ModelServer):
    """A server that says at once what came, and what was wrong with it."""

    def handle(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes | Json
    ) -> Response:
        """Answer, and say so."""
        known = len(self.problems)
        response = super().handle(method, path, headers, body)
        lines = [f"{method} {path} -> {response.status}", *self.problems[known:]]
        _say("\n    ".join(lines))
        return response


def main(arguments: list[str]) -> int:
    """Serve until interrupted; the exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.script is None:
        listed = (f"{name}: {load(name).title}" for name in names())
        return _say("\n".join(listed))
    scenario = _scenario(parser, options.script)
    if options.requests:
        asked = [each.expected for each in scenario.exchanges if each.expected]
        bodies = [each["body"] for each in asked]
        return _say("\n".join(json.dumps(body) for body in bodies))
    server, stopped = Talking(scenario), threading.Event()
    with ExitStack() as stack:
        try:
            stack.enter_context(serving(server, options.port))
        except (OSError, OverflowError) as error:
            parser.error(f"port {options.port}: {error}")
        # Also where a shell has started it in the background, deaf to Ctrl-C.
        _stop_by_signals(stopped)
        _say(f"{server.base_url} plays {scenario.id}: {scenario.title}")
        _say(_first_request(server.base_url, scenario, options.script))
        stopped.wait()
    return _verdict(server)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=PROGRAM,
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=f"Keys that are let in: {KEY} and, of chats, {ROUTER_KEY}.",
    )
    parser.add_argument(
        "script", nargs="?", metavar="SCRIPT", help="a scenario's name or path, .json"
    )
    parser.add_argument("--port", type=int, default=0, help="any free one by default")
    parser.add_argument(
        "--requests",
        action="store_true",
        help="print the bodies it waits for, one a line, and serve nothing",
    )
    return parser


def _scenario(parser: argparse.ArgumentParser, script: str) -> Scenario:
    try:
        return load(script)
    except FileNotFoundError:
        near = get_close_matches(script, names(), n=3, cutoff=0.4)
        hint = f"; is it {' or '.join(near)}?" if near else ""
        parser.error(f"there is no scenario {script!r}{hint}")
    except (OSError, ValueError, LookupError, TypeError) as error:
        parser.error(f"{script} is no scenario: {type(error).__name__}: {error}")


def _first_request(address: str, scenario: Scenario, script: str) -> str:
    count = len(scenario.exchanges)
    if not count:
        return "It waits for nothing."
    first = scenario.exchanges[0].expected
    if first is None:
        return f"It answers {count} requests, whatever they ask, with the key {KEY}."
    return REQUEST.format(
        program=PROGRAM,
        script=script,
        count="one request" if count == 1 else f"{count} requests",
        address=address,
        path=first["path"],
        key=KEY if scenario.provider == "anthropic" else ROUTER_KEY,
    )


def _stop_by_signals(stopped: threading.Event) -> None:
    def stop(signum: int, frame: FrameType | None) -> None:
        stopped.set()

    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, stop)


def _verdict(server: ModelServer) -> int:
    try:
        server.check()
    except WireProblem as problem:
        _say(str(problem))
        return 1
    return _say("All went as written.")


def _say(words: str) -> int:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
