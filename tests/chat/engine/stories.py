"""Transcripts to which anything happens, as strategies that tell what was said."""

from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from chat.engine.context.compaction import Compaction, plan_compaction
from chat.engine.context.recall import RECALL
from chat.engine.context.transcript import Transcript
from chat.engine.messages import Message, Role
from tests.chat.engine.transcripts import (
    begun,
    faults,
    recall,
    say_all,
    turn,
)

MODES = ("direct", "standard", "autonomous")

sizes = st.one_of(st.integers(0, 600), st.integers(0, 30_000))
letters = st.sampled_from(
    ["word ", "漢字", "🙂é ", "[r0123456789, characters 0 to 9]\n"]
)
raws = st.sampled_from([None, None, [{"type": "thinking", "signature": "s" * 900}]])
steps = st.one_of(
    st.tuples(st.just("read"), st.lists(st.tuples(letters, sizes), max_size=8), raws),
    st.tuples(st.just("fail"), st.tuples(letters, sizes)),
    st.tuples(st.just("recall"), st.integers(0, 9), st.integers(0, 9_000)),
    st.tuples(st.just("say"), st.sampled_from(["Hm.", "So be it. " * 200])),
    st.tuples(st.just("nudge")),
    st.tuples(st.just("room"), st.integers(150, 9_000), st.sampled_from(MODES)),
    st.tuples(st.just("force"), st.integers(150, 9_000)),
)


@dataclass
class Story:
    """What happens to one transcript; texts: all results and words that were in it."""

    transcript: Transcript
    log: list[Message | Compaction] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def tell(self, step: Any) -> None:
        kind, *given = step
        getattr(self, kind)(*given)
        assert faults(self.transcript) == []

    def read(self, results: list[tuple[str, int]], raw: Any) -> None:
        texts = [self._text(*result) for result in results]
        name = f"s{len(self.log)}"
        self._say(turn(name, *texts, raw=raw) if texts else [answer("Well.")])
        self.texts += texts

    def fail(self, result: tuple[str, int]) -> None:
        text = self._text(*result)
        self._say(turn(f"s{len(self.log)}", text, error=True))
        self.texts.append(text)

    def recall(self, place: int, offset: int) -> None:
        entries = self.transcript.store.entries
        ref = entries[place % len(entries)].ref if entries else "r0"
        given = {"ref": ref, "offset": offset}
        result = recall(self.transcript, 4_000, **given)
        name = f"s{len(self.log)}"
        self._say(turn(name, result.content, tool=RECALL, arguments=given))

    def say(self, text: str) -> None:
        self._say([answer(text)])
        self.texts.append(text)

    def nudge(self) -> None:
        self._say([Message.user("Go on.")])

    def room(self, limit: int, mode: str) -> None:
        self._compact(limit, mode=mode)

    def force(self, limit: int) -> None:
        self._compact(limit, force=True)

    def _text(self, letters: str, size: int) -> str:
        return f"{len(self.log)} {letters * size}"[:size]

    def _say(self, messages: list[Message]) -> None:
        say_all(self.transcript, messages)
        self.log += messages

    def _compact(self, limit: int, **options: Any) -> None:
        transcript = self.transcript
        plan = plan_compaction(transcript, limit=limit, **options)
        if plan is None:
            return
        before, tokens = list(transcript.messages), transcript.tokens
        assert set(plan.masked) <= {call.id for each in before for call in each.calls}
        transcript.compact(plan)
        self.log.append(plan)
        assert transcript.tokens < tokens
        assert transcript.rewritten == len(transcript.messages)
        kept = [each for each in transcript.messages if each.role is Role.ASSISTANT]
        assert all(each in before for each in kept)


def answer(text: str) -> Message:
    """Return a model's words without a call."""
    return Message(Role.ASSISTANT, text)


def told(script: list[Any], talk: int) -> Story:
    """Let a script happen after `talk` turns of an earlier conversation."""
    story = Story(
        begun(conversation=[Message.user("Hello."), answer("Hi. " * 90)] * talk)
    )
    for step in script:
        story.tell(step)
    return story
