"""Whatever is said and put aside in whatever order, the transcript stays valid, what it
counts is true, and nothing that ever stood in it is out of reach."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chat.engine.context.compaction import plan_compaction
from chat.engine.context.recall import RECALL
from chat.engine.context.tokens import message_tokens, text_tokens
from chat.engine.context.transcript import Transcript
from chat.engine.messages import (
    CallResult,
    Message,
    Role,
    ToolCall,
    transcript_problem,
)
from tests.chat.engine.transcripts import FIXED, HEAD, begun, whole

CATALOG = "[Earlier parts of this work"

letters = st.sampled_from(["It goes on. ", "漢字仮名", "🙂é\n", "[r00, characters 0"])
sizes = st.one_of(st.integers(0, 300), st.integers(0, 30_000))
texts = st.builds(
    lambda place, text, size: (f"{place} {text * (size // len(text) + 1)}")[:size],
    st.integers(0, 3),
    letters,
    sizes,
)
raws = st.sampled_from([None, None, [{"type": "thinking", "signature": "s" * 90}]])
answers = st.lists(
    st.tuples(st.sampled_from(["read", "read", RECALL]), texts, st.booleans()),
    min_size=1,
    max_size=5,
)
rounds = st.tuples(
    st.just("round"), answers, st.sampled_from(["", "Let me look."]), raws
)
plans = st.tuples(
    st.just("plan"),
    st.integers(300, 12_000),
    st.sampled_from([0, 0, 60]),
    st.sampled_from(["direct", "standard", "autonomous"]),
    st.sampled_from([False, False, True]),
)
said = st.tuples(st.sampled_from(["said", "nudge"]), texts)
steps = st.lists(st.one_of(rounds, rounds, plans, plans, said), max_size=14)
earlier = st.lists(st.one_of(rounds, said), max_size=4)


@dataclass
class Told:
    """A transcript, and everything that was ever said in it."""

    transcript: Transcript = field(default_factory=begun)
    texts: list[str] = field(default_factory=list)
    ids: int = 0
    folded: int = 0

    def messages(self, step: tuple[Any, ...]) -> list[Message]:
        """Return what a step says."""
        if step[0] != "round":
            role = Role.ASSISTANT if step[0] == "said" else Role.USER
            return [Message(role, step[1])]
        _, answers, text, raw = step
        calls, results = [], []
        for name, content, error in answers:
            self.ids += 1
            given = {"ref": "r0"} if name == RECALL else {"page": content[:300]}
            calls.append(ToolCall(f"c{self.ids}", name, given))
            results.append(CallResult(f"c{self.ids}", name, content, error))
        return [
            Message(Role.ASSISTANT, text, tuple(calls), raw=raw),
            Message(Role.TOOL, results=tuple(results)),
        ]

    def begin(self, conversation: list[tuple[Any, ...]]) -> None:
        """Put an earlier conversation before the objective."""
        messages = [Message.user("Hello.")] if conversation else []
        messages += [each for step in conversation for each in self.messages(step)]
        self.transcript = begun(conversation=messages)
        self._note(messages, foreign=True)

    def take(self, step: tuple[Any, ...]) -> None:
        """Say something, or compact."""
        if step[0] == "plan":
            self.compact(*step[1:])
            return
        messages = self.messages(step)
        self._note(messages, foreign=False)
        for message in messages:
            self.transcript.say(message)

    def compact(self, limit: int, extra: int, mode: str, force: bool) -> None:
        """Plan, carry out, and hold the outcome against the promises."""
        transcript = self.transcript
        before, hidden = list(transcript.messages), self.hidden()
        options = {"limit": limit, "extra": extra, "mode": mode, "force": force}
        plan = plan_compaction(transcript, **options)  # type: ignore[arg-type]
        assert plan == plan_compaction(transcript, **options)  # type: ignore[arg-type]
        assert transcript.messages == before
        if plan is None:
            assert self.fits(limit - extra)
            return
        ids = {each.call_id for message in before for each in message.results}
        assert ids >= set(plan.masked)
        size, unread = transcript.tokens, transcript.unread
        transcript.compact(plan)
        self.folded += plan.folded
        assert transcript.tokens < size
        assert transcript.rewritten == len(transcript.messages)
        assert self.fits(limit - extra)
        self.check_kept(before)
        if unread and not transcript.unread:
            said = {each.call_id: each for m in before for each in m.results}
            shown = sum(bool(said[call_id].content) for call_id in unread)
            assert plan.unseen == shown - hidden
        else:
            assert plan.unseen == self.hidden() - hidden

    def check(self) -> None:
        """Hold what must hold at every moment."""
        messages = self.transcript.messages
        assert transcript_problem(messages) is None
        assert messages[0].role is Role.USER
        assert self.transcript.tokens == FIXED + sum(map(message_tokens, messages))
        catalogs = [each for each in messages if each.text.startswith(CATALOG)]
        assert len(catalogs) == (self.folded > 0)
        place = messages.index(HEAD)
        assert messages[place + 1 : place + 2] == catalogs or not catalogs

    def hidden(self) -> int:
        """Count the results of the last step that show nothing."""
        ids = self.transcript.unread
        return sum(
            each.call_id in ids and each.content.startswith("[Not seen yet")
            for message in self.transcript.messages
            for each in message.results
        )

    def fits(self, limit: int) -> bool:
        """Whether it fits, or could not."""
        shortest = self.transcript.catalog.message(0) or Message.user("x" * 170)
        least = FIXED + message_tokens(HEAD) + message_tokens(shortest)
        return self.transcript.tokens <= max(limit, least)

    def check_kept(self, before: list[Message]) -> None:
        """What is still there says what it said, or less."""
        spoken = {call.id: each for each in before for call in each.calls}
        old = {each.call_id: each for m in before for each in m.results}
        for message in self.transcript.messages:
            for call in message.calls:
                assert message is spoken[call.id]
            for result in message.results:
                was = old[result.call_id]
                assert len(result.content) <= len(was.content)
                assert text_tokens(result.content) <= text_tokens(was.content)
                assert result.is_error == was.is_error

    def lost(self) -> list[str]:
        """Return what is neither in view nor to be had by recall."""
        view = {each.text for each in self.transcript.messages}
        view |= {r.content for m in self.transcript.messages for r in m.results}
        kept = {whole(self.transcript, e.ref) for e in self.transcript.store.entries}
        return [text for text in self.texts if text not in view | kept]

    def _note(self, messages: list[Message], *, foreign: bool) -> None:
        for message in messages:
            self.texts += [message.text] if message.text else []
            self.texts += [
                each.content
                for each in message.results
                if each.name != RECALL or foreign
            ]


@pytest.mark.row("B5", "B6", "B7", "B8")
@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(earlier, steps)
def test_nothing_is_lost_and_every_promise_holds(
    earlier: list[tuple[Any, ...]], steps: list[tuple[Any, ...]]
) -> None:
    told = Told()
    told.begin(earlier)
    for step in steps:
        told.take(step)
        told.check()
    assert told.lost() == []
