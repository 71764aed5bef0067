"""Hostile input ends in a refusal or in text, within the limits given."""

from contextlib import suppress

import pytest

from chat.web.reading import ReadingRefused, Reason, readable
from chat.web.reading.process import ProcessLimits, read_in_process
from tests.chat.web.reading.pdfs import pdf_with_pages

MANY_ATTRIBUTES = b"<p " + b" ".join(b"a%d" % n for n in range(100_000)) + b">x"


def test_deep_nesting_within_reason_is_read() -> None:
    assert readable(b"<div>" * 3_000 + b"deep").text == "deep"


@pytest.mark.parametrize("element", [b"<div>", b"<ul><li>", b"<b>", b"<font><div>"])
def test_absurd_nesting_is_refused_before_parsing(element: bytes) -> None:
    with pytest.raises(ReadingRefused) as refused:
        readable(element * 100_000 + b"x")

    assert refused.value.reason == "html_depth"


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


@pytest.mark.parametrize(
    "body",
    [
        b"<" * 100_000,
        b"&" * 100_000,
        b"<a" * 40_000,
        b"<!--" * 40_000,
        b"<p title='" + b"a" * 500_000 + b"'>after",
        b"<select>" + b"<option>o" * 10_000,
    ],
)
def test_odd_markup_ends(body: bytes) -> None:
    with suppress(ReadingRefused):
        assert readable(body).text


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
