"""The other end of the wire: the script of a research run, and what each turn used."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.wire_peers.dialogue import ANSWER
from chat.engine import Usage
from tests.fakes.model_server import Clock, ModelServer, Reply, Response, call, say
from tests.fakes.model_server.replies import cited, hit, search, thinking
from tests.fakes.model_server.sse import message_of_frames
from tests.fakes.model_server.values import Block, Json

SEARCHED = 5
HIT_CHARS = 1_500


@dataclass(frozen=True, slots=True)
class Turn:
    """One request: the bytes of its body, and what the server charges for it."""

    size: int
    usage: Usage


class Meter(ModelServer):
    """A model server that also notes what each answered request was."""

    def __init__(self, rounds: Sequence[Sequence[str]]) -> None:
        super().__init__(list(replies(rounds)), clock=Clock())
        self.turns: list[Turn] = []

    def handle(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes | Json
    ) -> Response:
        """Answer, and note it."""
        response = super().handle(method, path, headers, body)
        if response.status == 200:
            self.turns.append(Turn(len(body), _usage(response)))
        return response


def replies(rounds: Sequence[Sequence[str]]) -> Iterator[Reply]:
    """Yield a turn a round, which reads its documents; each fifth searches and cites
    before that. Then the answer."""
    for number, uris in enumerate(rounds):
        found = _found(number) if number % SEARCHED == 0 else ()
        calls = [call("read_document", uri=uri) for uri in uris]
        yield say(thinking(), *found, f"Now I read part {number}.", *calls)
    yield say(thinking(), cited("They are kept for 90 days. ", _url(0)), ANSWER)


def _found(number: int) -> tuple[Block, ...]:
    hits = [_hit(f"{_url(number)}/{n}") for n in range(3)]
    words = f"Access logs of part {number} are kept for 90 days."
    return (*search(f"access log, part {number}", *hits), cited(words, _url(number)))


def _hit(url: str) -> Block:
    """A result whose page is as long as real ones, which the fake's own is not."""
    sealed = f"{url} " * (HIT_CHARS // len(url))
    return {**hit(url), "encrypted_content": sealed}


def _url(number: int) -> str:
    return f"https://docs.example/part-{number}"


def _usage(response: Response) -> Usage:
    whole = response.json if response.frames is None else None
    counts = (whole or message_of_frames(response.frames or ()))["usage"]
    served = counts.get("server_tool_use") or {}
    return Usage(
        input_tokens=counts["input_tokens"],
        output_tokens=counts["output_tokens"],
        cache_read_tokens=counts["cache_read_input_tokens"],
        cache_write_tokens=counts["cache_creation_input_tokens"],
        searches=served.get("web_search_requests", 0),
    )
