"""What stands in the transcript for a result that was put aside."""

import json

from chat.engine.context.recall import RECALL, page_of
from chat.engine.context.store import Store
from chat.engine.messages import CallResult, ToolCall

ARGUMENT_CHARS = 200
RECEIPT = (
    "[Put aside: {origin}, {size} characters, ref {ref}. recall gives it back; the "
    "call need not be made again.]"
)
UNREAD = (
    "[Put aside before you have seen it whole: {origin}, {size} characters, ref {ref}. "
    "Read on with recall; the call need not be made again.]"
)
AGAIN = "[Put aside: {page}. Call recall again for it.]"
LISTED = "[Put aside: a list that recall gave. Call recall again for it.]"
BEGINS = "\nIt begins:\n{preview}"


def origin_of(call: ToolCall, chars: int = ARGUMENT_CHARS) -> str:
    """Say in a few words what was called."""
    arguments = call.arguments
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    text = " ".join(text.split())
    return f"{call.name} {text if len(text) <= chars else text[: chars - 1] + '…'}"


def receipt(
    store: Store, call: ToolCall, content: str, preview_chars: int | None
) -> str:
    """Keep `content` and return what stands for it.

    preview_chars: None where the model has read it; else how much of it is still shown.
    A page that recall gave is not kept again: its receipt names where it came from.
    """
    if call.name == RECALL:
        page = page_of(content)
        text = AGAIN.format(page=page) if page else LISTED
    else:
        words = RECEIPT if preview_chars is None else UNREAD
        origin = origin_of(call)
        ref = store.keep(content, origin)
        text = words.format(origin=origin, size=len(content), ref=ref)
    if preview_chars:
        text += BEGINS.format(preview=content[:preview_chars])
    return text


def masked(
    store: Store, call: ToolCall, result: CallResult, preview_chars: int | None
) -> CallResult:
    """Return the result with its receipt in place of its content."""
    content = receipt(store, call, result.content, preview_chars)
    return CallResult(result.call_id, result.name, content, result.is_error)
