"""Every scenario is played over a real socket by the SDK's own client."""

from collections.abc import Iterator
from typing import Any

import pytest
from anthropic import Anthropic, APIStatusError, BadRequestError
from anthropic.types import Message

from tests.fakes.model_server import (
    KEY,
    ModelServer,
    Scenario,
    WireProblem,
    call,
    load,
    names,
    say,
    sdk_client,
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


def _client(server: ModelServer) -> Anthropic:
    if server.base_url:
        return Anthropic(api_key=KEY, base_url=server.base_url, max_retries=0)
    return Anthropic(api_key=KEY, http_client=sdk_client(server), max_retries=0)


def _send(client: Anthropic, exchange: Exchange) -> Any:
    """Send a scenario's own request; the status of an error, or what came."""
    request = exchange.expected
    body = {key: value for key, value in request["body"].items() if key != "stream"}
    betas = request["headers"].get("anthropic-beta")
    options: dict[str, Any] = {"timeout": 20}
    if betas:
        options["extra_headers"] = {"anthropic-beta": betas}
    extra = {key: body.pop(key) for key in ("thread", "temperature") if key in body}
    if request["path"].endswith("count_tokens"):
        return client.messages.count_tokens(**body)
    if not request["body"].get("stream"):
        return client.messages.create(**body, extra_body=extra, **options)
    with client.messages.stream(**body, extra_body=extra, **options) as stream:
        return stream.get_final_message()


def _outcome(client: Anthropic, exchange: Exchange) -> Any:
    try:
        return _send(client, exchange)
    except APIStatusError as error:
        return error


@pytest.fixture(params=[True, False], ids=["socket", "in process"])
def over_socket(request: pytest.FixtureRequest) -> Iterator[bool]:
    """Both ways to reach the server."""
    return request.param


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_scenario_is_played_as_written(name: str, over_socket: bool) -> None:
    scenario = load(name)
    with wire(name, socket=over_socket) as server, _client(server) as client:
        for exchange in scenario.exchanges:
            came = _outcome(client, exchange)
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
    with serving(server), _client(server) as client:
        came = _outcome(client, exchange)
    assert came.body["error"] == exchange.reply.body["error"]
    assert _problems(server).startswith("request 1: refused with 400: ")


def test_a_script_that_is_not_used_up_fails() -> None:
    assert _problems(ModelServer([say("Hello!")])) == (
        "1 exchanges of the script were not used"
    )


def test_a_script_that_is_over_used_fails() -> None:
    server = ModelServer(())
    with pytest.raises(BadRequestError, match="The script of this server is over"):
        _hello(_client(server))
    assert "the script is over" in _problems(server)


def test_a_request_unlike_the_expected_one_is_told_in_words() -> None:
    server = ModelServer("04_unknown_tool")
    _hello(_client(server))
    assert "messages.0.content.0.text is 'Hello'" in _problems(server)


def test_a_failing_block_is_told_what_was_wrong_on_the_wire() -> None:
    error = pytest.raises(BadRequestError, _hello_too_much)
    assert any(
        "wire: request 1: the script is over" in n for n in error.value.__notes__
    )


def test_own_replies_are_completed() -> None:
    script = [say("Let me look.", call("read_file", path="a")), say("Nothing.")]
    with wire(script, socket=False) as server:
        first = _hello(_client(server))
        assert (first.stop_reason, first.usage.input_tokens > 0) == ("tool_use", True)
        assert _hello(_client(server)).content[0].text == "Nothing."


def _hello(client: Anthropic) -> Message:
    return client.messages.create(
        model="claude-sonnet-5-5",
        max_tokens=100,
        messages=[{"role": "user", "content": "Hello"}],
    )


def _hello_too_much() -> None:
    with wire((), socket=False) as server:
        _hello(_client(server))


def _problems(server: ModelServer) -> str:
    with pytest.raises(WireProblem) as problem:
        server.check()
    return str(problem.value)
