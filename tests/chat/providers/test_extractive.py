"""The researcher that is no language model, as the engine sees it."""

from decimal import Decimal

import pytest

from chat.engine import Message, ModelReply, ModelRequest, Task, TextDelta, Usage
from chat.providers.extractive import ExtractiveModel
from chat.providers.extractive.gate import is_prose
from chat.providers.extractive.words import content_stems, numbers, stems


def request(**context: object) -> ModelRequest:
    task = Task("Research", context=context)
    return ModelRequest(task, (Message.user("Research"),))


def test_its_profile_says_that_it_is_no_language_model() -> None:
    profile = ExtractiveModel().profile
    assert profile.name == "extractive"
    assert not profile.language_model


def test_it_costs_nothing() -> None:
    model = ExtractiveModel()
    assert model.price(Usage(1_000, 1_000)) == Decimal(0)
    assert model.estimate(request()) == Decimal(0)


def test_a_task_without_context_ends_at_once() -> None:
    reply = ExtractiveModel().complete(request())
    assert not reply.calls
    assert reply.text == (
        "Read 0 of 0 documents. 0 of 0 questions answered; no language model was used."
    )


def test_a_stream_ends_with_the_whole_reply() -> None:
    *pieces, reply = ExtractiveModel().stream(request())
    assert isinstance(reply, ModelReply)
    assert pieces == [TextDelta(reply.text)]


def test_words_agree_across_plurals_endings_and_accents() -> None:
    assert content_stems("Which policies are stored?") == stems("policy storing")
    assert stems("cafés") == stems("Cafe")


def test_numbers_agree_without_their_separators() -> None:
    assert numbers("40,000 items in 3.11") == {"40000", "3.11"}


@pytest.mark.parametrize(
    ("text", "prose"),
    [
        ("It is maintained by volunteers.", True),
        ("Two words", False),
        ("1 2 3 4 5 6 7 8 9 10", False),
        ("word " * 81, False),
    ],
)
def test_a_sentence_has_four_to_eighty_words_and_mostly_letters(
    text: str, prose: bool
) -> None:
    assert is_prose(text.strip()) is prose
