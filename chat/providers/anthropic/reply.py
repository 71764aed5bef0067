"""A message of the API as the engine's reply. Blocks are told apart by `type` alone."""

import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from chat.engine import (
    Citation,
    ErrorKind,
    ModelError,
    ModelReply,
    ReplyStop,
    ToolCall,
    arguments_from_text,
)
from chat.providers.anthropic.blocks import (
    Block,
    blocks_of,
    is_server_call,
    is_server_result,
    is_text,
    open_server_calls,
)
from chat.providers.anthropic.thinking import moved, without_thinking
from chat.providers.price_usage import additive_usage, billed

_STOPS: Mapping[str, ReplyStop] = {
    "end_turn": ReplyStop.END_TURN,
    "stop_sequence": ReplyStop.END_TURN,
    "tool_use": ReplyStop.TOOL_USE,
    "pause_turn": ReplyStop.PAUSE,
    "max_tokens": ReplyStop.MAX_TOKENS,
    "model_context_window_exceeded": ReplyStop.WINDOW,
    "refusal": ReplyStop.REFUSAL,
}


def read_reply(
    message: Mapping[str, Any], prompt: str, *, native: bool = False
) -> ModelReply:
    """Return the reply; raises ModelError where the message holds none.

    prompt: a digest of what it answers. native: the answer was held to a schema.
    """
    reason = str(message.get("stop_reason"))
    content = blocks_of(message.get("content"))
    stop = _stop(reason, content)
    usage = additive_usage(message.get("usage"))
    model = str(message.get("model") or "")
    if stop is ReplyStop.REFUSAL:
        if usage and message.get("content") == []:
            # What was written before a refusal is billed, and nothing else of it.
            usage = billed(usage, Decimal(0))
        detail = _refusal(message.get("stop_details"))
        return ModelReply(usage=usage, stop=stop, model=model, detail=detail)
    if stop.cuts:
        content = _without_cut_call(content)
    text, citations = _text(content)
    calls = tuple(_call(each) for each in content if each["type"] == "tool_use")
    if stop is ReplyStop.WINDOW and not text.strip() and not calls:
        raise ModelError(ErrorKind.CONTEXT_OVERFLOW, "The window was full at once.")
    return ModelReply(
        text=text,
        calls=calls,
        usage=usage,
        stop=stop,
        model=model,
        raw=_raw(content, prompt, message.get("container")),
        parsed=_parsed(text) if native and stop is ReplyStop.END_TURN else None,
        citations=citations,
        server_calls=_server_calls(content),
        notices=(*_unknown_stop(reason), *_server_errors(content)),
    )


def _stop(reason: str, content: Sequence[Block]) -> ReplyStop:
    """Return why the model stopped; a reason nobody knows is an end.

    Where only a server tool is open there is nothing to answer, as in a pause.
    """
    stop = _STOPS.get(reason, ReplyStop.END_TURN)
    calls = any(each["type"] == "tool_use" for each in content)
    if stop is ReplyStop.TOOL_USE and not calls:
        return ReplyStop.PAUSE if open_server_calls(content) else ReplyStop.END_TURN
    return ReplyStop.TOOL_USE if calls and stop is ReplyStop.END_TURN else stop


def _unknown_stop(reason: str) -> tuple[str, ...]:
    return () if reason in _STOPS else (f"stop_reason_{reason[:40]}",)


def _refusal(details: Any) -> str:
    parts = _object(details)
    said = [parts.get("category"), parts.get("explanation")]
    return ": ".join(str(each) for each in said if each) or "no reason was given"


def _without_cut_call(content: Sequence[Block]) -> list[Block]:
    """Leave out a server's call that was cut: it has not been run, nor can it be."""
    cut = open_server_calls(content)
    left = [each for each in content if str(each.get("id")) not in cut]
    return without_thinking(left) if moved(content, left) else left


def _text(content: Sequence[Block]) -> tuple[str, tuple[Citation, ...]]:
    """Join the texts as they stand, and note which stretch each citation is of."""
    text, citations = "", []
    for block in filter(is_text, content):
        start, text = len(text), text + str(block.get("text") or "")
        for raw in _list(block.get("citations")):
            citations.append(_citation(raw, start, len(text)))
    return text, tuple(citations)


def _citation(raw: Any, start: int, end: int) -> Citation:
    parts = _object(raw)
    title = parts.get("title") or parts.get("document_title")
    source = parts.get("url") or parts.get("source") or parts.get("file_id") or title
    if not source and "document_index" in parts:
        source = f"document {parts['document_index']}"
    return Citation(
        kind=str(parts.get("type") or "unknown"),
        start=start,
        end=end,
        source=str(source or ""),
        title=str(title or ""),
        cited=str(parts.get("cited_text") or ""),
        raw=raw,
    )


def _call(block: Block) -> ToolCall:
    given = block.get("input")
    arguments = given if isinstance(given, dict) else _from_text(given)
    return ToolCall(str(block.get("id") or ""), str(block.get("name") or ""), arguments)


def _from_text(given: Any) -> dict[str, Any] | str:
    if given is None:
        return {}
    return arguments_from_text(given if isinstance(given, str) else json.dumps(given))


def _raw(content: list[Block], prompt: str, container: Any) -> dict[str, Any] | None:
    """Return what is sent back; nothing where it would be refused as empty."""
    empty = (is_text(each) and not str(each.get("text") or "") for each in content)
    if all(empty):
        return None
    raw = {"content": content, "prompt": prompt}
    return raw | ({"container": container} if container else {})


def _parsed(text: str) -> Any:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        msg = f"The answer was to be JSON and is not: {error}"
        raise ModelError(ErrorKind.UNPARSEABLE, msg) from error
    return value


def _server_calls(content: Sequence[Block]) -> tuple[str, ...]:
    return tuple(str(each.get("name")) for each in content if is_server_call(each))


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


def _server_errors(content: Sequence[Block]) -> tuple[str, ...]:
    """Name the failures of server tools: a search that failed has found nothing out."""
    found = []
    for block in filter(is_server_result, content):
        code = _object(block.get("content")).get("error_code")
        if code:
            tool = str(block["type"]).removesuffix("_tool_result")
            found.append(f"{tool}_{str(code)[:40]}")
    return tuple(found)
