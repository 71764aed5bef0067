"""Hostile input ends in a refusal or in text, within the limits given."""

from multiprocessing import get_context

import pytest

from chat.web.reading import ReadingRefused, Reason, readable
from chat.web.reading.process import ProcessLimits, read_in_process
from tests.chat.web.reading.pdfs import pdf_with_pages
from tests.fakes.hostile_pages import (
    ATTRIBUTES,
    INSIDE,
    MANY,
    NOT_QUITE,
    PAGES,
    SIZE,
    TEXT,
    TREES,
    ordinary,
)

MANY_ATTRIBUTES = b"<p " + b" ".join(b"a%d" % n for n in range(100_000)) + b">x"


def ending(body: bytes) -> str:
    try:
        return "read" if readable(body).text else "nothing"
    except ReadingRefused as refusal:
        return refusal.reason


def test_deep_nesting_within_reason_is_read() -> None:
    assert readable(b"<div>" * 3_000 + b"deep").text == "deep"


@pytest.mark.parametrize("kind", TREES)
def test_absurd_nesting_is_refused_before_parsing(kind: str) -> None:
    with pytest.raises(ReadingRefused) as refused:
        readable(TREES[kind](SIZE))

    assert refused.value.reason == "html_depth"


@pytest.mark.parametrize("kind", ATTRIBUTES)
def test_floods_of_attributes_are_refused_before_parsing(kind: str) -> None:
    with pytest.raises(ReadingRefused) as refused:
        readable(ATTRIBUTES[kind](SIZE))

    assert refused.value.reason == "html_attributes"


@pytest.mark.row("C3")
@pytest.mark.parametrize("kind", [*MANY, *TEXT, *INSIDE])
def test_hostile_pages_end_in_text_or_a_refusal_of_their_own(kind: str) -> None:
    assert ending(PAGES[kind](SIZE // 8)) in {"read", "empty", "binary"}


@pytest.mark.parametrize("kind", NOT_QUITE)
def test_markup_that_stays_below_the_limits_ends_too(kind: str) -> None:
    assert ending(NOT_QUITE[kind](SIZE)) in {"read", "empty"}


@pytest.mark.parametrize("kind", ["paragraphs", "rows of one table"])
def test_a_page_of_too_many_elements_is_read_in_part(kind: str) -> None:
    page = readable(MANY[kind](SIZE))

    assert page.text
    assert page.text_truncated


@pytest.mark.parametrize(
    "html",
    [
        "<script>'" + "<div>" * 10_000 + "'</script>",
        "<style>" + "<div>" * 10_000 + "</style>",
        "<textarea>" + "<div>" * 10_000 + "</textarea>",
        "<!-- " + "<div>" * 10_000 + " -->",
        "<p title='" + "<div>" * 10_000 + "'>",
        "<p " + "data-a='x' " * 1_900 + ">",
        "<b>unclosed " * 3_000,
    ],
)
def test_what_only_looks_like_absurd_markup_is_read(html: str) -> None:
    assert readable(f"<p>text{html}".encode()).text.startswith("text")


def test_many_elements_that_close_themselves_are_not_nesting() -> None:
    drawing = b"<svg>" + b"<path d='M0 0'/>" * 7_000 + b"</svg>"

    assert readable(drawing + b"<p>text" + b"<br><p>" * 7_000).text == "text"


@pytest.mark.parametrize(
    "limits",
    [
        ProcessLimits(cpu_s=1, wall_s=60.0),
        ProcessLimits(cpu_s=60, wall_s=0.5),
        ProcessLimits(cpu_s=60, wall_s=60.0, memory_bytes=1024 * 1024),
    ],
)
def test_a_document_that_meets_a_limit_is_refused(limits: ProcessLimits) -> None:
    with pytest.raises(ReadingRefused) as refused:
        read_in_process(
            "html", MANY_ATTRIBUTES, limits=limits, exceeded=Reason.HTML_LIMIT
        )

    assert refused.value.reason == "html_limit"


def test_the_process_sees_nothing_of_our_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYTHONSTARTUP", "/nonexistent")
    monkeypatch.setenv("PYTHONHOME", "/nonexistent")

    assert readable(pdf_with_pages(["still read"])).text == "still read"


def test_short_markup_that_multiplies_meets_the_limits() -> None:
    body = b"".join(b"<b id=%d><p>" % number for number in range(5_000))

    with pytest.raises(ReadingRefused) as refused:
        read_in_process(
            "html",
            body,
            limits=ProcessLimits(cpu_s=1, wall_s=60.0),
            exceeded=Reason.HTML_LIMIT,
        )

    assert refused.value.reason == "html_limit"


def read_a_long_page() -> None:
    assert readable(ordinary(SIZE // 8)).text


def test_a_worker_that_may_have_no_children_of_multiprocessing_can_read() -> None:
    worker = get_context("spawn").Process(target=read_a_long_page, daemon=True)
    worker.start()
    worker.join()

    assert worker.exitcode == 0
