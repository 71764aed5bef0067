"""The engine's messages as the messages of a request."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from chat.engine import CallResult, Message, ModelRequest, Role, ToolCall
from chat.providers.anthropic.blocks import (
    Block,
    SearchResultBlock,
    ToolResultBlock,
    ToolUseBlock,
    WireMessage,
    blocks_of,
    is_text,
    open_server_calls,
    text_block,
)
from chat.providers.anthropic.continuing import Still, Turn, settle
from chat.providers.anthropic.thinking import Prompt, moved, sealed, without_thinking
from chat.providers.own_results import Readers

BEGINNING = "(The beginning of this conversation was put aside.)"
GO_ON = "Go on from here."


def wire_messages(
    request: ModelRequest, prompt: Prompt, still: Still, readers: Readers
) -> list[WireMessage]:
    """Return the messages, the first of them a user's, and write them to the prompt.

    Two of a user's are never in a row. still: what may go on. readers: of the results
    that can be cited; those that a program reads are texts.
    """
    program = frozenset(_called_by_program(request.messages))
    turns = [
        _turn(request, message, readers, program, rewritten=place < request.rewritten)
        for place, message in enumerate(request.messages)
    ]
    messages: list[WireMessage] = []
    for turn in settle(turns, still):
        _append(messages, turn, prompt)
    if _left_off(turns, messages, still):
        _append(messages, Turn(Role.USER, [text_block(GO_ON)]), prompt)
    return messages


def _left_off(
    turns: Sequence[Turn], messages: Sequence[WireMessage], still: Still
) -> bool:
    """Whether a paused reply comes last that cannot go on by itself: the server's tools
    are gone, or what it waited for. The API would take it for words put in its mouth.
    """
    if not messages or messages[-1]["role"] == "user":
        return False
    waited = open_server_calls(turns[-1].content)
    return not still.tools or waited != open_server_calls(messages[-1]["content"])


def _append(messages: list[WireMessage], turn: Turn, prompt: Prompt) -> None:
    """Replies in a row stay apart, as a paused one is continued by another message."""
    role: Literal["user", "assistant"] = "user"
    content = turn.content
    if turn.role is Role.ASSISTANT:
        role, content = "assistant", _as_bound(turn, prompt.digest)
    if not content:
        return
    if role == "assistant" and not messages:
        _append(messages, Turn(Role.USER, [text_block(BEGINNING)]), prompt)
    prompt.add(role, content)
    if role == "user" and messages and messages[-1]["role"] == "user":
        messages[-1]["content"] += content
    else:
        messages.append({"role": role, "content": [*content]})


def _as_bound(turn: Turn, digest: str) -> list[Block]:
    """Return a reply's blocks without those bound to what does not stand before it.

    Of a reply from elsewhere nothing is known but whether messages were put aside.
    """
    same = turn.prompt == digest or (turn.prompt is None and not turn.rewritten)
    if same and not moved(turn.written, turn.content):
        return turn.content
    content = without_thinking(turn.content)
    return [_own_citations(each) for each in content] if turn.rewritten else content


def _turn(
    request: ModelRequest,
    message: Message,
    readers: Readers,
    program: frozenset[str],
    *,
    rewritten: bool,
) -> Turn:
    if message.role is Role.TOOL:
        results: list[Block] = [
            _result(each, {} if each.call_id in program else readers)
            for each in message.results
        ]
        return Turn(message.role, results)
    if message.role is Role.USER:
        asked = message.text == request.task.objective
        return Turn(message.role, list(_texts(message.text)), asked)
    written = _raw_blocks(message)
    if written is None:
        content = [*_texts(message.text), *map(_call, message.calls)]
        return Turn(message.role, content, written=content)
    calls = {call.id: _call(call) for call in message.calls}
    return Turn(
        message.role,
        [_with_object_input(each, calls) for each in _not_blank(sealed(written))],
        written=written,
        prompt=message.raw.get("prompt"),
        rewritten=rewritten,
    )


def _called_by_program(messages: Iterable[Message]) -> Iterator[str]:
    """Yield the ids of calls that the server's code made, not the model itself."""
    for message in messages:
        for block in _raw_blocks(message) or ():
            caller = block.get("caller")
            if isinstance(caller, dict) and "tool_id" in caller:
                yield str(block.get("id"))


def _texts(text: str) -> Iterator[Block]:
    if text.strip():
        yield text_block(text)


def _call(call: ToolCall) -> ToolUseBlock:
    arguments: Mapping[str, Any] = {}
    if isinstance(call.arguments, Mapping):
        arguments = call.arguments
    return {"type": "tool_use", "id": call.id, "name": call.name, "input": arguments}


def _result(result: CallResult, readers: Readers) -> ToolResultBlock:
    block: ToolResultBlock = {"type": "tool_result", "tool_use_id": result.call_id}
    if result.content:
        block["content"] = _citable(result, readers) or result.content
    if result.is_error:
        block["is_error"] = True
    return block


def _citable(result: CallResult, readers: Readers) -> list[SearchResultBlock]:
    """Return what can be cited of a result; all of it, or it stays a text."""
    if result.name not in readers or result.is_error:
        return []
    found = readers[result.name](result.content)
    if not all(each.text.strip() and each.source for each in found):
        return []
    return [
        {
            "type": "search_result",
            "source": each.source,
            "title": each.title or each.source,
            "content": [text_block(each.text)],
            "citations": {"enabled": True},
        }
        for each in found
    ]


def _raw_blocks(message: Message) -> list[Block] | None:
    """Return the blocks as they came, None where they are not those of this message."""
    if not isinstance(message.raw, dict):
        return None
    content = blocks_of(message.raw.get("content"))
    uses = [each.get("id") for each in content if each["type"] == "tool_use"]
    if not content or uses != [call.id for call in message.calls]:
        return None
    return content


def _with_object_input(block: Block, calls: Mapping[str, ToolUseBlock]) -> Block:
    """A call whose input is no object is refused when it comes back."""
    if block["type"] != "tool_use" or isinstance(block.get("input"), dict):
        return block
    return {**block, "input": calls[block["id"]]["input"]}


def _own_citations(block: Block) -> Block:
    """Keep citations of the web, whose results stand in the same reply."""
    citations = block.get("citations")
    if not citations or not is_text(block):
        return block
    web = [each for each in citations if "encrypted_index" in each]
    return {**block, "citations": web}


def _not_blank(content: Sequence[Block]) -> Iterator[Block]:
    """Leave out empty texts, and white space where it would be the only text."""
    texts = [str(each.get("text") or "") for each in content if is_text(each)]
    says_something = any(text.strip() for text in texts)
    for block in content:
        if not is_text(block) or (block.get("text") and says_something):
            yield block
