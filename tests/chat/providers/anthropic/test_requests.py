"""What is sent: the way to the API, and the messages."""

from typing import Any

import httpx
import pytest

from chat.engine import (
    CallResult,
    ConfigurationError,
    Message,
    ModelRequest,
    Role,
    Task,
    ToolCall,
)
from chat.providers.anthropic import AnthropicModel
from chat.providers.own_results import OwnResult
from chat.providers.server_search import ServerSearch
from tests.chat.providers.anthropic.wire import (
    MODEL,
    ask,
    read_file,
    results,
    said,
    talking,
)
from tests.fakes.model_server import KEY, call, say
from tests.fakes.model_server.replies import text

LEAKS = {
    "ANTHROPIC_API_KEY": "sk-ant-other",
    "ANTHROPIC_AUTH_TOKEN": "other-token",
    "ANTHROPIC_BASE_URL": "http://127.0.0.1:9",
    "ANTHROPIC_CUSTOM_HEADERS": "x-leak: yes\nanthropic-beta: leaked",
    "ANTHROPIC_PROFILE": "other",
    "ANTHROPIC_CONFIG_DIR": "/nonexistent",
    "HTTPS_PROXY": "http://127.0.0.1:9",
    "HTTP_PROXY": "http://127.0.0.1:9",
    "ALL_PROXY": "http://127.0.0.1:9",
}
TOOLS: Any = {"tools": (read_file(),)}


def sent(*messages: Message, **fields: Any) -> Any:
    """The messages of a request after the task "x", without marks for the cache."""
    with talking([say("A.")], cache=None) as (model, server):
        model.complete(ask("x", *messages, **fields))
    return server.seen[0].body["messages"]


def called(arguments: Any) -> tuple[Message, Message]:
    """An assistant's call, of which no raw form is left, and its result."""
    calls = (ToolCall("toolu_1", "read_file", arguments),)
    answer = CallResult("toolu_1", "read_file", "x = 1")
    return (
        Message(Role.ASSISTANT, "Reading.", calls),
        Message(Role.TOOL, results=(answer,)),
    )


def test_nothing_of_the_environment_is_sent_or_followed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in LEAKS.items():
        monkeypatch.setenv(name, value)
    with talking([say("A.")], socket=True) as (model, server):
        model.complete(ask())
    headers = server.seen[0].headers
    assert headers["authorization"] == f"Bearer {KEY}"
    assert not {"x-leak", "anthropic-beta", "x-api-key"} & headers.keys()
    assert not any("other" in value for value in headers.values())


def test_the_address_is_the_apis_own_whatever_the_environment_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    model = AnthropicModel(MODEL, api_key=KEY)
    assert str(model._transport._client.base_url) == "https://api.anthropic.com"
    model.close()


