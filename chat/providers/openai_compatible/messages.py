"""The transcript as an OpenAI chat endpoint reads it.

An assistant message that came from such an endpoint goes back as it came, as far as the
endpoint takes it; any other is built from its text and calls.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from chat.engine import CallResult, Message, Role, ToolCall, arguments_from_text
from chat.providers.openai_compatible.parts import a_list, a_text, an_object, compact

# The key under which a reply is kept; another provider's form has it not.
OWN_FORM = "chat_completion"
# What of a reply goes into the next request.
KEPT = ("role", "content", "tool_calls", "reasoning_details")
FAILED = "This call failed. "


@dataclass(frozen=True, slots=True)
class Form:
    """How messages are to be written.

    mapping: arguments as an object. broken: arguments that are no JSON may go back.
    reasoning: what the model thought goes back.
    """

    mapping: bool = False
    broken: bool = False
    reasoning: bool = False


def wire_messages(
    system: str, messages: Iterable[Message], rewritten: int, form: Form
) -> list[dict[str, Any]]:
    """Return the `messages` of a request; thinking before `rewritten` is left out."""
    wire = [{"role": "system", "content": system}] if system else []
    for place, message in enumerate(messages):
        if message.role is Role.TOOL:
            wire.extend(_result(each) for each in message.results)
        elif message.role is Role.ASSISTANT:
            wire.append(_assistant(message, form, kept=place >= rewritten))
        else:
            wire.append({"role": "user", "content": message.text})
    return wire


def has_broken_arguments(messages: Iterable[Message]) -> bool:
    """Whether any call in the transcript has arguments that are no JSON object."""
    return any(
        isinstance(call.arguments, str)
        for message in messages
        for call in message.calls
    )


def as_mapping(arguments: object) -> dict[str, Any]:
    """Return arguments as the object that Ollama wants, also those of earlier calls.

    An object stays what it is, nothing is no arguments, the text of an object is read,
    and everything else stands under `_raw`.
    """
    if arguments is None:
        return {}
    if isinstance(arguments, Mapping):
        return dict(arguments)
    read = arguments_from_text(arguments) if isinstance(arguments, str) else arguments
    return read if isinstance(read, dict) else {"_raw": arguments}


def _result(result: CallResult) -> dict[str, Any]:
    """The protocol has no mark for a call that failed, so that it is said in words."""
    content = FAILED + result.content if result.is_error else result.content
    return {"role": "tool", "tool_call_id": result.call_id, "content": content}


def _assistant(message: Message, form: Form, *, kept: bool) -> dict[str, Any]:
    raw = an_object(an_object(message.raw).get(OWN_FORM))
    if not raw or not _fits(raw, message):
        raw = _built(message)
    wire = {name: raw[name] for name in KEPT if name in raw}
    if not (kept and form.reasoning):
        wire.pop("reasoning_details", None)
    if message.calls:
        wire["tool_calls"] = [_call(each, form) for each in raw["tool_calls"]]
    elif wire.get("content") is None:
        wire["content"] = ""
    return wire


def _fits(raw: Mapping[str, Any], message: Message) -> bool:
    """Whether it says the same as the message, which is what counts."""
    calls = [an_object(each) for each in a_list(raw.get("tool_calls"))]
    return [each.get("id") for each in calls] == [each.id for each in message.calls]


def _built(message: Message) -> dict[str, Any]:
    built: dict[str, Any] = {"role": "assistant", "content": message.text or None}
    if message.calls:
        built["tool_calls"] = [_built_call(call) for call in message.calls]
    return built


def _built_call(call: ToolCall) -> dict[str, Any]:
    function = {"name": call.name, "arguments": call.arguments}
    return {"id": call.id, "type": "function", "function": function}


def _call(raw: Mapping[str, Any], form: Form) -> dict[str, Any]:
    """Return a call as it came, but for its place and the form of its arguments."""
    call = {name: value for name, value in raw.items() if name != "index"}
    function = an_object(raw.get("function"))
    arguments = function.get("arguments")
    written = as_mapping(arguments) if form.mapping else _as_text(arguments, form)
    return {
        **call,
        "type": "function",
        "function": {**function, "arguments": written},
    }


def _as_text(arguments: object, form: Form) -> str:
    if isinstance(arguments, Mapping):
        return compact(arguments)
    written = a_text(arguments)
    if not written.strip():
        return "{}"
    if form.broken or isinstance(arguments_from_text(written), dict):
        return written
    # Whoever reads this as JSON would refuse the conversation from here on; what was
    # wrong with the call stands in its result.
    return "{}"
