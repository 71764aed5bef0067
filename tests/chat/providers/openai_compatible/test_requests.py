"""What an OpenAI-compatible endpoint is asked, and in which words."""

from typing import Any

import pytest

from chat.engine import (
    CallResult,
    ConfigurationError,
    Message,
    ModelReply,
    Role,
    ToolCall,
)
from tests.chat.providers.openai_compatible.endpoint import (
    KEY,
    ask,
    called,
    model_at,
    reader,
    said,
)


def body_of(request: Any, **options: Any) -> Any:
    model, endpoint = model_at(said(), **options)
    model.complete(request)
    return endpoint.bodies[0]


def history(reply: ModelReply, *results: tuple[str, bool]) -> tuple[Message, ...]:
    """A conversation in which the reply's calls are answered with these results."""
    answers = tuple(
        CallResult(call.id, call.name, content, is_error)
        for call, (content, is_error) in zip(reply.calls, results, strict=True)
    )
    said_before = Message(Role.ASSISTANT, reply.text, reply.calls, raw=reply.raw)
    return (Message.user("x"), said_before, Message(Role.TOOL, results=answers))


def test_a_plain_request_says_nothing_that_was_not_asked() -> None:
    assert body_of(ask("Hi")) == {
        "model": "some/model",
        "messages": [{"role": "user", "content": "Hi"}],
    }


def test_the_key_is_a_bearer_token_and_there_may_be_none() -> None:
    for key, sent in (
        (KEY, f"Bearer {KEY}"),
        ("", None),
        (f" {KEY}\n", f"Bearer {KEY}"),
    ):
        model, endpoint = model_at(said(), api_key=key)
        model.complete(ask())
        assert endpoint.requests[0].headers.get("authorization") == sent


def test_the_system_prompt_is_the_first_message() -> None:
    messages = body_of(ask("Hi", system="Be brief."))["messages"]
    assert messages[0] == {"role": "system", "content": "Be brief."}


def test_tools_are_declared_as_functions() -> None:
    body = body_of(ask(tools=(reader(),), declared=(reader(),)))
    [tool] = body["tools"]
    assert tool["type"] == "function"
    assert tool["function"]["name"] == "read_file"
    assert tool["function"]["parameters"]["type"] == "object"
    assert "tool_choice" not in body


def test_in_the_closing_turn_tools_are_shown_and_none_may_be_called() -> None:
    body = body_of(ask(declared=(reader(),)))
    assert body["tool_choice"] == "none"
    assert len(body["tools"]) == 1


@pytest.mark.row("A11")
def test_the_switch_against_parallel_calls_is_sent_only_beside_tools() -> None:
    asked = ask(tools=(reader(),), disable_parallel_tool_use=True)
    assert body_of(asked)["parallel_tool_calls"] is False
    assert "parallel_tool_calls" not in body_of(ask(disable_parallel_tool_use=True))


@pytest.mark.parametrize(
    ("preset", "name"),
    [(None, "max_tokens"), ("openai", "max_completion_tokens")],
)
def test_the_length_of_a_reply_is_limited(preset: str | None, name: str) -> None:
    assert body_of(ask(max_output_tokens=77), preset=preset)[name] == 77


@pytest.mark.row("A11")
def test_every_result_is_a_message_of_its_own_and_errors_are_told_in_words() -> None:
    model, endpoint = model_at(
        called(("c1", "read", '{"path": "a"}'), ("c2", "no", "{}"), content="See:"),
        said(),
    )
    reply = model.complete(ask())
    model.complete(ask(messages=history(reply, ("A", False), ("Unknown.", True))))
    _, assistant, *results = endpoint.bodies[1]["messages"]
    assert assistant["content"] == "See:"
    assert [call["id"] for call in assistant["tool_calls"]] == ["c1", "c2"]
    assert assistant["tool_calls"][0]["function"]["arguments"] == '{"path": "a"}'
    assert results == [
        {"role": "tool", "tool_call_id": "c1", "content": "A"},
        {"role": "tool", "tool_call_id": "c2", "content": "This call failed. Unknown."},
    ]


def test_a_message_without_a_form_of_its_own_is_built() -> None:
    call = ToolCall("c1", "read", {"path": "ä"})
    reply = ModelReply(calls=(call,))
    body = body_of(ask(messages=history(reply, ("A", False))))
    [built] = body["messages"][1]["tool_calls"]
    function = {"name": "read", "arguments": '{"path":"ä"}'}
    assert built == {"id": "c1", "type": "function", "function": function}
    assert body["messages"][1]["content"] is None


def test_another_providers_form_of_a_message_is_not_sent() -> None:
    raw = {"role": "assistant", "content": [{"type": "thinking", "signature": "s"}]}
    earlier = Message(Role.ASSISTANT, "Said.", raw=raw)
    body = body_of(ask(messages=(Message.user("x"), earlier, Message.user("y"))))
    assert body["messages"][1] == {"role": "assistant", "content": "Said."}