@pytest.mark.parametrize("key", ["", "  ", None, "sk ant\n", "schlüssel", " sk-ant"])
def test_without_a_key_there_is_no_model(
    key: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-other")
    with pytest.raises(ConfigurationError, match="api_key"):
        AnthropicModel(MODEL, api_key=key)


def test_a_client_of_another_library_is_refused() -> None:
    wrong: Any = httpx.Client()
    with pytest.raises(TypeError, match="httpx2"):
        AnthropicModel(MODEL, api_key=KEY, http_client=wrong)


def test_windows_are_known_by_name_and_unknown_ones_are_none() -> None:
    sizes = {
        name: AnthropicModel(name, api_key=KEY).profile
        for name in ("claude-sonnet-4-5-20250929", "claude-opus-5-5", "claude-next")
    }
    assert [(each.window, each.max_output) for each in sizes.values()] == [
        (200_000, 64_000),
        (1_000_000, 128_000),
        (None, None),
    ]


def test_the_longest_reply_is_never_longer_than_the_models() -> None:
    with talking([say("A.")], model="claude-haiku-4-5") as (model, server):
        model.complete(ask(max_output_tokens=100_000))
    assert server.seen[0].body["max_tokens"] == 64_000


@pytest.mark.parametrize("wrong", ["a\ud800b", "a\0b", "\udc00"])
def test_text_that_cannot_be_sent_does_not_break_a_request(wrong: str) -> None:
    answer = CallResult("toolu_1", "read_file", wrong)
    messages = (called({wrong: wrong})[0], Message(Role.TOOL, results=(answer,)))
    blocks = str(sent(*messages, Message.user(wrong), system=wrong))
    assert "\N{REPLACEMENT CHARACTER}" in blocks
    assert "\\x00" not in blocks


def test_a_surrogate_pair_is_the_character_that_it_means() -> None:
    assert sent(Message.user("\ud83d\ude00"))[0]["content"][1] == text("\U0001f600")


def test_empty_texts_are_never_sent() -> None:
    blank = Message(Role.ASSISTANT, " \n", raw=None)
    messages = sent(Message.user(""), blank, Message.user(" \n"), Message.user("y"))
    assert messages == [{"role": "user", "content": [text("x"), text("y")]}]


def test_words_of_a_user_in_a_row_are_one_message_with_the_results_first() -> None:
    messages = sent(*called({"path": "a"}), Message.user("Go on."), **TOOLS)
    assert [each["role"] for each in messages] == ["user", "assistant", "user"]
    kinds = [block["type"] for block in messages[2]["content"]]
    assert kinds == ["tool_result", "text"]


def test_a_reply_without_its_own_form_is_written_anew() -> None:
    messages = sent(*called({"path": "a"}), **TOOLS)
    assert messages[1]["content"] == [
        text("Reading."),
        {
            "type": "tool_use",
            "id": "toolu_1",
            "name": "read_file",
            "input": {"path": "a"},
        },
    ]


def test_arguments_that_are_no_object_are_sent_back_as_an_empty_one() -> None:
    assert sent(*called('{"path": "a'), **TOOLS)[1]["content"][1]["input"] == {}
    broken = {**call("read_file"), "input": '{"path": "a'}
    with talking([say(broken), say("A.")]) as (model, server):
        reply = model.complete(ask(**TOOLS))
        model.complete(ask("x", said(reply), results(reply), **TOOLS))
    assert server.seen[1].body["messages"][1]["content"][0]["input"] == {}


def test_arguments_that_came_as_text_are_sent_back_as_the_object_that_they_are() -> (
    None
):
    written = {**call("read_file"), "input": '{"path": "a"}'}
    with talking([say(written), say("A.")]) as (model, server):
        reply = model.complete(ask(**TOOLS))
        model.complete(ask("x", said(reply), results(reply), **TOOLS))
    (block,) = server.seen[1].body["messages"][1]["content"]
    assert block["input"] == {"path": "a"}


@pytest.mark.parametrize(
    "raw",
    [
        {"role": "assistant", "content": "Reading.", "tool_calls": []},
        {"content": [{"type": "text", "text": "no call here"}]},
        {"content": []},
        ["Reading."],
    ],
)
def test_the_form_of_another_provider_is_not_sent(raw: Any) -> None:
    written, answer = called({"path": "a"})
    foreign = Message(Role.ASSISTANT, written.text, written.calls, raw=raw)
    kinds = [block["type"] for block in sent(foreign, answer, **TOOLS)[1]["content"]]
    assert kinds == ["text", "tool_use"]


def test_a_result_says_that_it_is_an_error_and_may_be_empty() -> None:
    answer = CallResult("toolu_1", "read_file", "", is_error=True)
    messages = (called({})[0], Message(Role.TOOL, results=(answer,)))
    assert sent(*messages, **TOOLS)[2]["content"] == [
        {"type": "tool_result", "tool_use_id": "toolu_1", "is_error": True}
    ]


def test_a_conversation_begins_with_a_user() -> None:
    earlier = Message(Role.ASSISTANT, "Hello.")
    request = ModelRequest(Task("x"), (earlier, Message.user("x")))
    with talking([say("A.")]) as (model, server):
        model.complete(request)
    roles = [each["role"] for each in server.seen[0].body["messages"]]
    assert roles == ["user", "assistant", "user"]


def test_tools_stay_declared_in_a_last_turn() -> None:
    with talking([say("A.")]) as (model, server):
        model.complete(ask(declared=(read_file(),)))
    body = server.seen[0].body
    assert [tool["name"] for tool in body["tools"]] == ["read_file"]
    assert body["tool_choice"] == {"type": "none"}


def test_a_thinking_budget_stays_below_the_reply() -> None:
    budget = {"type": "enabled", "budget_tokens": 8_000}
    old = {"model": "claude-sonnet-4-5", "thinking": budget}
    with talking([say("A."), say("A."), say("A.")], **old) as (model, server):
        for longest in (16_000, 4_000, 500):
            model.complete(ask(max_output_tokens=longest))
    asked = [each.body.get("thinking") for each in server.seen]
    assert [each and each["budget_tokens"] for each in asked] == [8_000, 3_999, None]


def test_our_own_results_are_given_to_be_cited() -> None:
    readers = {"read_file": lambda _: [OwnResult("index://17", "Record 17", "4 m")]}
    messages = called({"path": "a"})
    with talking([say("A.")], cited_tools=readers) as (model, server):
        model.complete(ask("x", *messages, **TOOLS, output_schema={"type": "object"}))
    (result,) = server.seen[0].body["messages"][2]["content"]
    (block,) = result["content"]
    assert (block["type"], block["source"]) == ("search_result", "index://17")
    assert block["citations"] == {"enabled": True}
    # A schema and citations exclude each other.
    assert "output_config" not in server.seen[0].body


def test_a_result_that_cannot_be_taken_apart_stays_a_text() -> None:
    readers: Any = {"read_file": lambda _: []}
    with talking([say("A.")], cited_tools=readers) as (model, server):
        model.complete(ask("x", *called({"path": "a"}), **TOOLS))
    (result,) = server.seen[0].body["messages"][2]["content"]
    assert result["content"] == "x = 1"


def test_a_search_alone_is_attached_and_the_choice_left_to_the_model() -> None:
    with talking([say("A.")], search=ServerSearch()) as (model, server):
        model.complete(ask())
    assert len(server.seen[0].body["tools"]) == 1
    assert "tool_choice" not in server.seen[0].body
