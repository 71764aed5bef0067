"""What the server remembers: its own words, containers, searches, and replies whole."""

from typing import Any

import pytest
from anthropic import BadRequestError

from tests.fakes.model_client import HELLO, ask, refusal, sdk
from tests.fakes.model_server import (
    Clock,
    ModelServer,
    Reply,
    Tolerance,
    WireProblem,
    call,
    refused,
    say,
    wire,
)
from tests.fakes.model_server.replies import (
    cited,
    found,
    hit,
    open_search,
    redacted,
    search,
    thinking,
)

SEARCH = {"type": "web_search_20250305", "name": "web_search"}
READ = {"name": "read", "input_schema": {"type": "object"}}
PROGRAM = {"type": "code_execution_20260120", "tool_id": "srvtoolu_1"}
CONTAINER = {"id": "container_1", "expires_at": "2026-11-30T19:25:00Z", "skills": None}


class Talk:
    """A client that goes on with what it was told, unless it is told otherwise."""

    def __init__(self, *replies: Reply, **settings: Any) -> None:
        self.server = ModelServer(replies, **settings)
        self.client = sdk(self.server)
        self.messages: list[Any] = list(HELLO)

    def ask(self, **fields: Any) -> Any:
        """One round: what was said is put to the conversation."""
        fields = {"tools": [SEARCH, READ], **fields}
        message = ask(self.client, self.messages, **fields)
        content = message.to_dict(mode="json")["content"]
        self.messages.append({"role": "assistant", "content": content})
        return message

    def say(self, *blocks: Any) -> None:
        """Answer every call of the last message, then say these blocks."""
        answers = [
            {"type": "tool_result", "tool_use_id": block["id"], "content": "done"}
            for block in self.last
            if block["type"] == "tool_use"
        ]
        self.messages.append({"role": "user", "content": [*answers, *blocks]})

    @property
    def last(self) -> list[Any]:
        """The blocks that the server said last."""
        content: list[Any] = self.messages[-1]["content"]
        return content

    def problems(self) -> str:
        """All that was wrong, in one text."""
        try:
            self.server.check()
        except WireProblem as problem:
            return str(problem)
        return ""


MORE = {"type": "text", "text": "And now?"}


def test_thinking_holds_where_it_was_thought() -> None:
    talk = Talk(say(thinking("A."), redacted(), call("read")), say("Done."))
    talk.ask()
    talk.say()
    talk.ask()
    assert talk.problems() == ""


@pytest.mark.parametrize("model", ["claude-sonnet-5-5", "claude-opus-4-8"])
def test_thinking_of_new_models_does_not_survive_a_changed_past(model: str) -> None:
    talk = Talk(say(thinking("A."), call("read")), say("Done."))
    talk.ask(model=model)
    talk.say()
    talk.messages[0] = {"role": "user", "content": "A summary."}
    if model == "claude-opus-4-8":
        talk.ask(model=model)
    else:
        with pytest.raises(BadRequestError, match="Invalid `signature`"):
            talk.ask(model=model)


def test_a_breakpoint_that_moves_changes_nothing() -> None:
    talk = Talk(say(thinking("A."), call("read")), say("Done."))
    marked = {"type": "text", "text": "Hello", "cache_control": {"type": "ephemeral"}}
    talk.messages = [{"role": "user", "content": [marked]}]
    talk.ask()
    talk.say()
    talk.messages[0] = HELLO[0]
    talk.ask()
    assert talk.problems() == ""


def test_a_container_lives_until_it_expires() -> None:
    clock = Clock()
    replies = say(call("read"), container=CONTAINER), say("Done."), refused("expired")
    talk = Talk(*replies, clock=clock)
    talk.ask()
    talk.say()
    talk.ask(container="container_1")
    talk.say(MORE)
    clock.advance(301)
    with pytest.raises(BadRequestError, match="was not found or has expired"):
        talk.ask(container="container_1")
    assert talk.problems() == ""


def test_a_waiting_program_needs_its_container_and_results_alone() -> None:
    program = {**call("read"), "caller": PROGRAM}
    running = {
        "type": "server_tool_use",
        "id": "srvtoolu_1",
        "name": "code_execution",
        "input": {"code": "x"},
    }
    tool = {"type": "code_execution_20260120", "name": "code_execution"}
    talk = Talk(say(running, program, container=CONTAINER), say("Done."))
    talk.ask(tools=[READ, tool])
    talk.say()
    body = {"model": "claude-sonnet-5-5", "max_tokens": 9, "tools": [READ, tool]}
    body["messages"] = talk.messages
    assert "container_id is required" in refusal(talk.server, body)
    talk.say(MORE)
    body["container"] = "container_1"
    assert "found without a corresponding `code_execution" in refusal(talk.server, body)


