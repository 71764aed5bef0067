"""What a body is in is declared in one order of places, and the page says where."""

import codecs

import pytest

from chat.web.guard import RESEARCH_POLICY, Charset
from chat.web.reading import read_page
from tests.chat.web.guard.conftest import guard_for
from tests.fakes.web_server import WebServer, answer

pytestmark = pytest.mark.row("C3")

URL = "https://one.weighed.net/"
HERE = "one.weighed.net/"
HTML = "text/html"
XML = "application/xml"


@pytest.mark.parametrize(
    ("media_type", "body", "name", "source"),
    [
        ("text/html; charset=cp1252", codecs.BOM_UTF8 + b"x", "utf-8", "mark"),
        (HTML, codecs.BOM_UTF16_BE + b"\0x", "utf-16be", "mark"),
        ("text/html; charset=UTF-8", b"<meta charset=sjis>", "utf-8", "header"),
        ('text/plain; charset="KOI8-R"', b"x", "koi8-r", "header"),
        ("text/html; charset=idna", b"<meta charset=sjis>", "shift_jis", "page"),
        (HTML, b"<meta charset='Shift_JIS'>", "shift_jis", "page"),
        (HTML, b"<!-- <meta charset=sjis> --><meta charset=gbk>", "gb18030", "page"),
        (HTML, b"<meta charset=nonsense><meta charset=gbk>", "gb18030", "page"),
        (HTML, b"<META HTTP-EQUIV=Content-Type content='a/b; charset=gbk'>",
         "gb18030", "page"),
        (HTML, b"<meta charset=utf-16>", "utf-8", "page"),
        (XML, b"<?xml version='1.0' encoding='gbk'?>", "gb18030", "page"),
        ("application/xhtml+xml", b"<?xml version='1.0' encoding='gbk'?>", "gb18030",
         "page"),
    ],
)  # fmt: skip
def test_the_first_declaration_that_is_known_decides(
    site: WebServer, media_type: str, body: bytes, name: str, source: str
) -> None:
    site.answers[HERE] = answer(body, media_type=media_type)

    page = guard_for(site).fetch(URL)

    assert page.decided_charset == Charset(name, source)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("media_type", "body"),
    [
        (HTML, b"<meta name=x content='charset=gbk'>"),
        (HTML, b" " * 1_020 + b"<meta charset=gbk>"),
        ("text/plain", b"<meta charset=gbk>"),
        ("text/plain; charset=utf-7", b"+ADw-"),
        ("text/plain", b"caf\xe9"),
    ],
)
def test_where_nothing_declares_it_the_reading_goes_by_the_bytes(
    site: WebServer, media_type: str, body: bytes
) -> None:
    site.answers[HERE] = answer(body, media_type=media_type)

    assert guard_for(site).fetch(URL).decided_charset is None


@pytest.mark.parametrize(
    ("media_type", "body", "text"),
    [
        ("text/plain", b"caf\xe9 au lait", "café au lait"),
        ("text/plain; charset=latin1", b"\x93q\x94 \x80", "“q” €"),
        ("text/plain; charset=utf-8", b"words \xff" * 40, "words \ufffd" * 40),
        ("text/html; charset=nonsense", "<p>é".encode(), "é"),
    ],
)
def test_bytes_that_nobody_can_read_are_replaced_and_counted(
    site: WebServer, media_type: str, body: bytes, text: str
) -> None:
    site.answers[HERE] = answer(body, media_type=media_type)

    read = read_page(guard_for(site).fetch(URL))

    assert (read.text, read.replaced) == (text, text.count("\ufffd"))


def test_a_pdf_has_no_charset(site: WebServer) -> None:
    site.answers[HERE] = answer(b"%PDF-1.4\n\x00", media_type="application/pdf")

    page = guard_for(site, policy=RESEARCH_POLICY).fetch(URL)

    assert page.decided_charset is None
