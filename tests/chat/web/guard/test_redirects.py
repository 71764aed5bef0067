"""Redirects are followed by hand; every hop is judged like the first."""

import pytest

from chat.web.guard import FetchLimits
from tests.chat.web.guard.conftest import guard_for, refusal_of
from tests.fakes.web_server import WebServer, answer, redirect

pytestmark = pytest.mark.row("C3", "C4")

URL = "https://one.weighed.net/"
HERE = "one.weighed.net/"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize(
    ("location", "final"),
    [
        ("https://two.weighed.net/b", "two.weighed.net/b"),
        ("//two.weighed.net/b?c#d", "two.weighed.net/b?c"),
        ("/b", "one.weighed.net/b"),
        ("b?c", "one.weighed.net/x/b?c"),
        ("../z", "one.weighed.net/z"),
        ("?q", "one.weighed.net/x/y?q"),
    ],
)
def test_redirects_are_followed(
    site: WebServer, status: int, location: str, final: str
) -> None:
    site.answers[HERE + "x/y"] = redirect(location, status)
    site.answers[final] = answer("there")

    page = guard_for(site).fetch(URL + "x/y")

    assert page.body == b"there"
    assert page.final_url == f"https://{final}"
    assert [hop.status for hop in page.hops] == [status, 200]


@pytest.mark.parametrize(
    ("location", "reason"),
    [
        ("http://two.weighed.net/", "scheme"),
        ("javascript:alert(1)", "scheme"),
        ("https://169.254.169.254/latest/", "address"),
        ("https://localhost/", "host_name"),
        ("https://a:b@two.weighed.net/", "userinfo"),
        ("https:two.weighed.net", "url"),
        ("///two.weighed.net/", "redirect_location"),
        ("/\\two.weighed.net/", "redirect_location"),
        ("/a\tb", "redirect_location"),
        ("https://two.weighed.net:8443/", "port"),
        ("", "redirect_missing"),
        ("/", "redirect_loop"),
        ("#f", "redirect_loop"),
    ],
)
def test_a_bad_place_is_refused_before_it_is_visited(
    site: WebServer, location: str, reason: str
) -> None:
    site.answers[HERE] = redirect(location)

    assert refusal_of(guard_for(site), URL) == reason
    assert len(site.seen) == 1


def test_a_redirect_names_one_place(site: WebServer) -> None:
    site.answers[HERE] = answer("", "Location: /a", "Location: /b", status=302)
    site.answers[HERE + "none"] = answer("", status=302)

    assert refusal_of(guard_for(site), URL) == "redirect_location"
    assert refusal_of(guard_for(site), URL + "none") == "redirect_missing"


def test_a_name_that_turns_private_on_a_hop_is_refused(site: WebServer) -> None:
    site.answers[HERE] = redirect("https://two.weighed.net/")
    site.names["two.weighed.net"] = ["10.0.0.1"]

    assert refusal_of(guard_for(site), URL) == "address"
    assert len(site.dialled) == 1


def test_permission_is_asked_at_every_hop(site: WebServer) -> None:
    site.answers[HERE] = redirect("https://two.weighed.net/")

    def permit(url: str) -> bool:
        return "two" not in url

    assert refusal_of(guard_for(site), URL, permit=permit) == "permit"
    assert site.looked_up == ["one.weighed.net"]


def test_neither_cookies_nor_given_headers_travel_to_another_host(
    site: WebServer,
) -> None:
    cookie = "Set-Cookie: sid=1; Domain=weighed.net"
    site.answers[HERE] = answer("", "Location: /same", cookie, status=302)
    site.answers[HERE + "same"] = redirect("https://two.weighed.net/")
    site.answers["two.weighed.net/"] = answer("ok")

    guard_for(site).fetch(URL, headers=[("Authorization", "Bearer x")])

    assert ["authorization" in seen.headers for seen in site.seen] == [
        True,
        True,
        False,
    ]
    assert not any("cookie" in seen.headers for seen in site.seen)


def test_what_was_posted_is_not_sent_elsewhere(site: WebServer) -> None:
    site.answers[HERE] = redirect("https://two.weighed.net/", 307)

    reason = refusal_of(guard_for(site), URL, method="POST", body=b"x")

    assert reason == "redirect_method"
    assert len(site.seen) == 1


def test_the_body_of_a_redirect_is_not_read(site: WebServer) -> None:
    head = b"HTTP/1.1 302 X\r\nLocation: /b\r\nContent-Length: 999999999\r\n\r\n"
    site.answers[HERE] = head + b"x" * 300_000
    site.answers[HERE + "b"] = answer("there")
    limits = FetchLimits(max_wire_bytes=200_000)

    assert guard_for(site, limits=limits).fetch(URL).body == b"there"
