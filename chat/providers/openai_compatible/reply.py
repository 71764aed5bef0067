"""A whole chat completion as the loop reads it, streamed or not."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from chat.engine import (
    ErrorKind,
    ModelError,
    ModelReply,
    ModelRequest,
    ReplyStop,
    ToolCall,
    arguments_from_text,
)
from chat.engine.json_value import Json
from chat.providers.openai_compatible.errors import error_in, failed
from chat.providers.openai_compatible.ids import with_own_ids
from chat.providers.openai_compatible.messages import KEPT, OWN_FORM
from chat.providers.openai_compatible.parts import (
    a_list,
    a_text,
    an_object,
    mended,
    objects_in,
)
from chat.providers.openai_compatible.search import url_citations
from chat.providers.openai_compatible.usage import read_usage
from chat.providers.price_usage import BilledUsage, reported_searches

SEARCH = "web_search"
_STOPS: Mapping[str, ReplyStop] = {
    "stop": ReplyStop.END_TURN,
    "tool_calls": ReplyStop.TOOL_USE,
    "function_call": ReplyStop.TOOL_USE,
    "length": ReplyStop.MAX_TOKENS,
    "max_tokens": ReplyStop.MAX_TOKENS,
    "content_filter": ReplyStop.REFUSAL,
}


@dataclass(frozen=True, slots=True)
class Asked:
    """What a reply is read against.

    request: its calls must have ids that are new to it. model: what was asked for.
    searched: the server was to search once before the model began. held: the server
    holds the text to the schema. notices: what it has refused and was left out.
    """

    request: ModelRequest
    model: str
    searched: bool = False
    held: bool = False
    notices: tuple[str, ...] = ()


def read_reply(completion: Mapping[str, Any], asked: Asked) -> ModelReply:
    """Read a completion; ModelError where it is an error or holds no answer."""
    error = error_in(completion)
    if error is not None:
        raise failed(error)
    choice = an_object(next(iter(a_list(completion.get("choices"))), None))
    if not choice:
        raise ModelError(ErrorKind.UNAVAILABLE, "The reply holds no choice.")
    message = with_own_ids(_sound_message(choice), asked.request)
    calls = tuple(_call(each) for each in a_list(message.get("tool_calls")))
    text = mended(content_text(message.get("content")))
    refusal = mended(a_text(message.get("refusal")))
    stop = _stop(choice, refusal=refusal, calls=bool(calls))
    return ModelReply(
        text=text,
        calls=calls,
        usage=usage_of(completion.get("usage"), asked),
        stop=stop,
        model=a_text(completion.get("model")) or asked.model,
        raw={OWN_FORM: {name: message[name] for name in KEPT if name in message}},
        parsed=_parsed(text) if asked.held and stop is ReplyStop.END_TURN else None,
        detail=_detail(choice, refusal) if stop is ReplyStop.REFUSAL else "",
        citations=url_citations(a_list(message.get("annotations")), text),
        server_calls=(SEARCH,) * _searches(completion.get("usage"), asked),
        notices=asked.notices + _unlisted(choice),
    )


def usage_of(reported: object, asked: Asked) -> BilledUsage | None:
    """Return what was used of a request, its search included; None where unknown."""
    usage = read_usage(reported)
    return usage and replace(usage, searches=_searches(reported, asked))


def content_text(content: object) -> str:
    """Return the text of `content`, which may be a list of parts."""
    if isinstance(content, list):
        return "".join(a_text(part.get("text")) for part in objects_in(content))
    return a_text(content)


def _sound_message(choice: Mapping[str, Any]) -> dict[str, Any]:
    """Return the message in the one shape that is kept: calls nested, a role always."""
    message = an_object(choice.get("message"))
    calls = [_nested(each) for each in objects_in(message.get("tool_calls"))]
    message = {name: value for name, value in message.items() if name != "tool_calls"}
    content = message.get("content")
    content = mended(content) if isinstance(content, str) else content
    message |= {"role": "assistant", "content": content}
    return message | {"tool_calls": calls} if calls else message


def _nested(call: dict[str, Any]) -> dict[str, Any]:
    """Some servers put name and arguments beside the id."""
    function = an_object(call.get("function"))
    if not function:
        flat = {name: call.get(name) for name in ("name", "arguments")}
        rest = {name: call[name] for name in call if name not in flat}
        return {**rest, "type": "function", "function": flat}
    return call


def _call(raw: Mapping[str, Any]) -> ToolCall:
    """Arguments that are no JSON object stay text, for the loop to answer."""
    function = an_object(raw.get("function"))
    arguments = function.get("arguments")
    if not isinstance(arguments, dict):
        written = "" if arguments is None else arguments
        written = written if isinstance(written, str) else json.dumps(written)
        arguments = arguments_from_text(written)
    return ToolCall(a_text(raw.get("id")), a_text(function.get("name")), arguments)


def _stop(choice: Mapping[str, Any], *, refusal: str, calls: bool) -> ReplyStop:
    reason = a_text(choice.get("finish_reason"))
    stop = _STOPS.get(reason, ReplyStop.END_TURN)
    if refusal and not calls:
        return ReplyStop.REFUSAL
    # Some servers say "stop" after a call, and some "tool_calls" without one.
    if stop in (ReplyStop.END_TURN, ReplyStop.TOOL_USE):
        return ReplyStop.TOOL_USE if calls else ReplyStop.END_TURN
    return stop


def _unlisted(choice: Mapping[str, Any]) -> tuple[str, ...]:
    reason = choice.get("finish_reason")
    listed = reason is None or a_text(reason) in _STOPS
    return () if listed else ("unknown_finish_reason",)


def _detail(choice: Mapping[str, Any], refusal: str) -> str:
    named = a_text(choice.get("native_finish_reason"))
    return refusal or named or a_text(choice.get("finish_reason"))


def _searches(reported: object, asked: Asked) -> int:
    """A plugin searches once in every request, also where nobody counts it."""
    counted = reported_searches(reported)
    return int(asked.searched) if counted is None else counted


def _parsed(text: str) -> Json:
    read = arguments_from_text(text)
    return read if isinstance(read, dict) and text.strip() else None
