"""Every cap ends what it caps by itself, while all the others are far away.

The other caps have their defaults. Each is met once exactly and once by one too much.
"""

import gzip
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from chat.web.guard import FetchLimits, FetchRefused, Guard, Page, check_url
from tests.chat.web.guard.conftest import guard_for, refusal_of
from tests.fakes.web_server import WebServer, answer, redirect
from tests.fakes.web_server.server import Scripted

pytestmark = pytest.mark.row("C3")

HOST = "one.weighed.net"
URL = f"https://{HOST}/"
HERE = f"{HOST}/"
LIMITS = FetchLimits()

OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
HINT = b"HTTP/1.1 103 Early Hints\r\nLink: </" + b"x" * 958 + b">\r\n\r\n"
EMPTY_MEMBER = gzip.compress(b"", mtime=0)


def whole(page: Page) -> str:
    return "cut" if page.body_truncated else "whole"


def ending(guard: Guard, url: str) -> str:
    """How a fetch ended, in a word."""
    try:
        return whole(guard.fetch(url))
    except FetchRefused as refused:
        return str(refused.reason)


def with_hints(number: int) -> bytes:
    return HINT * number + answer("ok")


def with_field_of(size: int) -> bytes:
    return answer("ok", "X: " + "x" * size)


def with_padding(chunks: int) -> bytes:
    """Chunks of one byte that take a thousand on the wire, by their extension."""
    chunk = b"1;" + b"p" * 993 + b"\r\nx\r\n"
    return OK + b"Transfer-Encoding: chunked\r\n\r\n" + chunk * chunks + b"0\r\n\r\n"


def with_members(number: int) -> bytes:
    body = gzip.compress(b"x", mtime=0) + EMPTY_MEMBER * (number - 1)
    return answer(body, "Content-Encoding: gzip")


@dataclass(frozen=True)
class Cap:
    """A cap on what is received: an answer that meets it, and one that exceeds it."""

    name: str
    meets: Scripted
    exceeds: Scripted
    ends: str


RECEIVED = [
    Cap("max_body_bytes", answer(b"x" * 2_097_152), answer(b"x" * 2_097_153), "cut"),
    Cap("max_wire_bytes", with_padding(4_150), with_padding(4_250), "cut"),
    Cap("max_head_bytes", with_hints(120), with_hints(150), "headers"),
    Cap("one head, of h11", with_field_of(90_000), with_field_of(125_000), "headers"),
    Cap("gzip members", with_members(256), with_members(257), "decode"),
]


@pytest.mark.parametrize("cap", RECEIVED, ids=lambda cap: cap.name)
def test_what_is_received_is_capped(site: WebServer, cap: Cap) -> None:
    site.answers = {HERE + "meets": cap.meets, HERE + "exceeds": cap.exceeds}

    assert ending(guard_for(site), URL + "meets") == "whole"
    assert ending(guard_for(site), URL + "exceeds") == cap.ends


def test_the_wire_is_cut_before_packed_bytes_make_a_body(site: WebServer) -> None:
    stored = gzip.compress(b"x" * 200_000, compresslevel=0, mtime=0)
    site.answers[HERE] = answer(stored, "Content-Encoding: gzip")
    limits = FetchLimits(max_wire_bytes=100_000)

    page = guard_for(site, limits=limits).fetch(URL)

    assert page.body_truncated
    assert 0 < len(page.body) < 100_000


@pytest.mark.parametrize(("redirects", "ends"), [(5, "whole"), (6, "redirect_limit")])
def test_redirects_are_capped(site: WebServer, redirects: int, ends: str) -> None:
    for number in range(redirects):
        site.answers[f"{HERE}{number}"] = redirect(f"/{number + 1}")
    site.answers[f"{HERE}{redirects}"] = answer("there")

    assert ending(guard_for(site), URL + "0") == ends


@pytest.mark.parametrize(
    ("fits", "too_long", "reason"),
    [
        (URL + "a" * (2_048 - len(URL)), URL + "a" * (2_049 - len(URL)), "url_length"),
        (f"https://{'a' * 63}.net/", f"https://{'a' * 64}.net/", "host"),
        (f"https://{'ab.' * 83}net/", f"https://{'ab.' * 83}nett.nn/", "host"),
    ],
    ids=["url", "label", "host"],
)
def test_the_text_of_an_address_is_capped(
    fits: str, too_long: str, reason: str
) -> None:
    assert check_url(fits).url == fits
    with pytest.raises(FetchRefused) as refused:
        check_url(too_long)

    assert refused.value.reason == reason


