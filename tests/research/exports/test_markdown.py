"""Markdown in which nothing that others wrote is markup."""

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from research.evidence import Evidence
from research.exports import export_markdown
from research.exports.markdown import code_span, escaped, quoted
from tests.research.exports.hostile import QUOTE, TITLE

HOSTILE = [
    "plain",
    "`tick` and ``two``",
    "`",
    "```",
    "<b>bold</b> [a](b) ![c](d) <https://evil.example>",
    "* list\n# heading\n> quote\n\n    code",
    "a | b\n--- | ---",
    "&amp; &#60;",
    "ends with \\",
    "[ref]: https://evil.example",
    "$math$ ~~struck~~ <!-- gone -->",
    "",
]


def tokens(markdown: str) -> list[Token]:
    """All tokens of CommonMark and tables, inline ones too."""
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    flat = []
    for token in parser.parse(markdown):
        flat.append(token)
        flat.extend(token.children or [])
    return flat


def kinds(markdown: str) -> set[str]:
    return {token.type for token in tokens(markdown)}


@pytest.mark.parametrize("text", HOSTILE)
def test_a_code_span_shows_its_text(text: str) -> None:
    (span,) = [
        token for token in tokens(code_span(text)) if token.type == "code_inline"
    ]
    assert span.content.strip() == " ".join(text.split())


@pytest.mark.parametrize("text", HOSTILE)
def test_a_quote_is_verbatim_in_its_block(text: str) -> None:
    found = tokens("\n".join(quoted(text)))
    assert [token.type for token in found] == [
        "blockquote_open",
        "fence",
        "blockquote_close",
    ]
    assert found[1].content.removesuffix("\n") == text


@pytest.mark.parametrize("text", HOSTILE)
def test_escaped_text_is_text(text: str) -> None:
    found = tokens(f"Text: {escaped(text)}")
    assert {token.type for token in found} <= {
        "paragraph_open",
        "inline",
        "text",
        "text_special",
        "paragraph_close",
    }
    shown = "".join(token.content for token in found if token.type == "text")
    assert shown == f"Text: {' '.join(text.split())}".rstrip()


def test_no_link_image_or_html_of_a_publisher_comes_through(hostile: Evidence) -> None:
    found = kinds(export_markdown(hostile))
    assert not found & {"link_open", "image", "html_inline", "html_block", "table_open"}


def test_characters_that_steer_a_display_are_shown(hostile: Evidence) -> None:
    markdown = export_markdown(hostile)
    assert "\x1b" not in markdown
    assert "\u202e" not in markdown
    assert "⟨U+202E⟩drow⟨U+202C⟩" in markdown


def test_the_quote_stands_in_a_block_quote(hostile: Evidence) -> None:
    fences = [
        token for token in tokens(export_markdown(hostile)) if token.type == "fence"
    ]
    shown = QUOTE.replace("\x1b", "⟨U+001B⟩")
    shown = shown.replace("\u202e", "⟨U+202E⟩").replace("\u202c", "⟨U+202C⟩")
    assert [token.content for token in fences] == [f"{shown}\n"]


def test_the_title_is_the_first_heading(hostile: Evidence) -> None:
    found = tokens(export_markdown(hostile))
    title = "".join(token.content for token in found[2:30] if token.type == "text")
    assert title.startswith(f"Dossier 1: {TITLE}")


def test_it_states_denominators_digest_and_researcher(evidence: Evidence) -> None:
    markdown = export_markdown(evidence)
    assert "1 of 3 lookups found something, 1 found none, 1 could not be" in markdown
    assert "2 of 3 questions answered, 1 searched and not found" in markdown
    assert "3 of 3 quotes found in their snapshots." in markdown
    assert evidence.digest in markdown
    assert "which is no language model" in markdown


def test_an_unknown_lookup_says_why(evidence: Evidence) -> None:
    assert "### ⬚ entry points" in export_markdown(evidence)
    assert "Could not check: entry\\_points\\.txt cannot be read" in export_markdown(
        evidence
    )
