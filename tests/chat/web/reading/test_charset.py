"""Bytes become text by a mark, a declaration or strict UTF-8; nothing is guessed."""

import codecs

import pytest

from chat.web.reading import ReadingRefused, readable


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
    with pytest.raises(ReadingRefused):
        read(b"<meta charset=latin1> caf\xe9")


def test_an_undeclared_encoding_is_refused_with_the_place() -> None:
    with pytest.raises(ReadingRefused) as refused:
        read(b"caf\xe9 au lait")

    assert refused.value.reason == "charset"
    assert "byte 3 is not UTF-8" in str(refused.value)


def test_a_wrong_declaration_is_refused() -> None:
    with pytest.raises(ReadingRefused) as refused:
        read("Größe ändert Übel".encode("latin-1") * 5, "utf-8")

    assert refused.value.reason == "charset"


def test_a_stray_byte_is_replaced_and_counted() -> None:
    page = readable(b"a\xffb", media_type="text/plain", charset="utf-8")

    assert (page.text, page.replaced) == ("a\ufffdb", 1)


def test_replacement_characters_of_the_text_itself_are_not_counted() -> None:
    page = readable(
        "a\ufffdb".encode() + b"\xff", media_type="text/plain", charset="utf-8"
    )

    assert page.replaced == 1
