"""The live messages of a run, each counted once, and what was put aside of them."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from chat.engine.context.catalog import Catalog
from chat.engine.context.plan import Compaction
from chat.engine.context.recall import RECALL
from chat.engine.context.receipts import masked, origin_of
from chat.engine.context.store import Store
from chat.engine.context.tokens import message_tokens
from chat.engine.messages import CallResult, Message, Role, ToolCall
from chat.engine.progress import canonical

DUPLICATE_CHARS = 400
DUPLICATE = (
    "[The same {size} characters as the answer to this call before; nothing changed. "
    "They stand above; later recall gives them under ref {ref}.]"
)
USUAL_CATALOG_CHARS = 4_000


@dataclass(slots=True)
class Group:
    """Messages that stay or go together: what was said, its calls and their results."""

    messages: list[Message] = field(default_factory=list)
    tokens: int = 0

    def add(self, message: Message, tokens: int) -> None:
        """Append a message of known size."""
        self.messages.append(message)
        self.tokens += tokens

    @property
    def calls(self) -> dict[str, ToolCall]:
        """The calls by id."""
        return {call.id: call for each in self.messages for call in each.calls}

    @property
    def results(self) -> Iterator[CallResult]:
        """The results, in order."""
        return (result for each in self.messages for result in each.results)


class Transcript:
    """What the model is sent, valid at every moment: every call has its result.

    conversation: what was said before this run, put aside when it grows old. head: the
    objective, which always stays. fixed_tokens: what every request carries besides.
    messages: the current ones. tokens: of those and of fixed_tokens. rewritten: the
    messages before this index were changed, or stood there when others were, so that
    signatures over them in their `raw` hold no longer. store: what was put aside.
    """

    def __init__(
        self,
        conversation: Iterable[Message],
        head: Iterable[Message],
        fixed_tokens: int,
    ) -> None:
        self.store = Store()
        self.rewritten = 0
        self.catalog = Catalog()
        self._fixed = fixed_tokens
        self._head = Group()
        for message in head:
            self._head.add(message, message_tokens(message))
        self._talk = _turns(conversation)
        self._rounds: list[Group] = []
        self._aside: dict[str, str] = {}
        self._whole: dict[tuple[str, str], tuple[str, str]] = {}
        self._catalog_chars = USUAL_CATALOG_CHARS
        self.messages: list[Message] = []
        self.tokens = 0
        self._join()

    @property
    def groups(self) -> list[Group]:
        """Everything that can be put aside, the oldest first."""
        return [*self._talk, *self._rounds]

    @property
    def unread(self) -> Group | None:
        """The last group, where the model has not seen its results yet."""
        last = self._rounds[-1] if self._rounds else None
        if last is None:
            return None
        roles = [each.role for each in last.messages if each.role is not Role.USER]
        return last if roles and roles[-1] is Role.TOOL else None

    def say(self, message: Message) -> None:
        """Append a message, at the cost of its own length."""
        tokens = message_tokens(message)
        if self._begins_group(message):
            self._rounds.append(Group())
        group = self._rounds[-1]
        if message.results:
            self._remember(group.calls, message)
        group.add(message, tokens)
        self.messages.append(message)
        self.tokens += tokens

    def duplicate_of(self, tool: str, arguments: Any, content: str) -> str | None:
        """Return what may stand for a result that is still whole above, else None.

        It is the same call with the same result, and long enough to be worth it.
        """
        if len(content) < DUPLICATE_CHARS or tool == RECALL:
            return None
        call_id, whole = self._whole.get((tool, canonical(arguments)), ("", ""))
        if not call_id or whole != content:
            return None
        ref = self.store.keep(content, origin_of(ToolCall(call_id, tool, arguments)))
        return DUPLICATE.format(size=len(content), ref=ref)

    def put_aside(self, call_id: str) -> bool:
        """Whether a receipt stands for the result already."""
        return call_id in self._aside

    def mask(self, call_ids: Collection[str], preview_chars: int) -> None:
        """Put receipts in the place of results; those not read yet keep a preview."""
        unread = self.unread
        for group in self.groups:
            if any(result.call_id in call_ids for result in group.results):
                self._mask(group, call_ids, preview_chars if group is unread else None)
        self._forget(call_ids)
        self._rewrite()

    def fold(self, count: int, catalog_chars: int) -> None:
        """Put the oldest groups aside, and make the catalog anew."""
        self._catalog_chars = catalog_chars
        for group in self.groups[:count]:
            self.catalog.fold(group.messages, self.store, self._aside)
            self._forget(group.calls)
        talk = min(count, len(self._talk))
        del self._talk[:talk]
        del self._rounds[: count - talk]
        self._rewrite()

    def compact(self, plan: Compaction) -> None:
        """Carry out a plan."""
        if plan.masked:
            self.mask(frozenset(plan.masked), plan.preview_chars)
        if plan.folded:
            self.fold(plan.folded, plan.catalog_chars)

    def copy(self) -> "Transcript":
        """Return a transcript on which a compaction can be tried out."""
        twin = Transcript((), (), self._fixed)
        twin.store, twin.catalog = self.store.copy(), self.catalog.copy()
        twin._head = self._head
        twin._talk = [Group(list(g.messages), g.tokens) for g in self._talk]
        twin._rounds = [Group(list(g.messages), g.tokens) for g in self._rounds]
        twin._aside, twin._whole = dict(self._aside), dict(self._whole)
        twin._catalog_chars = self._catalog_chars
        twin._join()
        return twin

    def _begins_group(self, message: Message) -> bool:
        """A turn of the model begins one, unless it goes on with a paused turn."""
        if not self._rounds:
            return True
        last = self._rounds[-1].messages[-1]
        paused = last.role is Role.ASSISTANT and not last.calls
        return message.role is Role.ASSISTANT and not paused

    def _remember(self, calls: dict[str, ToolCall], message: Message) -> None:
        for result in message.results:
            call = calls[result.call_id]
            if len(result.content) >= DUPLICATE_CHARS and not result.is_error:
                key = (call.name, canonical(call.arguments))
                self._whole[key] = (call.id, result.content)

    def _forget(self, call_ids: Collection[str]) -> None:
        gone = [key for key, (call_id, _) in self._whole.items() if call_id in call_ids]
        for key in gone:
            del self._whole[key]

    def _mask(
        self, group: Group, call_ids: Collection[str], preview_chars: int | None
    ) -> None:
        calls = group.calls
        for place, message in enumerate(group.messages):
            if not any(result.call_id in call_ids for result in message.results):
                continue
            results = tuple(
                self._receipt(calls[each.call_id], each, preview_chars)
                if each.call_id in call_ids
                else each
                for each in message.results
            )
            group.tokens -= message_tokens(message)
            group.messages[place] = replace(message, results=results)
            group.tokens += message_tokens(group.messages[place])

    def _receipt(
        self, call: ToolCall, result: CallResult, preview_chars: int | None
    ) -> CallResult:
        if call.id in self._aside:
            return result
        own = call.name != RECALL
        origin = origin_of(call)
        self._aside[call.id] = self.store.keep(result.content, origin) if own else ""
        return masked(self.store, call, result, preview_chars)

    def _rewrite(self) -> None:
        self._join()
        self.rewritten = len(self.messages)

    def _join(self) -> None:
        groups = [*self._talk, self._head]
        catalog = self.catalog.message(self._catalog_chars)
        if catalog is not None:
            groups.append(Group([catalog], message_tokens(catalog)))
        groups += self._rounds
        self.messages = [message for group in groups for message in group.messages]
        self.tokens = self._fixed + sum(group.tokens for group in groups)


def _turns(conversation: Iterable[Message]) -> list[Group]:
    """Group an earlier conversation by what a person said."""
    groups: list[Group] = []
    for message in conversation:
        if message.role is Role.USER or not groups:
            groups.append(Group())
        groups[-1].add(message, message_tokens(message))
    return groups
