"""Every scenario is played over a real socket by the SDK's own client."""

from collections.abc import Iterator

import pytest
from anthropic import BadRequestError

from tests.fakes.model_client import HELLO, ask, outcome, sdk
from tests.fakes.model_server import (
    ModelServer,
    Scenario,
    WireProblem,
    call,
    load,
    names,
    say,
    serving,
    wire,
)
from tests.fakes.model_server.scenario import Exchange

# The scenarios keep to models that the SDK calls old.
pytestmark = pytest.mark.filterwarnings("ignore:The model:DeprecationWarning")

SCENARIOS = [name for name in names() if load(name).provider == "anthropic"]
REFUSED = [
    pytest.param(scenario, exchange, id=exchange.title)
    for scenario in map(load, SCENARIOS)
    for exchange in scenario.negatives
]


@pytest.fixture(params=[True, False], ids=["socket", "in process"])
def over_socket(request: pytest.FixtureRequest) -> Iterator[bool]:
    """Both ways to reach the server."""
    return request.param


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_scenario_is_played_as_written(name: str, over_socket: bool) -> None:
    scenario = load(name)
    with wire(name, socket=over_socket) as server, sdk(server) as client:
        for exchange in scenario.exchanges:
            came = outcome(client, exchange)
            if exchange.reply.status >= 400:
                assert came.status_code == exchange.reply.status
                assert came.body == exchange.reply.body
            elif exchange.reply.frames is None:
                said = came.to_dict(mode="json", warnings=False)
                assert said == exchange.reply.body


@pytest.mark.parametrize(("scenario", "exchange"), REFUSED)
def test_what_must_be_refused_is_refused_in_these_words(
    scenario: Scenario, exchange: Exchange
) -> None:
    server = ModelServer(())
    server.presuppose(scenario)
    with serving(server), sdk(server) as client:
        came = outcome(client, exchange)
    assert came.body["error"] == exchange.reply.body["error"]
    assert _problems(server).startswith("request 1: refused with 400: ")


def test_a_script_that_is_not_used_up_fails() -> None:
    assert _problems(ModelServer([say("Hello!")])) == (
        "1 exchanges of the script were not used"
    )


def test_a_script_that_is_over_used_fails() -> None:
    server = ModelServer(())
    with pytest.raises(BadRequestError, match="The script of this server is over"):
        ask(sdk(server))
    assert "the script is over" in _problems(server)


def test_a_request_unlike_the_expected_one_is_told_in_words() -> None:
    server = ModelServer("04_unknown_tool")
    ask(sdk(server))
    assert "messages.0.content.0.text is 'Hello'" in _problems(server)


def test_a_failing_block_is_told_what_was_wrong_on_the_wire() -> None:
    with pytest.raises(BadRequestError) as error:
        _hello_too_much()
    assert error.value.__notes__[0].startswith("wire: request 1: the script is over")


def test_own_replies_are_completed() -> None:
    script = [say("Let me look.", call("read_file", path="a")), say("Nothing.")]
    with wire(script, socket=False) as server:
        first = ask(sdk(server))
        assert (first.stop_reason, first.usage.input_tokens > 0) == ("tool_use", True)
        assert ask(sdk(server)).content[0].text == "Nothing."


def test_tokens_are_counted_without_a_script() -> None:
    with wire([say("Hello!")], socket=False) as server:
        counted = sdk(server).messages.count_tokens(
            model="claude-sonnet-5-5", messages=HELLO
        )
        assert ask(sdk(server)).content[0].text == "Hello!"
    assert counted.input_tokens > 0


def test_nothing_else_is_served() -> None:
    server = ModelServer(())
    assert server.handle("GET", "/v1/messages", {}, b"").status == 404
    assert "nothing is served at GET /v1/messages" in _problems(server)


def _hello_too_much() -> None:
    with wire((), socket=False) as server:
        ask(sdk(server))


def _problems(server: ModelServer) -> str:
    with pytest.raises(WireProblem) as problem:
        server.check()
    return str(problem.value)
