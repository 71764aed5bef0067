"""The researcher without a language model, held to a table made by hand."""

import pytest

from tests.research.agent.measures import Score, score
from tests.research.agent.truth_table import HELD_OUT, TUNED


@pytest.fixture(scope="module")
def tuned() -> Score:
    return score(TUNED)


@pytest.fixture(scope="module")
def held_out() -> Score:
    return score(HELD_OUT)


@pytest.mark.row("D13")
def test_it_finds_what_the_distributions_it_never_saw_state(held_out: Score) -> None:
    assert held_out.recall >= 0.8, str(held_out)


@pytest.mark.row("D13")
def test_it_finds_what_the_twelve_distributions_state(
    tuned: Score, held_out: Score
) -> None:
    missed = len(tuned.missed) + len(held_out.missed)
    stated = len(tuned.stated) + len(held_out.stated)
    assert 1 - missed / stated >= 0.8, f"{tuned}\n{held_out}"


@pytest.mark.row("D13")
def test_hardly_a_quote_has_nothing_to_do_with_its_question(
    tuned: Score, held_out: Score
) -> None:
    assert tuned.wrong_share < 0.05, str(tuned)
    assert held_out.wrong_share < 0.05, str(held_out)


def test_the_two_halves_share_no_distribution() -> None:
    assert len(TUNED) == len(HELD_OUT) == 6
    assert not set(TUNED) & set(HELD_OUT)
