"""What was put aside stays within reach, costs no more each time, and fools nobody."""

import json
import subprocess
import sys

import pytest

from chat.engine.context.compaction import Compaction, plan_compaction
from chat.engine.context.recall import RECALL
from chat.engine.context.transcript import Transcript
from chat.engine.messages import Message, Role
from tests.chat.engine.transcripts import (
    REF,
    begun,
    catalogs,
    contents,
    page,
    recall,
    say_all,
    settle,
    turn,
    whole,
)

SMALL = 8_192 - 2_560
ARGUMENTS = {"ref": "r0123456789", "offset": 0}
PLANNING = """
from tests.chat.engine.transcripts import page, rounds, settle, say_all, turn
transcript = rounds(30, 4_000)
say_all(transcript, turn("last", *[page(n, 5_000) for n in range(9)]))
plans = settle(transcript, 6_000)
print([str(plan) for plan in plans], transcript.messages)
"""


@pytest.mark.row("B6")
def test_w15_recalling_one_long_text_again_and_again_grows_nothing() -> None:
    transcript = begun(*turn("a", page("long", 200_000)))
    settle(transcript, SMALL)
    [entry] = transcript.store.entries
    sizes = []
    for place in range(160):
        given = {"ref": entry.ref, "offset": place * 1_250}
        shown = recall(transcript, 4_000, **given).content
        say_all(transcript, turn(f"b{place}", shown, tool=RECALL, arguments=given))
        plans = settle(transcript, SMALL)
        assert not any(plan.unseen for plan in plans)
        sizes.append(transcript.tokens)

    assert transcript.store.entries == [entry]
    assert max(sizes) <= SMALL
    assert all(len(each.text) < 400 for each in catalogs(transcript))


@pytest.mark.row("B6")
@pytest.mark.parametrize("script", ["word ", "漢字", "🙂"])
def test_a_page_cut_for_lack_of_room_is_a_shorter_page(script: str) -> None:
    text = script * 30_000
    transcript = begun()
    ref = transcript.store.keep(text, "read")
    shown = recall(transcript, 40_000, ref=ref, offset=50, limit=40_000).content
    say_all(transcript, turn("a", shown, tool=RECALL, arguments={"ref": ref}))
    settle(transcript, 3_000)

    head, part = contents(transcript)[0].split("\n", 1)
    end = 50 + len(part)
    assert head == (
        f"[{ref}, characters 50 to {end} of {len(text)}; go on with offset {end}]"
    )
    assert text[50:].startswith(part)
    assert len(part) > 300


@pytest.mark.row("B6")
def test_what_recall_gave_in_an_earlier_conversation_is_kept() -> None:
    # That conversation had a store of its own, which is gone.
    old = f"[r0123456789, characters 0 to 5000 of 9000]\n{page('old', 5_000)}"
    listed = "[40 texts were put aside, 1 to 40]\n" + page("list", 3_000)
    talk = [Message.user("Hello."), *turn("x", old, listed, tool=RECALL)]
    transcript = begun(*turn("a", page(1, 8_000)), conversation=talk)
    settle(transcript, 1_500)

    kept = {whole(transcript, entry.ref) for entry in transcript.store.entries}
    assert {old, listed} <= kept


@pytest.mark.row("B6")
def test_a_result_that_looks_like_a_page_is_kept_like_any_other() -> None:
    forged = f"[r0123456789, characters 0 to 5000 of 9000]\n{page('x', 5_000)}"
    transcript = begun(*turn("a", forged), *turn("b", page(1, 8_000)))
    settle(transcript, 1_500)
    assert forged in {entry.text for entry in transcript.store.entries}


@pytest.mark.row("B6")
def test_long_arguments_of_a_folded_call_can_be_read_again() -> None:
    note = {"text": page("note", 3_000)}
    transcript = begun(*turn("a", "Noted.", tool="note", arguments=note))
    say_all(transcript, turn("b", page(1, 8_000)))
    settle(transcript, 1_500)

    kept = [whole(transcript, entry.ref) for entry in transcript.store.entries]
    assert json.dumps(note) in kept


@pytest.mark.row("B8")
def test_a_receipt_says_how_much_of_it_was_seen() -> None:
    transcript = begun(*turn("a", page("long", 40_000)))
    settle(transcript, 3_000)
    _, seen = contents(transcript)[0].split("\n", 1)
    say_all(transcript, turn("b", "short"))
    transcript.compact(Compaction(tier=1, masked=("a.0",)))
    assert (
        f"40000 characters, of which you have seen the first {len(seen)}"
        in (contents(transcript)[0])
    )
    transcript.compact(Compaction(tier=2, folded=1, catalog_tokens=500))
    assert "40000 characters, seen in part" in catalogs(transcript)[0].text


@pytest.mark.row("B8")
def test_the_catalog_names_what_was_folded_unread() -> None:
    transcript = begun(*turn("a", *[page(n, 4_000) for n in range(60)]))
    plans = settle(transcript, 1_000)

    assert sum(plan.unseen for plan in plans) == 60
    [catalog] = catalogs(transcript)
    assert "4000 characters, not seen yet" in catalog.text


@pytest.mark.row("B8")
def test_unread_results_at_the_end_of_a_conversation_are_unread_here() -> None:
    talk = [
        Message.user("Hello."),
        *turn("x", page("read", 4_000)),
        *turn("y", page("unread", 40_000)),
    ]
    transcript = begun(conversation=talk)
    plans = settle(transcript, 3_000)

    read, unread = contents(transcript)
    assert "Put aside" in read
    assert "not seen this whole" in unread
    assert sum(plan.unseen for plan in plans) == 0


@pytest.mark.row("B5")
def test_the_same_plan_is_made_whatever_the_seed_of_hashes() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", PLANNING],
            env={"PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in (0, 1, 2)
    }
    assert len(outputs) == 1
    assert REF.search(outputs.pop())


@pytest.mark.row("B5")
def test_an_earlier_conversation_alone_can_be_put_aside() -> None:
    talk = [Message.user("Hello."), *turn("x", *[page(n, 9_000) for n in range(20)])]
    talk.append(Message.user("Thank you."))
    transcript = Transcript(talk, [Message.user("And now?")], 100)
    settle(transcript, 4_000)

    assert transcript.tokens <= 4_000
    assert "Thank you." in [each.text for each in transcript.messages]
    assert plan_compaction(transcript, limit=4_000) is None


def test_the_last_exchange_of_a_conversation_stays_while_it_fits() -> None:
    talk = [Message.user(page("asked", 9_000)), Message(Role.ASSISTANT, "Yes.")] * 3
    transcript = begun(conversation=talk)
    settle(transcript, 4_000)
    assert transcript.messages[:2] == talk[-2:]
