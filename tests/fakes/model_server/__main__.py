"""Run a scenario by hand: python -m tests.fakes.model_server SCRIPT [--port N].

SCRIPT is a scenario's name or the path of a scenario file; without one the scenarios
are listed. Stop it with Ctrl-C: then all that was wrong is printed, and the exit status
is 1.
"""

import argparse
import sys
import threading
from contextlib import suppress

from tests.fakes.model_server import ModelServer, WireProblem, load, names, serving


def main(arguments: list[str]) -> int:
    """Serve until interrupted; the exit status."""
    parser = argparse.ArgumentParser(prog="model_server", description=__doc__)
    parser.add_argument("script", nargs="?", help="a scenario's name or its path")
    parser.add_argument("--port", type=int, default=0, help="0 takes any free one")
    options = parser.parse_args(arguments)
    if options.script is None:
        listed = (f"{name}: {load(name).title}" for name in names())
        return _say("\n".join(listed))
    server = ModelServer(options.script)
    with serving(server, options.port), suppress(KeyboardInterrupt):
        _say(f"{server.base_url} plays {load(options.script).title}")
        threading.Event().wait()
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
