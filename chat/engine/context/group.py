"""Messages of a transcript that stay or go together."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from chat.engine.context.tokens import message_tokens
from chat.engine.messages import CallResult, Message, ToolCall


@dataclass(slots=True)
class Group:
    """What was said, its calls and their results.

    It only grows; where something is put aside another group takes its place. calls: by
    id. tokens: of all messages. bare: a receipt would shorten none of the results.
    """

    messages: list[Message] = field(default_factory=list)
    calls: dict[str, ToolCall] = field(default_factory=dict)
    tokens: int = 0
    bare: bool = False
    _sizes: list[int] = field(default_factory=list)

    def add(self, message: Message, tokens: int | None = None) -> int:
        """Append a message and return its tokens, which are counted if not given."""
        size = message_tokens(message) if tokens is None else tokens
        self.messages.append(message)
        self.calls.update((call.id, call) for call in message.calls)
        self.tokens += size
        self._sizes.append(size)
        return size

    @property
    def results(self) -> Iterator[tuple[ToolCall, CallResult]]:
        """The results with their calls, in order."""
        for message in self.messages:
            for result in message.results:
                yield self.calls[result.call_id], result

    def changed(self, change: Callable[[ToolCall, CallResult], CallResult]) -> "Group":
        """Return the group with what `change` makes of each result."""
        group = Group()
        for message, size in zip(self.messages, self._sizes, strict=True):
            results = tuple(
                change(self.calls[each.call_id], each) for each in message.results
            )
            same = results == message.results
            kept = message if same else replace(message, results=results, raw=None)
            group.add(kept, size if same else None)
        return group
