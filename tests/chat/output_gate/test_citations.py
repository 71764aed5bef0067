"""Sources that a provider names: checked, numbered, and counted when refused."""

from typing import Any

import pytest

from chat.engine import Citation, StopReason
from chat.output_gate import Answer, GatedAnswer, gate
from tests.chat.output_gate.reading import faults, hrefs, seen

pytestmark = pytest.mark.row("A13")
TEXT = "Bleach is deprecated. Nobody maintains it."
WEB = "https://example.org/bleach"


def cite(start: int = 0, end: int = 21, source: str = WEB, **more: Any) -> Citation:
    return Citation("web", start, end, source, **more)


def gated(*citations: Citation, text: str = TEXT) -> GatedAnswer:
    answer = Answer(text, StopReason.COMPLETED, citations=citations)
    return gate(answer, {"document:policy.txt"})


def test_a_marker_after_the_cited_words_leads_to_the_list_of_sources() -> None:
    html = gated(cite(title="The end", cited="No longer maintained.")).html

    assert "deprecated.<sup>" in html
    assert hrefs(html) == ["#answer-source-1", WEB]
    assert faults(html) == []
    assert seen(html).endswith("The end No longer maintained.")


def test_citations_come_in_the_order_of_the_text_and_a_source_has_one_number() -> None:
    other = "https://example.org/other"
    found = gated(cite(22, 42, other), cite(0, 6), cite(7, 21, other)).citations

    assert [(one.start, one.number, one.url) for one in found] == [
        (0, 1, WEB),
        (7, 2, other),
        (22, 2, other),
    ]


def test_a_document_of_the_run_is_named_and_no_link() -> None:
    found = gated(cite(source="document:policy.txt"))

    assert (found.citations[0].source, found.citations[0].url) == (
        "document:policy.txt",
        "",
    )
    assert hrefs(found.html) == ["#answer-source-1"]


@pytest.mark.parametrize(
    "citation",
    [
        cite(-1, 3),
        cite(3, 3),
        cite(5, 3),
        cite(0, len(TEXT) + 1),
        cite(source=""),
        cite(source="document:another.txt"),
        cite(source="javascript:alert(1)"),
        cite(source="data:text/html,x"),
        cite(source="https://user:secret@example.org/"),
        cite(source="https:///path"),
        cite(source="https://example.org:x/"),
        cite(source="https://example.org/\u202e"),
        cite(source="https://example.org/a b"),
        cite(source=f"https://example.org/{'a' * 3_000}"),
        cite(source="https://[::1"),
    ],
)
def test_an_unusable_citation_is_refused_and_counted(citation: Citation) -> None:
    found = gated(citation, cite())

    assert len(found.citations) == 1
    assert sum((found.refused or {}).values()) == 1
    assert found.labels[0].startswith("1 of 2 citations was not usable: 1 ")


def test_the_label_says_how_many_and_why() -> None:
    outside, nameless = cite(0, 99), cite(source="x")
    label = gated(*[outside] * 3, nameless, *[cite()] * 3).labels[-1]

    assert label == (
        "4 of 7 citations were not usable:"
        " 1 without a source that can be named, 3 outside of the text."
    )


def test_more_than_two_hundred_are_counted_not_shown() -> None:
    found = gated(*[cite()] * 203)

    assert len(found.citations) == 200
    assert found.refused == {"after the first 200": 3}


def test_titles_and_quoted_texts_are_short_and_plain() -> None:
    found = gated(cite(title="<b>\u202e\n" + "t" * 900, cited="c" * 9_000))
    title, cited = found.citations[0].title, found.citations[0].cited

    assert title.startswith("<b>⟨U+202E⟩ ttt")
    assert (len(title), len(cited)) == (200, 500)
    assert faults(found.html) == []


def test_a_marker_does_not_cut_a_word() -> None:
    assert "Bleach<sup>" in gated(cite(0, 3)).html


def test_places_are_those_of_the_gated_text() -> None:
    text = "A\u202e <b> [x](javascript:y) cited words."
    start = text.index("cited")
    found = gated(cite(start, start + 5), text=text)
    one = found.citations[0]

    assert found.text[one.start : one.end] == "cited"


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("[a link](https://example.org/)", 4),
        ("[a link](https://example.org/)", 20),
        ("a _word_ here", 8),
    ],
)
def test_a_marker_that_would_change_the_answer_is_left_out(text: str, end: int) -> None:
    html, bare = gated(cite(0, end), text=text).html, gated(text=text).html

    assert html.startswith(bare)
    assert "<sup>" not in html
    assert f'href="{WEB}"' in html


def test_marks_in_the_text_itself_are_shown_and_lead_nowhere() -> None:
    html = gated(cite(0, 1), text="A \ue0007\ue001 b").html

    assert "⟨U+E000⟩7⟨U+E001⟩" in html
    assert hrefs(html) == ["#answer-source-1", WEB]