class Waiting:
    """What a slow server waits for, between its bytes, until the test is over."""

    def __init__(self) -> None:
        self.over = threading.Event()

    def drip(self, before: bytes, drop: bytes) -> Callable[[], Iterator[bytes]]:
        def pieces() -> Iterator[bytes]:
            yield before
            while not self.over.wait(0.02):
                yield drop

        return pieces


@pytest.fixture
def waiting() -> Iterator[Waiting]:
    made = Waiting()
    yield made
    made.over.set()


SHORT = FetchLimits(deadline_s=0.4)


@pytest.mark.row("C4")
def test_a_lookup_that_hangs_ends_at_the_deadline(
    site: WebServer, waiting: Waiting
) -> None:
    def hang(host: str, port: int) -> list[str]:
        waiting.over.wait(30)
        return []

    guard = Guard(resolver=hang, dial=site.dial, limits=SHORT)

    assert refusal_of(guard, URL) == "deadline"


def test_a_dial_that_hangs_ends_at_the_deadline(
    site: WebServer, waiting: Waiting
) -> None:
    def hang(ip: str, port: int, timeout_s: float) -> socket.socket:
        waiting.over.wait(timeout_s)
        raise TimeoutError("timed out")

    site.names[HOST] = [f"93.184.216.{last}" for last in range(100)]
    guard = Guard(resolver=site.resolve, dial=hang, limits=SHORT)

    assert refusal_of(guard, URL) == "deadline"


def test_one_dial_is_given_up_before_the_deadline(site: WebServer) -> None:
    given: list[float] = []

    def hang(ip: str, port: int, timeout_s: float) -> socket.socket:
        given.append(timeout_s)
        raise TimeoutError("timed out")

    site.names[HOST] = ["93.184.216.34"]

    assert refusal_of(Guard(resolver=site.resolve, dial=hang), URL) == "connect"
    assert given == [LIMITS.dial_s]


@pytest.mark.parametrize("mode", ["silent", "drip"])
def test_a_slow_handshake_ends_at_the_deadline(site: WebServer, mode: str) -> None:
    site.tls[HOST] = mode

    assert refusal_of(guard_for(site, limits=SHORT), URL) == "deadline"


@pytest.mark.parametrize(
    ("before", "drop"),
    [
        (b"", b""),
        (b"HTTP/1.1 200 OK\r\nX: ", b"x"),
        (b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"),
        (OK + b"Content-Length: 999\r\n\r\n", b"x"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n1;", b"p"),
        (OK + b"Content-Encoding: gzip\r\n\r\n", EMPTY_MEMBER),
        (OK + b"\r\n", b"x"),
    ],
    ids=[
        *("nothing", "head", "hints", "body", "chunks", "chunk extension"),
        *("gzip members", "until close"),
    ],
)
def test_a_slow_answer_ends_at_the_deadline(
    site: WebServer, waiting: Waiting, before: bytes, drop: bytes
) -> None:
    site.answers[HERE] = waiting.drip(before, drop)

    assert refusal_of(guard_for(site, limits=SHORT), URL) == "deadline"


def test_the_deadline_is_one_for_all_hops(site: WebServer, waiting: Waiting) -> None:
    def late(place: str) -> Callable[[], Iterator[bytes]]:
        def pieces() -> Iterator[bytes]:
            waiting.over.wait(0.3)
            yield redirect(place)

        return pieces

    site.answers = {f"{HERE}{n}": late(f"/{n + 1}") for n in range(5)}
    site.answers[f"{HERE}5"] = answer("there")
    limits = FetchLimits(deadline_s=0.8)

    assert refusal_of(guard_for(site, limits=limits), URL + "0") == "deadline"
    assert len(site.seen) < 5


def test_a_server_that_does_not_take_what_is_sent_ends_at_the_deadline(
    site: WebServer,
) -> None:
    site.answers[HERE] = answer("ok")
    site.deaf.add(HOST)
    guard = guard_for(site, limits=SHORT)

    reason = refusal_of(guard, URL, method="POST", body=b"x" * 50_000_000)

    assert reason == "deadline"


def test_only_so_many_lookups_may_hang(site: WebServer, waiting: Waiting) -> None:
    hanging: list[str] = []

    def hang(host: str, port: int) -> list[str]:
        hanging.append(host)
        waiting.over.wait(30)
        return []

    site.answers[HERE] = answer("ok")
    hung = Guard(resolver=hang, dial=site.dial, limits=FetchLimits(deadline_s=0.05))
    while len(hanging) < 16:
        assert refusal_of(hung, URL) == "deadline"

    assert refusal_of(guard_for(site, limits=SHORT), URL) == "deadline"
    assert site.looked_up == []

    waiting.over.set()
    assert guard_for(site).fetch(URL).body == b"ok"
