"""The live messages of a run, each counted once, and what was put aside of them."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from chat.engine.context.catalog import Catalog
from chat.engine.context.group import Group
from chat.engine.context.plan import Compaction
from chat.engine.context.recall import RECALL
from chat.engine.context.receipts import Candidate, origin_of
from chat.engine.context.shelf import ORIGIN_CHARS, Shelf
from chat.engine.context.store import Store
from chat.engine.context.tokens import message_tokens
from chat.engine.messages import CallResult, Message, Role, ToolCall
from chat.engine.progress import canonical

DUPLICATE_CHARS = 400
DUPLICATE = (
    "[The same {size} characters as the answer to this call before; nothing changed. "
    "They stand above; later recall gives them under ref {ref}.]"
)


class Transcript:
    """What the model is sent, valid at every moment: every call has its result.

    conversation: what was said before this run, put aside when it grows old. head: the
    objective, which always stays. fixed_tokens: what every request carries besides.
    messages: the current ones. tokens: of those and of fixed_tokens. least_tokens: of
    fixed_tokens and the head. rewritten: the messages before this index were changed,
    or stood there when others were, so that signatures over them in their `raw` hold no
    longer. store: what was put aside.
    """

    def __init__(
        self,
        conversation: Iterable[Message],
        head: Iterable[Message],
        fixed_tokens: int,
        store: Store | None = None,
    ) -> None:
        self.rewritten = 0
        self.catalog = Catalog()
        self._head = Group()
        for message in head:
            self._head.add(message)
        self.least_tokens = fixed_tokens + self._head.tokens
        self._talk = _turns(conversation)
        self._rounds: list[Group] = []
        foreign = [call_id for group in self._talk for call_id in group.calls]
        self._shelf = Shelf(store or Store(), foreign)
        self._whole: dict[tuple[str, str], CallResult] = {}
        self._catalog_tokens = self._catalog_size = 0
        self._is_draft = False
        self.tokens = self.least_tokens + sum(group.tokens for group in self._talk)
        self._join()

    @property
    def store(self) -> Store:
        """The texts that were put aside."""
        return self._shelf.store

    @property
    def groups(self) -> list[Group]:
        """Everything that can be put aside, the oldest first."""
        return [*self._talk, *self._rounds]

    @property
    def done(self) -> list[Group]:
        """The groups without that which the model is at work on."""
        groups = self.groups
        return groups[:-1] if self._rounds or self.unread else groups

    @property
    def unread(self) -> frozenset[str]:
        """Ids of the last calls, where the model has not seen their results yet."""
        for group in reversed(self.groups[-1:]):
            for message in reversed(group.messages):
                if message.role is not Role.USER:
                    return frozenset(each.call_id for each in message.results)
        return frozenset()

    @property
    def unseen(self) -> int:
        """How many results that are not empty show nothing of themselves, unread."""
        return sum(self._shelf.hides(call_id) for call_id in self.unread)

    def say(self, message: Message) -> None:
        """Append a message, at the cost of its own length."""
        if self._begins_group(message):
            self._rounds.append(Group())
        group = self._rounds[-1]
        if message.results:
            self._remember(group.calls, message)
        self.tokens += group.add(message)
        self.messages.append(message)

    def duplicate_of(self, tool: str, arguments: Any, content: str) -> str | None:
        """Return what may stand for a result that is still whole above, else None.

        It is the same call with the same result, and long enough to be worth it.
        """
        if len(content) < DUPLICATE_CHARS or tool == RECALL:
            return None
        whole = self._whole.get((tool, canonical(arguments)))
        if whole is None or whole.content != content:
            return None
        call = ToolCall(whole.call_id, tool, arguments)
        ref = self.store.keep(content, origin_of(call, ORIGIN_CHARS))
        return DUPLICATE.format(size=len(content), ref=ref)

    def candidates(self, group: Group, *, unread: bool) -> Iterator[Candidate]:
        """Yield results of a group, read or unread ones, as what could be put aside."""
        ids = self.unread
        for call, result in group.results:
            if (call.id in ids) is unread:
                yield self._shelf.candidate(call, result)

    def mask(self, call_ids: Collection[str], preview_chars: int) -> None:
        """Put receipts in the place of results; those not read yet keep a preview."""
        unread = self.unread
        shown = {each: preview_chars if each in unread else None for each in call_ids}
        for groups in (self._talk, self._rounds):
            for place, group in enumerate(groups):
                # The longer a run, the more of its groups have nothing left to give.
                if not group.bare and not group.calls.keys().isdisjoint(call_ids):
                    groups[place] = self._masked(group, shown)
                    self.tokens += groups[place].tokens - group.tokens
        self._forget(call_ids)
        self._rewrite()

    def fold(self, count: int, catalog_tokens: int) -> None:
        """Put the oldest groups aside, and make the catalog anew."""
        self._catalog_tokens = catalog_tokens
        unread = self.unread
        for group in self.groups[:count]:
            self.catalog.add(self._shelf.fold(group.messages, unread))
        self._forget({call for group in self.groups[:count] for call in group.calls})
        self.tokens -= sum(group.tokens for group in self.groups[:count])
        talk = min(count, len(self._talk))
        del self._talk[:talk]
        del self._rounds[: count - talk]
        self._rewrite()

    def compact(self, plan: Compaction) -> None:
        """Carry out a plan."""
        if plan.masked:
            self.mask(frozenset(plan.masked), plan.preview_chars)
        if plan.folded or plan.catalog_tokens is not None:
            self.fold(plan.folded, plan.catalog_tokens or 0)

    def copy(self) -> "Transcript":
        """Return a transcript on which a compaction can be tried out."""
        twin = Transcript((), (), 0)
        twin.least_tokens, twin._head = self.least_tokens, self._head
        twin._shelf, twin.catalog = self._shelf.copy(), self.catalog.copy()
        twin._talk, twin._rounds = self._talk.copy(), self._rounds.copy()
        twin._catalog_tokens = self._catalog_tokens
        twin._catalog_size = self._catalog_size
        twin.tokens, twin._is_draft = self.tokens, True
        return twin

    def _begins_group(self, message: Message) -> bool:
        """A turn of the model begins one, unless it goes on with a paused turn."""
        if not self._rounds:
            return True
        last = self._rounds[-1].messages[-1]
        paused = last.role is Role.ASSISTANT and not last.calls
        return message.role is Role.ASSISTANT and not paused

    def _remember(self, calls: dict[str, ToolCall], message: Message) -> None:
        """Note results that need not be repeated as long as they stand here whole."""
        for result in message.results:
            call = calls[result.call_id]
            if len(result.content) >= DUPLICATE_CHARS and not result.is_error:
                self._whole[call.name, canonical(call.arguments)] = result

    def _forget(self, call_ids: Collection[str]) -> None:
        whole = self._whole.items()
        self._whole = {key: each for key, each in whole if each.call_id not in call_ids}

    def _masked(self, group: Group, shown: Mapping[str, int | None]) -> Group:
        """Return the group with something shorter for the calls that `shown` has."""

        def put(call: ToolCall, result: CallResult) -> CallResult:
            if call.id not in shown:
                return result
            return self._shelf.put(call, result, shown[call.id])

        masked = group.changed(put)
        masked.bare = not any(
            self._shelf.candidate(*each).stand_in(None) for each in masked.results
        )
        return masked

    def _rewrite(self) -> None:
        self._join()
        self.rewritten = len(self.messages)

    def _join(self) -> None:
        """Make the messages anew from the groups; of a draft only their size counts."""
        catalog = self.catalog.message(self._catalog_tokens)
        size = message_tokens(catalog) if catalog else 0
        self.tokens += size - self._catalog_size
        self._catalog_size = size
        if self._is_draft:
            return
        head = [*self._head.messages, *([catalog] if catalog else [])]
        talk = [message for group in self._talk for message in group.messages]
        rounds = [message for group in self._rounds for message in group.messages]
        self.messages = [*talk, *head, *rounds]


def _turns(conversation: Iterable[Message]) -> list[Group]:
    """Group an earlier conversation by what a person said."""
    groups: list[Group] = []
    for message in conversation:
        if message.role is Role.USER or not groups:
            groups.append(Group())
        groups[-1].add(message)
    return groups
