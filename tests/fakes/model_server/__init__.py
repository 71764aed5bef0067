"""A local server that speaks the Messages API and OpenAI-compatible chat, for tests.

It refuses what the API refuses, in the API's words, before it looks at the script; it
knows what it issued and what it has cached; and a test fails if the script is not used
up, is over-used, or was spoken to in another way than a scenario expects.

A scenario file of tests/data/wire, over a real socket:

    with wire("03_three_parallel_tool_use") as server:
        client = Anthropic(api_key=KEY, base_url=server.base_url, max_retries=0)
        ...

Own replies, without a socket (`sdk_client` for the anthropic SDK, `plain_client` for
httpx); blocks and faults are in `replies`, those of chats in `chat.replies`:

    script = [say(call("read_file", path="a")), failure(529), say("It says hello.")]
    with wire(script, socket=False) as server:
        client = Anthropic(api_key=KEY, http_client=sdk_client(server), max_retries=0)
        ...
    assert server.seen[1].body["messages"][-1]["role"] == "user"

A function that answers every request, streamed with pings and a cut:

    def answer(request):
        return say("word " * 50).streamed(piece=8, cut_after=9)

    with wire(answer) as server: ...

Any reply is whole or streamed as the client asks. Scripts can be put together of parts:
[*load("03s_three_parallel_tool_use_stream").exchanges, say("All agree.")]. A request
that the contract should refuse is scripted as refused("its words"). Chats are served
below `{base_url}/api/v1` and `{base_url}/v1`; `dialect` says whose (chat.dialects).

tolerance=Tolerance(...)  what may differ from a scenario's requests
contract=Contract(...)    what kind of gateway this is
clock=Clock()             what time it is: containers and cache entries expire
server.ledger             what was issued; `.searches` counts web searches a response

By hand: python -m tests.fakes.model_server SCRIPT
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from datetime import datetime

from tests.fakes.model_server.chat.dialects import OPENROUTER, Dialect
from tests.fakes.model_server.clock import Clock
from tests.fakes.model_server.compare import Tolerance
from tests.fakes.model_server.contract import Contract
from tests.fakes.model_server.handler import ModelServer
from tests.fakes.model_server.replies import (
    Reply,
    call,
    failure,
    hang_up,
    page,
    refused,
    say,
)
from tests.fakes.model_server.scenario import Scenario, load, names
from tests.fakes.model_server.script import Source
from tests.fakes.model_server.server import serving
from tests.fakes.model_server.transports import plain_client, sdk_client
from tests.fakes.model_server.values import KEY, ROUTER_KEY, Response, WireProblem

__all__ = [
    "KEY",
    "ROUTER_KEY",
    "Clock",
    "Contract",
    "Dialect",
    "ModelServer",
    "Reply",
    "Response",
    "Scenario",
    "Tolerance",
    "WireProblem",
    "call",
    "failure",
    "hang_up",
    "load",
    "names",
    "page",
    "plain_client",
    "refused",
    "say",
    "sdk_client",
    "serving",
    "wire",
]


@contextmanager
def wire(
    source: Source,
    *,
    socket: bool = True,
    tolerance: Tolerance | None = None,
    contract: Contract | None = None,
    dialect: Dialect = OPENROUTER,
    clock: Callable[[], datetime] | None = None,
) -> Iterator[ModelServer]:
    """A server for the block; at its end WireProblem names all that was wrong.

    source: a scenario's name, path or value; replies in order; or a function.
    """
    server = ModelServer(
        source, tolerance=tolerance, contract=contract, dialect=dialect, clock=clock
    )
    with serving(server) if socket else nullcontext():
        try:
            yield server
        except Exception as error:
            for problem in server.problems:
                error.add_note(f"wire: {problem}")
            raise
    server.check()
