"""What a provider is given to cite of search_documents and read_document."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.providers.own_results import OwnResult
from chat.toolset import CITED_TOOLS, document_tools
from chat.web.search import Document
from chat.web.search.rendering import parse_address

LICENCE = Document(
    "doc:a", "First", "# Terms\n\nThe licence is MIT.\n\nNobody is liable."
)


def cited(
    tool: str, arguments: dict[str, Any], *documents: Document
) -> list[OwnResult]:
    """What is cited of a call's result."""
    tools = {each.name: each for each in document_tools(documents or (LICENCE,))}
    return list(CITED_TOOLS[tool](tools[tool].call(arguments).content))


def test_a_hit_is_cited_under_the_address_of_its_passage() -> None:
    (hit,) = cited("search_documents", {"query": "licence"})
    place = parse_address(hit.source)
    assert place is not None
    assert (place.uri, hit.title) == ("doc:a", "First")
    assert LICENCE.text[place.start : place.end].split() == hit.text.split()


def test_the_address_of_a_passage_can_be_read() -> None:
    (hit,) = cited("search_documents", {"query": "licence"})
    head, *passages = cited("read_document", {"uri": hit.source})
    assert head.text.startswith("Characters 2 to ")
    assert passages[0].source == hit.source


@pytest.mark.parametrize("tool", CITED_TOOLS)
@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "no JSON",
        "[3]",
        "[[]]",
        "3",
        "null",
        '[{"uri": "doc:a", "title": "First", "offset": 0, "end": 12, "snip',
        '[{"uri": "doc:a", "title": "First", "offset": {}, "end": 12, "snippet": ""}]',
        '{"uri": "doc:a", "offset": [], "total": 3}\ntext',
        '{"uri": "doc:a", "offset": 1e999, "total": 3}\ntext',
        '{"uri": "doc:a", "title": "A", "offset": 0, "end": 9, "total": 9}\ncut',
        "[" * 100_000,
    ],
)
def test_what_cannot_be_taken_apart_is_not_cited(tool: str, text: str) -> None:
    assert not CITED_TOOLS[tool](text)


def test_a_result_of_which_only_the_beginning_is_left_is_not_cited() -> None:
    tools = {each.name: each for each in document_tools([LICENCE])}
    page = tools["read_document"].call({"uri": "doc:a"}).content
    hits = tools["search_documents"].call({"query": "licence"}).content
    for name, whole in (("read_document", page), ("search_documents", hits)):
        cuts = [CITED_TOOLS[name](whole[:length]) for length in range(len(whole))]
        assert not any(cuts)
        noted = f"[You have not seen this whole.]\n{whole}"
        assert not CITED_TOOLS[name](noted)


@given(
    st.text(
        st.sampled_from("aé# .\n\t-|`*1") | st.characters(exclude_categories=["Cs"])
    )
)
def test_no_word_of_a_page_is_lost_and_each_passage_is_where_it_says(text: str) -> None:
    document = Document("d", "", text * 3)
    passages = cited("read_document", {"uri": "d"}, document)[1:]
    for each in passages:
        place = parse_address(each.source)
        assert place is not None
        assert document.text[place.start : place.end] == each.text
    if passages:
        shown = "".join(each.text for each in passages)
        assert "".join(shown.split()) == "".join(document.text.split())


def test_a_page_whose_addresses_would_outweigh_it_stays_a_text() -> None:
    long = Document(f"doc:{'x' * 900}", "", json.dumps(["word"] * 400))
    assert cited("read_document", {"uri": long.uri}, long) == []
