"""The page about fetching names every refusal and the caps as they are."""

import re
from pathlib import Path

import pytest

from chat.web.guard import SENTENCES, FetchLimits, Reason

PAGE = Path(__file__).parents[4] / "docs" / "fetching.md"


def test_every_refusal_has_a_sentence_and_a_line() -> None:
    refusals = PAGE.read_text().partition("## Refusals")[2]

    documented = re.findall(r"^\| `([a-z_0-9]+)` \| (.+) \|$", refusals, re.M)

    assert documented == [(str(reason), said) for reason, said in SENTENCES.items()]
    assert set(SENTENCES) == set(Reason)


@pytest.mark.parametrize(
    "line",
    [
        f"all hops | {FetchLimits().deadline_s:.0f} s |",
        f"one address | {FetchLimits().dial_s:.0f} s |",
        f"redirects | {FetchLimits().max_redirects} |",
        f"counted | {FetchLimits().max_head_bytes // 1024} KiB |",
        f"unpacked | {FetchLimits().max_body_bytes // 1024**2} MiB |",
        f"decryption | {FetchLimits().max_wire_bytes // 1024**2} MiB |",
    ],
)
def test_caps_and_words_are_those_of_the_code(line: str) -> None:
    assert line in PAGE.read_text()
