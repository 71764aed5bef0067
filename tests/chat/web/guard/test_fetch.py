"""A page as it was fetched, and what is no evidence."""

import hashlib
from datetime import timedelta

import pytest

from chat.web.guard import RESEARCH_POLICY, FetchRefused
from tests.chat.web.guard.conftest import guard_for, refusal_of
from tests.fakes.web_server import WebServer, answer, redirect

pytestmark = pytest.mark.row("C3")

URL = "https://one.weighed.net/"
HERE = "one.weighed.net/"


def test_a_page_says_how_it_was_come_by(site: WebServer) -> None:
    site.answers[HERE + "a?b"] = answer(
        "<p>Hé", "Set-Cookie: a=b", "X-Two: 1", "X-Two: 2", media_type="text/html"
    )

    page = guard_for(site).fetch("https://ONE.weighed.net/a?b#c")

    assert page.url == "https://ONE.weighed.net/a?b#c"
    assert page.final_url == "https://one.weighed.net/a?b"
    assert (page.status, page.media_type, page.charset) == (200, "text/html", None)
    assert page.body == "<p>Hé".encode()
    assert page.sha256 == hashlib.sha256(page.body).hexdigest()
    assert page.headers["x-two"] == "1, 2"
    assert "set-cookie" not in page.headers
    assert (page.body_truncated, page.sniffed) == (False, False)
    assert page.peer == "93.184.216.34"
    (hop,) = page.hops
    assert (hop.url, hop.status, hop.address) == (page.final_url, 200, "93.184.216.34")
    assert hop.duration_s > 0
    assert hop.started_at + timedelta(seconds=hop.duration_s) <= page.fetched_at
    assert page.fetched_at.tzinfo is not None


def test_name_and_host_are_those_of_the_address(site: WebServer) -> None:
    site.answers[HERE] = answer("ok")

    guard_for(site).fetch(URL)

    seen = site.seen[0]
    assert (seen.server_name, seen.headers["host"]) == ("one.weighed.net",) * 2
    assert seen.headers["accept-encoding"] == "gzip, deflate"
    assert seen.headers["user-agent"].startswith("Weighhouse/")
    assert not {"cookie", "authorization"} & set(seen.headers)
    assert site.dialled == [("93.184.216.34", 443)]


def test_an_address_without_a_name_is_proven_too(site: WebServer) -> None:
    site.answers["93.184.216.34/"] = answer("ok")

    assert guard_for(site).fetch("https://93.184.216.34/").body == b"ok"
    assert site.looked_up == []


def test_a_caller_may_post_and_give_headers(site: WebServer) -> None:
    site.answers[HERE] = answer("{}", media_type="application/json")

    page = guard_for(site).fetch(
        URL, method="POST", body=b'{"q": 1}', headers=[("Accept", "application/json")]
    )

    assert page.media_type == "application/json"
    assert site.seen[0].start_line == "POST / HTTP/1.1"
    assert site.seen[0].body == b'{"q": 1}'
    assert site.seen[0].headers["accept"] == "application/json"


@pytest.mark.parametrize(
    "header", [("Host", "x"), ("X", "a\r\nb"), ("A b", "c"), ("Transfer-Encoding", "x")]
)
def test_a_header_that_the_guard_needs_cannot_be_given(
    site: WebServer, header: tuple[str, str]
) -> None:
    with pytest.raises(ValueError, match="cannot be given"):
        guard_for(site).fetch(URL, headers=[header])

    assert site.seen == []


def test_permission_is_asked_before_anything_is_sent(site: WebServer) -> None:
    asked: list[str] = []

    def permit(url: str) -> bool:
        asked.append(url)
        return False

    assert refusal_of(guard_for(site), URL + "x#y", permit=permit) == "permit"
    assert asked == ["https://one.weighed.net/x"]
    assert (site.looked_up, site.dialled) == ([], [])


@pytest.mark.parametrize("status", [201, 204, 206, 300, 304, 404, 500])
def test_only_a_whole_page_is_evidence(site: WebServer, status: int) -> None:
    site.answers[HERE] = answer("x", status=status)

    assert refusal_of(guard_for(site), URL) == "status"


