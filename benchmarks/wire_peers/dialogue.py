"""What every library is given: where to ask, what to say, and what its tools answer.

python -m benchmarks.wire_peers.NAME VARIANT      with a Dialogue as JSON on stdin

Standard library alone, so that any interpreter reads it.
"""

import json
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

ANSWER = "That is all there is."


@dataclass(frozen=True, slots=True)
class Dialogue:
    """One run. tools: name, description and input_schema of each. page_chars: length
    of what each of them answers."""

    base_url: str
    key: str
    model: str
    system: str
    question: str
    tools: list[dict[str, Any]]
    page_chars: int

    def read(self, **arguments: Any) -> str:
        """Answer a call, whatever the tool."""
        return page(arguments["uri"], self.page_chars)

    def as_json(self) -> str:
        """Return it for the standard input of another interpreter."""
        return json.dumps(asdict(self))


def page(uri: str, chars: int) -> str:
    """Return the page of this address, the same each time."""
    line = "{n}. Release {n} of {uri} keeps its access log for {days} days.\n"
    text, n = "", 0
    while len(text) < chars:
        n += 1
        text += line.format(n=n, uri=uri, days=n * 7 % 90)
    return text[:chars]


def main(play: Callable[[Dialogue, str], str]) -> None:
    """Play the dialogue of standard input; it must end with the script's answer."""
    dialogue = Dialogue(**json.load(sys.stdin))
    said = play(dialogue, sys.argv[1])
    if not said.endswith(ANSWER):
        sys.exit(f"another answer: {said[-80:]!r}")
