"""The engine's messages as the messages of a request."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from chat.engine import CallResult, Message, ModelRequest, Role, ToolCall
from chat.providers.anthropic_blocks import (
    Block,
    ToolResultBlock,
    ToolUseBlock,
    WireMessage,
    blocks_of,
    is_text,
    text_block,
)
from chat.providers.anthropic_continuing import Turn, settle
from chat.providers.anthropic_thinking import Prompt, moved, without_thinking

BEGINNING = "(The beginning of this conversation was put aside.)"


def wire_messages(
    request: ModelRequest, prompt: Prompt, *, continues: bool
) -> list[WireMessage]:
    """Return the messages, the first of them a user's, and write them to the prompt.

    Two of a user's are never in a row. continues: results of server tools may still
    come.
    """
    turns = [
        _turn(request, message, rewritten=place < request.rewritten)
        for place, message in enumerate(request.messages)
    ]
    messages: list[WireMessage] = []
    for turn in settle(turns, continues=continues):
        _append(messages, turn, prompt)
    return messages


def _append(messages: list[WireMessage], turn: Turn, prompt: Prompt) -> None:
    """Replies in a row stay apart, as a paused one is continued by another message."""
    role: Literal["user", "assistant"] = "user"
    content = turn.content
    if turn.role is Role.ASSISTANT:
        role, content = "assistant", _thought(turn, prompt.digest)
    if not content:
        return
    if role == "assistant" and not messages:
        _append(messages, Turn(Role.USER, [text_block(BEGINNING)]), prompt)
    prompt.add(role, content)
    if role == "user" and messages and messages[-1]["role"] == "user":
        messages[-1]["content"] += content
    else:
        messages.append({"role": role, "content": [*content]})


def _thought(turn: Turn, digest: str) -> list[Block]:
    """Return a reply's blocks, with its thinking where that still holds."""
    same = turn.prompt in {None, digest} and not moved(turn.written, turn.content)
    return turn.content if same else without_thinking(turn.content)


def _turn(request: ModelRequest, message: Message, *, rewritten: bool) -> Turn:
    if message.role is Role.TOOL:
        return Turn(message.role, [_result(each) for each in message.results])
    if message.role is Role.USER:
        asked = message.text == request.task.objective
        return Turn(message.role, list(_texts(message.text)), asked)
    written = _raw_blocks(message)
    if written is None:
        content = [*_texts(message.text), *map(_call, message.calls)]
        return Turn(message.role, content, written=content)
    content = list(_not_blank(_with_object_input(each) for each in written))
    if rewritten:
        content = [_own_citations(each) for each in without_thinking(content)]
        written = content
    return Turn(
        message.role, content, written=written, prompt=message.raw.get("prompt")
    )


def _texts(text: str) -> Iterator[Block]:
    if text.strip():
        yield text_block(text)


def _call(call: ToolCall) -> ToolUseBlock:
    arguments: Mapping[str, Any] = {}
    if isinstance(call.arguments, Mapping):
        arguments = call.arguments
    return {"type": "tool_use", "id": call.id, "name": call.name, "input": arguments}


def _result(result: CallResult) -> ToolResultBlock:
    block: ToolResultBlock = {"type": "tool_result", "tool_use_id": result.call_id}
    if result.content:
        block["content"] = result.content
    if result.is_error:
        block["is_error"] = True
    return block


def _raw_blocks(message: Message) -> list[Block] | None:
    """Return the blocks as they came, None where they are not those of this message."""
    if not isinstance(message.raw, dict):
        return None
    content = blocks_of(message.raw.get("content"))
    uses = [each.get("id") for each in content if each["type"] == "tool_use"]
    if not content or uses != [call.id for call in message.calls]:
        return None
    return content


def _with_object_input(block: Block) -> Block:
    """A call whose input is no object is refused when it comes back."""
    if block["type"] != "tool_use" or isinstance(block.get("input"), dict):
        return block
    return {**block, "input": {}}


def _own_citations(block: Block) -> Block:
    """Keep citations of the web, whose results stand in the same reply."""
    citations = block.get("citations")
    if not citations or not is_text(block):
        return block
    web = [each for each in citations if "encrypted_index" in each]
    return {**block, "citations": web}


def _not_blank(blocks: Iterable[Block]) -> Iterator[Block]:
    """Leave out empty texts, and white space where it would be the only text."""
    content = list(blocks)
    texts = [str(each.get("text") or "") for each in content if is_text(each)]
    says_something = any(text.strip() for text in texts)
    for block in content:
        if not is_text(block) or (block.get("text") and says_something):
            yield block
