"""The table of encoding labels is the standard's own, label by label."""

import codecs

import pytest
from webencodings.labels import LABELS

from chat.web.reading.labels import CODECS, codec_for

# Encodings that browsers replace by nothing, or that only scripts can ask for.
NOT_READ = {
    "csiso2022kr",
    "hz-gb-2312",
    "iso-2022-cn",
    "iso-2022-cn-ext",
    "iso-2022-kr",
    "replacement",
    "x-user-defined",
}


def test_every_label_of_the_standard_is_known_and_no_other() -> None:
    assert set(CODECS) == set(LABELS) - NOT_READ


def test_every_codec_exists() -> None:
    assert all(codecs.lookup(codec) for codec in CODECS.values())


@pytest.mark.parametrize("label", ["us-ascii", "ISO-8859-1", " latin1\n", "iso-ir-100"])
def test_latin_labels_are_read_as_windows_1252(label: str) -> None:
    assert codec_for(label) == "cp1252"


@pytest.mark.parametrize("label", ["rot13", "base64", "idna", "unicode_escape", ""])
def test_pythons_other_codecs_cannot_be_named(label: str) -> None:
    assert codec_for(label) is None