@pytest.mark.parametrize(
    ("media_type", "reason"),
    [
        ("application/octet-stream", "media_type"),
        ("image/svg+xml", "media_type"),
        ("application/pdf", "media_type"),
        ("video/mp4", "media_type"),
    ],
)
def test_other_kinds_of_content_are_refused(
    site: WebServer, media_type: str, reason: str
) -> None:
    site.answers[HERE] = answer("words", media_type=media_type)

    assert refusal_of(guard_for(site), URL) == reason


def test_two_declared_types_are_refused(site: WebServer) -> None:
    site.answers[HERE] = answer("words", "Content-Type: text/html")

    assert refusal_of(guard_for(site), URL) == "media_type"


@pytest.mark.parametrize(
    ("media_type", "body"),
    [
        (None, b"\x89PNG\r\n\x1a\n\0\0"),
        (None, b"GIF89a and words that follow it, so that it seems to be a text"),
        ("text/html", b"\xff\xd8\xff\xe0 JFIF"),
        ("application/json", b"\x1f\x8b\x08 packed without saying so"),
        (None, b"%PDF-1.4\n1 0 obj"),
        ("text/html", b"PK\x03\x04\x14\0\0\0"),
        ("text/plain", b"%PDF-1.4\n1 0 obj"),
    ],
)
def test_binary_content_is_refused_whatever_it_is_called(
    site: WebServer, media_type: str | None, body: bytes
) -> None:
    site.answers[HERE] = answer(body, media_type=media_type)

    assert refusal_of(guard_for(site), URL) == "binary"


@pytest.mark.parametrize(
    ("body", "media_type"),
    [("<!DOCTYPE html><p>x", "text/html"), ("just words", "text/plain")],
)
def test_an_undeclared_type_is_sniffed(
    site: WebServer, body: str, media_type: str
) -> None:
    site.answers[HERE] = answer(body, media_type=None)

    page = guard_for(site).fetch(URL)

    assert (page.media_type, page.sniffed) == (media_type, True)


@pytest.mark.parametrize("media_type", ["application/pdf", "text/html", None])
def test_the_research_policy_reads_pdf(site: WebServer, media_type: str | None) -> None:
    site.answers[HERE] = answer(b"%PDF-1.4\n\x00", media_type=media_type)

    page = guard_for(site, policy=RESEARCH_POLICY).fetch(URL)

    assert page.media_type == "application/pdf"


@pytest.mark.parametrize(("ragged", "unknown"), [(True, True), (False, False)])
def test_an_end_that_nobody_announced_is_flagged(
    site: WebServer, ragged: bool, unknown: bool
) -> None:
    told = {"headers": [["Content-Type", "text/plain"]], "body": "words"}
    site.answers[HERE] = told | {"framing": "close", "ragged": ragged}
    site.answers[HERE + "length"] = told | {"ragged": ragged}

    page = guard_for(site).fetch(URL)

    assert (page.body, page.length_unknown) == (b"words", unknown)
    assert not guard_for(site).fetch(URL + "length").length_unknown


@pytest.mark.parametrize("url", ["http://one.weighed.net/", "https://127.0.0.1/", ""])
def test_a_refusal_by_the_address_alone_touches_no_network(
    site: WebServer, url: str
) -> None:
    assert not touched_network(site, url)
    assert not touched_network(site, URL, permit=lambda _: False)
    assert (site.looked_up, site.dialled) == ([], [])


def test_every_later_refusal_has_touched_the_network(site: WebServer) -> None:
    site.names["two.weighed.net"] = ["10.0.0.1"]
    site.answers = {
        HERE: redirect("http://one.weighed.net/"),
        HERE + "b": redirect("/c"),
        HERE + "404": answer(status=404),
    }

    assert touched_network(site, "https://unknown.weighed.net/")
    assert touched_network(site, "https://two.weighed.net/")
    assert touched_network(site, URL)
    assert touched_network(site, URL + "b", permit=lambda url: url.endswith("b"))
    assert touched_network(site, URL + "404")


def touched_network(site: WebServer, url: str, **options: object) -> bool:
    with pytest.raises(FetchRefused) as refused:
        guard_for(site).fetch(url, **options)  # type: ignore[arg-type]
    return refused.value.touched_network
