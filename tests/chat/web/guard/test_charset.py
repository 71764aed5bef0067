"""What a body is in is decided in one order, and the page says who decided."""

import codecs

import pytest

from chat.web.guard import RESEARCH_POLICY, Charset
from tests.chat.web.guard.conftest import guard_for
from tests.fakes.web_server import WebServer, answer

pytestmark = pytest.mark.row("C3")

URL = "https://one.weighed.net/"
HERE = "one.weighed.net/"
HTML = "text/html"


@pytest.mark.parametrize(
    ("media_type", "body", "label", "source"),
    [
        ("text/html; charset=cp1252", codecs.BOM_UTF8 + b"x", "utf-8", "mark"),
        (HTML, codecs.BOM_UTF16_BE + b"\0x", "utf-16be", "mark"),
        ("text/html; charset=UTF-8", b"<meta charset=sjis>", "utf-8", "header"),
        ('text/plain; charset="KOI8-R"', b"x", "koi8-r", "header"),
        ("text/html; charset=idna", b"<meta charset=sjis>", "sjis", "meta"),
        (HTML, b"<meta charset='Shift_JIS'>", "shift_jis", "meta"),
        (HTML, b"<!-- <meta charset=sjis> --><meta charset=gbk>", "gbk", "meta"),
        (HTML, b"<meta charset=nonsense><meta charset=gbk>", "gbk", "meta"),
        (HTML, b"<META HTTP-EQUIV=Content-Type content='a/b; charset=gbk'>", "gbk",
         "meta"),
        (HTML, b"<meta name=x content='charset=gbk'>", "utf-8", "valid"),
        (HTML, b"<meta charset=utf-16>", "utf-8", "meta"),
        (HTML, b" " * 1_020 + b"<meta charset=gbk>", "utf-8", "valid"),
        ("text/plain", b"<meta charset=gbk>", "utf-8", "valid"),
        ("application/xml", b"<?xml version='1.0' encoding='gbk'?>", "gbk", "xml"),
        ("application/xhtml+xml", b"<?xml version='1.0' encoding='gbk'?>", "gbk",
         "xml"),
        ("application/xml", b"<meta charset=gbk>", "utf-8", "valid"),
        ("text/plain", "é".encode(), "utf-8", "valid"),
        ("text/plain", b"caf\xe9", "windows-1252", "fallback"),
        ("text/plain; charset=utf-7", b"+ADw-", "utf-8", "valid"),
    ],
)  # fmt: skip
def test_the_first_that_is_known_decides(
    site: WebServer, media_type: str, body: bytes, label: str, source: str
) -> None:
    site.answers[HERE] = answer(body, media_type=media_type)

    decided = guard_for(site).fetch(URL).decided_charset

    assert decided is not None
    assert (decided.label, decided.source.name) == (label, source.upper())


def test_a_character_that_the_cut_broke_does_not_decide(site: WebServer) -> None:
    site.answers[HERE] = answer("x" + "é" * 1_048_600, media_type="text/plain")

    page = guard_for(site).fetch(URL)

    assert page.body_truncated
    assert isinstance(page.decided_charset, Charset)
    assert page.decided_charset.label == "utf-8"


def test_a_pdf_has_no_charset(site: WebServer) -> None:
    site.answers[HERE] = answer(b"%PDF-1.4\n\x00", media_type="application/pdf")

    page = guard_for(site, policy=RESEARCH_POLICY).fetch(URL)

    assert page.decided_charset is None
