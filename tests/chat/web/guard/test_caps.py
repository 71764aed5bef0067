"""Sizes and times are capped; broken answers are refused, never half evidence."""

import gzip
import zlib

import pytest

from chat.web.guard import FetchLimits
from tests.chat.web.guard.conftest import guard_for, refusal_of
from tests.fakes.web_server import WebServer, answer, packed

pytestmark = pytest.mark.row("C3")

URL = "https://one.weighed.net/"
HERE = "one.weighed.net/"
OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize("pack", [answer, packed])
def test_a_body_is_cut_at_the_limit_and_says_so(site: WebServer, pack: object) -> None:
    limits = FetchLimits(max_body_bytes=100_000)
    site.answers[HERE + "fits"] = pack(b"x" * 100_000)  # type: ignore[operator]
    site.answers[HERE + "over"] = pack(b"x" * 100_001)  # type: ignore[operator]

    fits = guard_for(site, limits=limits).fetch(URL + "fits")
    over = guard_for(site, limits=limits).fetch(URL + "over")

    assert (len(fits.body), fits.body_truncated) == (100_000, False)
    assert (len(over.body), over.body_truncated) == (100_000, True)


def test_a_bomb_is_cut_without_being_unpacked(site: WebServer) -> None:
    site.answers[HERE] = packed(b"\n" * 50_000_000)

    page = guard_for(site).fetch(URL)

    assert (len(page.body), page.body_truncated) == (2 * 1024 * 1024, True)


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("gzip", gzip.compress(b"first-", mtime=0) + gzip.compress(b"second", mtime=0)),
        ("x-gzip", gzip.compress(b"first-second", mtime=0)),
        ("deflate", zlib.compress(b"first-second")),
        ("deflate", zlib.compress(b"first-second")[2:-4]),
        ("identity", b"first-second"),
    ],
)
def test_offered_codings_are_unpacked(
    site: WebServer, coding: str, body: bytes
) -> None:
    site.answers[HERE] = answer(body, f"Content-Encoding: {coding}")

    assert guard_for(site).fetch(URL).body == b"first-second"


# Test ids hold these bytes, so that they must not hold the time.
GZIP = gzip.compress(bytes(range(256)) * 9, mtime=0)


@pytest.mark.parametrize(
    ("coding", "body", "reason"),
    [
        ("gzip", GZIP[:-20], "decode"),
        ("gzip", GZIP[:-8] + b"\0\0\0\0" + GZIP[-4:], "decode"),
        ("gzip", GZIP + b"more", "decode"),
        ("gzip", b"not packed", "decode"),
        ("gzip", gzip.compress(b"", mtime=0) * 1_000, "decode"),
        ("deflate", b"not packed", "decode"),
        ("deflate", b"x", "decode"),
        ("gzip, gzip", gzip.compress(GZIP, mtime=0), "encoding"),
        ("br", b"x", "encoding"),
        ("zstd", b"x", "encoding"),
    ],
)
def test_other_packing_is_refused(
    site: WebServer, coding: str, body: bytes, reason: str
) -> None:
    site.answers[HERE] = answer(body, f"Content-Encoding: {coding}")

    assert refusal_of(guard_for(site), URL) == reason


def test_two_codings_on_two_lines_are_two_codings(site: WebServer) -> None:
    lines = ("Content-Encoding: gzip", "Content-Encoding: gzip")
    site.answers[HERE] = answer(gzip.compress(GZIP, mtime=0), *lines)

    assert refusal_of(guard_for(site), URL) == "encoding"


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"ICY 200 OK\r\n\r\nhello",
        OK + b"Content-Length: 20\r\n\r\nshort",
        OK + b"Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
        CHUNKED + b"ZZ\r\nabc\r\n0\r\n\r\n",
        CHUNKED + b"3\r\nabcXX0\r\n\r\n",
        CHUNKED + b"3\r\nabc\r\n",
    ],
)
def test_broken_framing_is_refused(site: WebServer, raw: bytes) -> None:
    site.answers[HERE] = raw

    assert refusal_of(guard_for(site), URL) == "protocol"
