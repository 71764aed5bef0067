"""The scripted model."""

import pytest

from chat.engine import (
    ErrorKind,
    ModelError,
    ModelReply,
    ModelRequest,
    Reply,
    ReplyStop,
    ScriptedModel,
    Task,
    TextDelta,
    Usage,
)

REQUEST = ModelRequest(Task("Go."), ())


def test_replies_are_played_in_order() -> None:
    model = ScriptedModel([Reply("One."), Reply("Two.", usage=Usage(1, 2))])

    assert model.complete(REQUEST).text == "One."
    assert model.complete(REQUEST).usage == Usage(1, 2)


def test_a_function_sees_the_request() -> None:
    model = ScriptedModel(lambda request: Reply(request.task.objective))

    assert model.complete(REQUEST).text == "Go."


def test_a_failure_is_raised_with_its_facts() -> None:
    model = ScriptedModel([Reply.failure(ErrorKind.RATE_LIMITED, retry_after_s=3)])

    with pytest.raises(ModelError) as caught:
        model.complete(REQUEST)
    assert caught.value.kind is ErrorKind.RATE_LIMITED
    assert caught.value.facts == {"retry_after_s": 3}


def test_a_stream_ends_with_the_reply() -> None:
    pieces = list(ScriptedModel([Reply("One.")]).stream(REQUEST))

    assert pieces[0] == TextDelta("One.")
    assert isinstance(pieces[-1], ModelReply)


def test_a_reply_with_calls_stops_for_tools() -> None:
    reply = ScriptedModel([Reply(calls=[("echo", '{"text": "a"}')])]).complete(REQUEST)

    assert reply.stop is ReplyStop.TOOL_USE
    assert reply.calls[0].arguments == {"text": "a"}


def test_the_window_is_what_was_said() -> None:
    profile = ScriptedModel([], window=8000).profile

    assert (profile.window, profile.language_model) == (8000, False)