def test_a_reply_without_text_and_calls_goes_back_as_empty_text() -> None:
    model, endpoint = model_at(said(None), said())
    reply = model.complete(ask())
    earlier = Message(Role.ASSISTANT, reply.text, raw=reply.raw)
    model.complete(ask(messages=(Message.user("x"), earlier, Message.user("y"))))
    assert endpoint.bodies[1]["messages"][1] == {"role": "assistant", "content": ""}


def test_two_calls_of_one_reply_never_have_the_same_id() -> None:
    model, _ = model_at(called(("c", "read", "{}"), ("c", "read", "{}")))
    first, second = model.complete(ask()).calls
    assert first.id == "c"
    assert second.id not in ("c", "")


def test_what_a_call_carries_beside_its_function_goes_back_with_it() -> None:
    signed = {"google": {"thought_signature": "s"}}
    function = {"name": "read", "arguments": "{}"}
    call = {"id": "c1", "index": 0, "type": "function", "function": function}
    model, endpoint = model_at(
        said(None, tool_calls=[{**call, "extra_content": signed}]), said()
    )
    reply = model.complete(ask())
    model.complete(ask(messages=history(reply, ("A", False))))
    [sent] = endpoint.bodies[1]["messages"][1]["tool_calls"]
    assert sent["extra_content"] == signed
    assert "index" not in sent


@pytest.mark.parametrize(
    ("preset", "sent"),
    [(None, "{}"), ("vllm", "{}"), ("openai", '{"pa'), ("openrouter", '{"pa')],
)
def test_broken_arguments_go_back_only_where_they_are_taken(
    preset: str | None, sent: str
) -> None:
    model, endpoint = model_at(called(("c1", "read", '{"pa')), said(), preset=preset)
    reply = model.complete(ask())
    model.complete(ask(messages=history(reply, ("Not JSON.", True))))
    [call] = endpoint.bodies[1]["messages"][1]["tool_calls"]
    assert call["function"]["arguments"] == sent


def test_ids_that_are_missing_or_used_up_are_made_new_everywhere() -> None:
    details = [{"type": "reasoning.encrypted", "id": "call_0", "data": "d"}]
    answer = called(("call_0", "read", "{}"), reasoning_details=details)
    again = called(
        ("call_0", "read", "{}"), ("", "read", "{}"), reasoning_details=details
    )
    model, endpoint = model_at(answer, again, said(), preset="openrouter")
    first = model.complete(ask())
    earlier = history(first, ("A", False))
    second = model.complete(ask(messages=earlier))
    ids = [call.id for call in second.calls]
    assert len({"call_0", "", *ids}) == 4
    both = (*earlier, *history(second, ("B", False), ("C", False))[1:])
    model.complete(ask(messages=both))
    sent = endpoint.bodies[2]["messages"][3]
    assert [call["id"] for call in sent["tool_calls"]] == ids
    assert sent["reasoning_details"][0]["id"] == ids[0]


def test_additions_are_sent_but_cannot_say_what_is_ours_to_say() -> None:
    extra = {"chat_template_kwargs": {"enable_thinking": False}}
    assert body_of(ask(), extra=extra)["chat_template_kwargs"]
    with pytest.raises(ConfigurationError, match="plugins"):
        model_at(extra={"plugins": []})


@pytest.mark.parametrize(
    "options",
    [
        {"base_url": "ftp://a.test/v1"},
        {"base_url": "https://"},
        {"base_url": "https://me:secret@a.test/v1"},
        {"base_url": "https://a.test/v1?key=x"},
        {"base_url": "https://a.test:99999/v1"},
        {"base_url": None},
        {"api_key": "two words"},
        {"api_key": "sk-ä"},
        {"preset": "nobody"},
        {"model": " "},
    ],
)
def test_what_cannot_be_asked_is_refused_when_the_model_is_made(options: Any) -> None:
    with pytest.raises(ConfigurationError) as refused:
        model_at(**options)
    assert "secret" not in str(refused.value)
    assert "words" not in str(refused.value)


@pytest.mark.parametrize(
    ("base_url", "address"),
    [
        ("https://a.test/v1", "https://a.test/v1/chat/completions"),
        ("https://a.test/v1/", "https://a.test/v1/chat/completions"),
        ("https://a.test/v1/chat/completions", "https://a.test/v1/chat/completions"),
    ],
)
def test_chats_are_posted_below_the_base_url(base_url: str, address: str) -> None:
    model, endpoint = model_at(said(), base_url=base_url)
    model.complete(ask())
    assert str(endpoint.requests[0].url) == address
