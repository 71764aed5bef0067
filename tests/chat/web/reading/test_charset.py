"""Bytes become text by mark, by declaration or as UTF-8; else they are guessed."""

import codecs

import pytest

from chat.web.reading import ReadingRefused, readable
from tests.chat.web.reading.languages import CASES, Case

# Undeclared, Hungarian looks like Western, and Baltic like Central European.
NOT_TOLD_APART = {("Hungarian", "iso-8859-2"), ("Latvian", "windows-1257")}


def read(
    body: bytes, charset: str | None = None, media_type: str = "text/plain"
) -> str:
    return readable(body, media_type=media_type, charset=charset).text


@pytest.mark.parametrize(
    "codec", ["utf-8-sig", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]
)
def test_a_byte_order_mark_beats_every_declaration(codec: str) -> None:
    marks = {
        "utf-8-sig": b"",
        "utf-16-le": codecs.BOM_UTF16_LE,
        "utf-16-be": codecs.BOM_UTF16_BE,
        "utf-32-le": codecs.BOM_UTF32_LE,
        "utf-32-be": codecs.BOM_UTF32_BE,
    }

    assert (
        read(marks[codec] + "naïve 日本".encode(codec), "windows-1252") == "naïve 日本"
    )


@pytest.mark.parametrize(
    ("label", "body", "text"),
    [
        ("iso-8859-1", b"\x93q\x94 \x80", "“q” €"),
        (" Latin1 ", b"caf\xe9", "café"),
        ("gb2312", b"\xd6\xd0\xce\xc4\x952\x826", "中文𠀀"),
        ("Shift_JIS", b"\x93\xfa\x96{", "日本"),
        ("koi8-r", b"\xf0\xd2\xc9", "При"),
        ("utf-16", "wide".encode("utf-16-le"), "wide"),
    ],
)
def test_a_declared_label_is_read_as_browsers_read_it(
    label: str, body: bytes, text: str
) -> None:
    assert read(body, label) == text


@pytest.mark.parametrize("label", ["idna", "utf-7", "rot13", "base64", "zlib", "", "?"])
def test_labels_outside_the_standard_are_ignored(label: str) -> None:
    assert read(b"+ADw-b+AD4-", label) == "+ADw-b+AD4-"


def test_a_page_may_declare_inside() -> None:
    meta = b'<meta charset="shift_jis"><p>\x93\xfa\x96{'
    equiv = b"<meta http-equiv=x content='text/html; charset=koi8-r'><p>\xf0\xd2\xc9"
    xml = b"<?xml version='1.0' encoding='iso-8859-1'?><a>caf\xe9</a>"

    assert read(meta, media_type="text/html") == "日本"
    assert read(equiv, media_type="text/html") == "При"
    assert read(xml, media_type="application/xml").endswith("<a>café</a>")


def test_the_declaration_beside_a_page_beats_the_one_inside() -> None:
    body = "<meta charset=windows-1251><p>Grüße".encode()

    assert read(body, "utf-8", "text/html") == "Grüße"


def test_a_declaration_inside_plain_text_is_only_text() -> None:
    page = readable(
        "<meta charset=koi8-r> café".encode("cp1252"), media_type="text/plain"
    )

    assert page.text == "<meta charset=koi8-r> café"


def test_a_declaration_is_looked_for_in_the_first_1024_bytes_only() -> None:
    declaration = b"<meta charset=koi8-r>"
    near = b" " * (1024 - len(declaration)) + declaration + b"<p>\xf0\xd2\xc9"

    assert readable(near).charset == "koi8-r (page)"
    assert readable(b" " * 20 + near).charset != "koi8-r (page)"


@pytest.mark.parametrize(
    "case", CASES, ids=lambda case: f"{case.language} {case.label}"
)
def test_languages_are_read_by_their_declarations(case: Case) -> None:
    inside = f"<meta charset={case.label}>"

    assert readable(case.page(), charset=case.label).text == case.text
    assert readable(case.page(inside)).text == case.text


@pytest.mark.parametrize(
    "case",
    [case for case in CASES if (case.language, case.label) not in NOT_TOLD_APART],
    ids=lambda case: f"{case.language} {case.label}",
)
def test_languages_are_read_without_any_declaration(case: Case) -> None:
    assert readable(case.page()).text == case.text


@pytest.mark.parametrize(
    ("body", "charset", "decision"),
    [
        (b"\xef\xbb\xbfa", "latin1", "utf-8 (mark)"),
        (b"a", "latin1", "windows-1252 (header)"),
        (b"<meta charset=sjis>a", None, "shift_jis (page)"),
        (b"a", "unknown", "utf-8 (utf-8)"),
        (
            "Größe der Brücke über dem Fluß".encode("cp1252"),
            None,
            "windows-1252 (guess)",
        ),
        (b"a" + bytes(range(0xA0, 0xFF)) * 9, None, "windows-1252 (last resort)"),
    ],
)
def test_the_decision_is_told_with_its_source(
    body: bytes, charset: str | None, decision: str
) -> None:
    assert readable(body, charset=charset).charset == decision


def test_a_wrong_declaration_is_obeyed_and_what_it_cannot_read_is_counted() -> None:
    page = readable("Größe ändert Übel".encode("latin-1"), charset="utf-8")

    assert (page.text, page.replaced) == ("Gr\ufffd\ufffde \ufffdndert \ufffdbel", 4)


def test_what_is_mostly_unreadable_is_refused_with_the_place() -> None:
    with pytest.raises(ReadingRefused) as refused:
        read("日本語の文章".encode("euc-jp"), "utf-8")

    assert refused.value.reason == "charset"
    assert "not utf-8 is at 0" in str(refused.value)


def test_a_stray_byte_is_replaced_and_counted() -> None:
    page = readable(b"a\xffb", media_type="text/plain", charset="utf-8")

    assert (page.text, page.replaced) == ("a\ufffdb", 1)


def test_replacement_characters_of_the_text_itself_are_not_counted() -> None:
    page = readable(
        "a\ufffdb".encode() + b"\xff", media_type="text/plain", charset="utf-8"
    )

    assert page.replaced == 1
