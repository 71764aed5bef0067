"""Where an address is accepted, nobody reads another host or port in it.

The other readers are httpx, urllib and the WHATWG's parser, which browsers have. They
read both the text that was given and its canonical form. FUZZ_URLS sets how many are
tried; `make fuzz` tries 20,000, `make fuzz-urls` a million.
"""

import os
from ipaddress import IPv6Address
from urllib.parse import urlsplit

import ada_url
import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chat.web.guard import CheckedUrl, FetchRefused, check_url
from tests.chat.web.guard.cases import cases

URLS = int(os.environ.get("FUZZ_URLS", "2000"))
SHARES = 4

Place = tuple[str, int]

SEEDS = sorted(
    {
        *(case["input"]["url"] for case in cases("url") if len(str(case)) < 500),
        "https://example.com/a/../b;c=d?e=f&g#h",
        "https://sub.example.co.uk:443/%C3%A9?q=a+b",
        "https://xn--mnchen-3ya.de/",
        "https://bücher.例え.jp/ä",
        "https://[2606:4700::1111]:443/",
        "https://8.8.8.8:443/?",
        "https://a_b.c-d.example.com./x",
    }
)
MARKS = (
    *("/", "//", "\\", "@", ":", "#", "?", "[", "]", ".", "..", "%", "%2e", "%00"),
    *("%40", "%2f", ":443", ":0443", ":80", " ", "\t", "\r\n", "\0", "&", ";", ","),
    *("user@", "u:p@", "0x7f", "0177", "127.0.0.1", "[::1]", "xn--", "-", "_", "~"),
    *("。", "．", "｡", "／", "＠", "：", "①", "ß", "ς", "ı", "İ", "K", "ﬁ", "℀", "а"),
    *("\u200c", "\u200d", "\u00ad", "\u200b", "\u202e", "\ufeff", "é", "e\u0301"),
    *("日本", "\U0001f600", "https://", "http:", "HTTPS", "example.com", ".com"),
    *("localhost", "evil.org"),
)
EDITS = st.lists(
    st.tuples(
        st.integers(0, 60),
        st.integers(0, 3),
        st.sampled_from(MARKS) | st.text(max_size=2),
    ),
    max_size=4,
)


def edited(url: str, edits: list[tuple[int, int, str]]) -> str:
    """A text with pieces put in, each in the place of so many characters."""
    for position, dropped, piece in edits:
        place = position % (len(url) + 1)
        url = url[:place] + piece + url[place + dropped :]
    return url


@pytest.mark.row("C4")
@pytest.mark.parametrize("share", range(SHARES))
def test_nobody_reads_another_host_in_what_is_accepted(share: int) -> None:
    @settings(
        max_examples=URLS // SHARES,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.sampled_from(SEEDS), EDITS)
    def check(seed: str, edits: list[tuple[int, int, str]]) -> None:
        url = edited(seed, edits)
        try:
            checked = check_url(url)
        except FetchRefused:
            return
        assert check_url(checked.url) == checked
        assert_read_alike(checked, checked.url)
        assert_read_alike(checked, url)

    check()


def assert_read_alike(checked: CheckedUrl, text: str) -> None:
    ours = (checked.host, checked.port)
    assert whatwg_reads(text) == ours
    assert urllib_reads(text) == ours
    assert httpx_reads(text) in {ours, None}


def whatwg_reads(text: str) -> Place:
    read = ada_url.URL(text)
    return plain(read.hostname), int(read.port or 443)


def urllib_reads(text: str) -> Place:
    read = urlsplit(text)
    return plain(as_ascii(read.hostname or "")), read.port or 443


def httpx_reads(text: str) -> Place | None:
    """None where httpx will not have it: its rules for names are stricter."""
    try:
        read = httpx.URL(text)
    except httpx.InvalidURL:
        return None
    return plain(read.raw_host.decode("ascii")), read.port or 443


def plain(host: str) -> str:
    """Without brackets and root dot; of an IPv6 address the one short spelling."""
    host = host.strip("[]").removesuffix(".")
    return IPv6Address(host).compressed if ":" in host else host


def as_ascii(host: str) -> str:
    """urllib leaves a name as it is written; the rules of names are not its part."""
    return host if host.isascii() else check_url(f"https://{host}/").host
