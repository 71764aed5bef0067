"""Transcripts for tests of the context: rounds as they come, and what must hold."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from chat.engine.context.compaction import Compaction, plan_compaction
from chat.engine.context.recall import recall_tool
from chat.engine.context.tokens import message_tokens
from chat.engine.context.transcript import Transcript
from chat.engine.messages import CallResult, Message, Role, ToolCall, transcript_problem
from chat.engine.tools import ToolResult

HEAD = Message.user("Find out who publishes it.")
FIXED = 100
# What a person or the loop says in these transcripts, besides the objective.
SAID = ("Hello.", "Go on.")
REF = re.compile(r"\br[0-9a-f]{10,}\b")


def turn(
    name: str,
    *answers: str,
    tool: str = "read",
    arguments: Any = None,
    said: str = "",
    raw: Any = None,
    error: bool = False,
) -> list[Message]:
    """Return a turn that calls a tool once for each answer, and the answers."""
    calls = tuple(
        ToolCall(f"{name}.{place}", tool, arguments or {"page": f"{name}.{place}"})
        for place in range(len(answers))
    )
    results = tuple(
        CallResult(call.id, call.name, content, error)
        for call, content in zip(calls, answers, strict=True)
    )
    return [
        Message(Role.ASSISTANT, said, calls, raw=raw),
        Message(Role.TOOL, results=results),
    ]


def page(name: object, size: int) -> str:
    """Return a text of `size` characters that no other name has."""
    line = f"This is {name}, which nobody has read before. "
    return (line * (size // len(line) + 1))[:size]


def begun(*messages: Message, conversation: Iterable[Message] = ()) -> Transcript:
    """Return a transcript in which those messages were said after the objective."""
    transcript = Transcript(conversation, [HEAD], FIXED)
    for message in messages:
        transcript.say(message)
    return transcript


def rounds(count: int, size: int, *, answered: bool = True) -> Transcript:
    """Return a transcript of rounds with one result each, the last of them read."""
    transcript = begun()
    for place in range(count):
        say_all(transcript, turn(f"c{place}", page(place, size)))
    if answered:
        transcript.say(Message(Role.ASSISTANT, "I have read it."))
    return transcript


def say_all(transcript: Transcript, messages: Iterable[Message]) -> None:
    """Say one message after the other."""
    for message in messages:
        transcript.say(message)


def compacted(transcript: Transcript, limit: int, **options: Any) -> Compaction:
    """Plan and carry out one compaction that must be possible."""
    plan = plan_compaction(transcript, limit=limit, **options)
    assert plan is not None
    transcript.compact(plan)
    return plan


def settle(transcript: Transcript, limit: int) -> list[Compaction]:
    """Compact until nothing is left to do, as the loop does before a request."""
    plans = []
    while (plan := plan_compaction(transcript, limit=limit)) is not None:
        transcript.compact(plan)
        plans.append(plan)
        assert len(plans) < 20
    return plans


def contents(transcript: Transcript) -> list[str]:
    """Return what stands in the transcript for each result, in order."""
    return [result.content for each in transcript.messages for result in each.results]


def catalogs(transcript: Transcript) -> list[Message]:
    """Return every message from a person that nobody has said."""
    said = [HEAD.text, *SAID]
    return [
        each
        for each in transcript.messages
        if each.role is Role.USER and each.text not in said
    ]


def recall(transcript: Transcript, page_chars: int = 1_000, **given: Any) -> ToolResult:
    """Call the tool."""
    return recall_tool(transcript.store, page_chars=page_chars).call(given)


def pages(transcript: Transcript, ref: str, **given: Any) -> Iterator[str]:
    """Read a ref page after page, as each header says how to go on."""
    offset = 0
    while True:
        result = recall(transcript, ref=ref, offset=offset, **given)
        assert not result.is_error, result.content
        head, text = result.content.split("\n", 1)
        yield text
        going_on = re.search(r"offset (\d+)", head)
        if going_on is None:
            return
        assert int(going_on[1]) == offset + len(text)
        offset = int(going_on[1])


def whole(transcript: Transcript, ref: str) -> str:
    """Return everything under a ref."""
    return "".join(pages(transcript, ref))


def faults(transcript: Transcript) -> list[str]:
    """Say what does not hold that must hold at any moment."""
    messages = transcript.messages
    found = [transcript_problem(messages)]
    counted = FIXED + sum(map(message_tokens, messages))
    if transcript.tokens != counted:
        found.append(f"{transcript.tokens} tokens are {counted}")
    if messages.count(HEAD) != 1:
        found.append("the head is not there once")
    if messages[0].role is not Role.USER:
        found.append(f"it begins with {messages[0].role}")
    if len(catalogs(transcript)) > 1:
        found.append("there is more than one catalog")
    if not 0 <= transcript.rewritten <= len(messages):
        found.append(f"rewritten is {transcript.rewritten} of {len(messages)}")
    return [fault for fault in found if fault]