def test_a_search_left_open_beside_a_call_is_answered_next() -> None:
    asked = open_search("tides")
    answer = say(found(asked, hit("https://a.example/p")), cited("4 m", "https://a"))
    talk = Talk(say(asked, call("read")), answer, say("Bye."))
    talk.ask()
    talk.say()
    talk.ask()
    talk.say(MORE)
    talk.ask()
    assert talk.problems() == ""
    assert talk.server.ledger.searches == [0, 1, 0]


def test_a_paused_turn_goes_on_without_a_word() -> None:
    asked = open_search("tides")
    first = say(*search("a", hit("https://a")), "So far. ", stop="pause_turn")
    second = say("And then. ", asked, stop="pause_turn")
    third = say(found(asked), "Nothing found.")
    talk = Talk(first, second, third)
    for _ in range(3):
        talk.ask()
    assert talk.problems() == ""


def test_a_paused_turn_of_words_alone_goes_on_too() -> None:
    talk = Talk(say("Let me think.", stop="pause_turn"), say("Done."))
    talk.ask()
    talk.ask()
    assert talk.problems() == ""


def test_a_name_means_one_tool_over_a_conversation() -> None:
    own = {**READ, "name": "web_search"}
    talk = Talk(say(*search("a"), "x"), refused("must be unique"))
    talk.ask()
    talk.say(MORE)
    with pytest.raises(BadRequestError) as error:
        talk.ask(tools=[own])
    assert error.value.error_code == "tool_name_conflict"


def test_a_finished_turn_does_not_go_on_without_a_word() -> None:
    talk = Talk(say(*search("a", hit("https://a")), "All."), refused("prefill"))
    talk.ask()
    with pytest.raises(BadRequestError, match="does not support assistant message"):
        talk.ask()


@pytest.mark.parametrize("lost", ["thinking", "text", "server_tool_use"])
def test_a_reply_that_does_not_come_back_whole_is_told(lost: str) -> None:
    reply = say(thinking("A."), "Let me look.", *search("a"), call("read"))
    talk = Talk(reply, say("Done."))
    talk.ask()
    gone = {lost, "web_search_tool_result"} if lost == "server_tool_use" else {lost}
    kept = [block for block in talk.last if block["type"] not in gone]
    talk.say()
    talk.messages[1]["content"] = kept
    talk.ask()
    assert f"did not come back as it was sent: {lost}" in talk.problems()


def test_what_may_be_left_out_is_not_told() -> None:
    reply = say("", open_search("a"), call("read"))
    talk = Talk(reply, say("Done."))
    talk.ask()
    talk.messages[1]["content"] = talk.last[2:]
    talk.messages.append({"role": "user", "content": []})
    talk.messages[2]["content"] = [
        {"type": "tool_result", "tool_use_id": talk.messages[1]["content"][0]["id"]}
    ]
    talk.ask()
    assert talk.problems() == ""


def test_thinking_may_be_left_out_where_the_tools_are_others() -> None:
    talk = Talk(say(thinking("A."), "Hello.", call("read")), say("Done."))
    talk.ask()
    talk.messages[1]["content"] = talk.last[1:]
    talk.say()
    talk.ask(tools=[READ])
    assert talk.problems() == ""


def test_losing_parts_can_be_allowed() -> None:
    with wire(
        [say("One. ", "Two."), say("Done.")],
        socket=False,
        tolerance=Tolerance(echo=False),
    ) as server:
        ask(sdk(server))
        half = {"role": "assistant", "content": "Two."}
        ask(sdk(server), [*HELLO, half, *HELLO])


def test_a_reply_that_the_api_could_not_give_is_told() -> None:
    talk = Talk(say(*search("a"), "x"), say(*search("a"), *search("b"), "x"))
    ask(talk.client)
    ask(talk.client, tools=[{**SEARCH, "max_uses": 1}])
    assert "uses web_search, which the request does not offer" in talk.problems()
    assert "searches 2 times where 1 are allowed" in talk.problems()


def test_a_refusal_that_does_not_come_is_told() -> None:
    talk = Talk(refused("prefill"))
    with pytest.raises(BadRequestError):
        talk.ask()
    assert "accepted where this was expected: prefill" in talk.problems()


def test_a_function_answers_every_request() -> None:
    talk = Talk()
    talk.server = ModelServer(lambda request: say(f"{len(request.body['messages'])}"))
    talk.client = sdk(talk.server)
    talk.ask()
    talk.say(MORE)
    assert talk.ask().content[0].text == "3"
    assert talk.problems() == ""
