"""What a site asks robots to leave alone, as RFC 9309 has it."""

import pytest

from chat.web.guard import FetchRefused, Pacing, PoliteGuard, RobotsPolicy
from chat.web.guard.robots_rules import rules_for
from tests.chat.web.guard.conftest import guard_for
from tests.fakes.web_server import WebServer, answer, redirect

pytestmark = pytest.mark.row("C3")

HERE = "one.weighed.net"
URL = f"https://{HERE}/"
CLOSED = "User-agent: *\nDisallow: /closed\n"


def polite_guard(site: WebServer, robots: RobotsPolicy | None = None) -> PoliteGuard:
    pacing = Pacing(spacing_s=0)
    return PoliteGuard(
        guard_for(site), pacing=pacing, robots=robots or RobotsPolicy(now=lambda: 0.0)
    )


def refused_by(polite: PoliteGuard, url: str) -> FetchRefused:
    with pytest.raises(FetchRefused) as refused:
        polite.fetch(url)
    return refused.value


def paths(site: WebServer) -> list[str]:
    return [seen.start_line.split()[1] for seen in site.seen]


@pytest.mark.parametrize(
    ("lines", "target", "may"),
    [
        ("user-agent: *|disallow: /", "/a", False),
        ("User-Agent: *|Disallow:", "/a", True),
        ("", "/a", True),
        ("Disallow: /", "/a", True),
        ("user-agent: other|disallow: /", "/a", True),
        ("user-agent: *|disallow: /||user-agent: weighhouse|allow: /", "/a", True),
        ("user-agent: *|allow: /||user-agent: Weighhouse/2.0|disallow: /", "/a", False),
        ("user-agent: weighhousekeeper|disallow: /", "/a", True),
        (
            "user-agent: *|user-agent: x|disallow: /a||user-agent: *|disallow: /b",
            "/b",
            0,
        ),
        ("user-agent: x|sitemap: y|user-agent: *|disallow: /", "/a", False),
        ("user-agent: *|disallow: /a|allow: /a/b", "/a/b/c", True),
        ("user-agent: *|allow: /a|disallow: /a", "/a", True),
        ("user-agent: *|disallow: /a|allow: /a", "/a", True),
        ("user-agent: *|disallow: /*.php$", "/x/y.php", False),
        ("user-agent: *|disallow: /*.php$", "/x/y.php?z", True),
        ("user-agent: *|disallow: /*a*b$", "/xab", False),
        ("user-agent: *|disallow: /*ab$", "/ab/a", True),
        ("user-agent: *|disallow: /a$", "/a", False),
        ("user-agent: *|disallow: /a$", "/ab", True),
        ("user-agent: *|disallow: /ab*b$", "/ab", True),
        ("user-agent: *|disallow: /a$b", "/a$b", False),
        ("user-agent: *|disallow: /%2A", "/*", False),
        ("user-agent: *|disallow: /%61%c3%a9", "/a%C3%A9", False),
        ("user-agent: *|disallow: /é", "/%C3%A9", False),
        ("user-agent: *|disallow: /a%2Fb", "/a/b", True),
        ("user-agent: *|disallow: /q?x=1", "/q?x=1&y", False),
        ("user-agent: *|disallow: / # all of it", "/a", False),
        ("\ufeffuser-agent: *|disallow: /", "/a", False),
        ("user-agent : *|disallow : /", "/a", False),
        ("<!doctype html>|<p>disallow: /", "/a", True),
    ],
)
def test_the_longest_rule_of_the_right_group_decides(
    lines: str, target: str, may: bool
) -> None:
    assert rules_for("Weighhouse", lines.replace("|", "\n")).allow(target) == may
    assert rules_for("Weighhouse", lines.replace("|", "\r\n")).allow(target) == may


@pytest.mark.parametrize(
    "hostile",
    [
        "".join(f"user-agent: a{number}\n" for number in range(20_000))
        + "disallow: /\n" * 20_000,
        "user-agent: *\ndisallow: /" + "*a" * 250_000 + "b$\n",
        "user-agent: *\n" + ("disallow: /" + "*a" * 100 + "b$\n") * 2_000,
        "user-agent: *\ncrawl-delay: " + "9" * 400_000,
    ],
)
def test_a_hostile_file_is_read_like_any_other(hostile: str) -> None:
    rules = rules_for("Weighhouse", hostile)

    assert rules.allow("/" + "a" * 2_000)
    assert rules.delay_s == 0


def test_robots_are_asked_for_only_where_the_caller_wants_it(site: WebServer) -> None:
    site.answers = {f"{HERE}/robots.txt": answer(CLOSED), f"{HERE}/closed": answer("x")}

    page = PoliteGuard(guard_for(site), pacing=Pacing(spacing_s=0)).fetch(
        URL + "closed"
    )

    assert (page.body, paths(site)) == (b"x", ["/closed"])


def test_what_a_site_closes_is_not_read_and_its_word_is_asked_once(
    site: WebServer,
) -> None:
    site.answers = {
        f"{HERE}/robots.txt": answer(CLOSED),
        f"{HERE}/open": answer("words"),
    }
    polite = polite_guard(site)

    first, second = (refused_by(polite, URL + "closed") for _ in range(2))

    assert {str(first.reason), str(second.reason)} == {"robots"}
    assert (first.touched_network, second.touched_network) == (True, False)
    assert polite.fetch(URL + "open").body == b"words"
    assert paths(site) == ["/robots.txt", "/open"]


def test_the_host_that_a_redirect_leads_to_has_its_own_say(site: WebServer) -> None:
    site.answers = {
        f"{HERE}/": redirect("https://two.weighed.net/closed"),
        "two.weighed.net/robots.txt": answer(CLOSED),
        "two.weighed.net/closed": answer("never"),
    }

    refused = refused_by(polite_guard(site), URL)

    assert (str(refused.reason), refused.touched_network) == ("robots", True)
    assert paths(site) == ["/robots.txt", "/", "/robots.txt"]


@pytest.mark.parametrize("status", [401, 403, 404, 410])
def test_a_file_that_is_not_there_closes_nothing(site: WebServer, status: int) -> None:
    site.answers = {
        f"{HERE}/robots.txt": answer(CLOSED, status=status),
        f"{HERE}/closed": answer("words"),
    }

    assert polite_guard(site).fetch(URL + "closed").body == b"words"


def test_redirects_without_end_close_nothing(site: WebServer) -> None:
    site.answers = {
        f"{HERE}/robots.txt": redirect("/robots.txt"),
        f"{HERE}/a": answer("words"),
    }

    assert polite_guard(site).fetch(URL + "a").body == b"words"


@pytest.mark.parametrize(
    "fault",
    [
        answer(status=500),
        answer(status=429),
        b"no http\r\n\r\n",
        redirect("http://one.weighed.net/robots.txt"),
        answer(b"\x89PNG\r\n\x1a\n", media_type="image/png"),
    ],
)
def test_a_file_that_could_not_be_read_closes_everything_until_it_can(
    site: WebServer, fault: bytes
) -> None:
    site.answers = {f"{HERE}/robots.txt": fault, f"{HERE}/a": answer("words")}
    time = [0.0]
    polite = polite_guard(site, RobotsPolicy(now=lambda: time[0]))

    refused = refused_by(polite, URL + "a")
    site.answers[f"{HERE}/robots.txt"] = answer(CLOSED)
    again = refused_by(polite, URL + "a")
    time[0] = 301.0

    assert str(refused.reason) == str(again.reason) == "robots"
    assert "could not be read" in refused.detail
    assert polite.fetch(URL + "a").body == b"words"


def test_a_word_is_asked_again_after_a_day(site: WebServer) -> None:
    site.answers = {f"{HERE}/robots.txt": answer(CLOSED), f"{HERE}/closed": answer("x")}
    time = [0.0]
    polite = polite_guard(site, RobotsPolicy(now=lambda: time[0]))
    refused_by(polite, URL + "closed")
    site.answers[f"{HERE}/robots.txt"] = answer("")
    time[0] = 24 * 3600.0 + 1

    assert polite.fetch(URL + "closed").body == b"x"


def test_a_pause_that_the_site_asks_for_is_kept(site: WebServer) -> None:
    site.answers = {
        f"{HERE}/robots.txt": answer("user-agent: *\ncrawl-delay: 5\n"),
        f"{HERE}/a": answer("a"),
        f"{HERE}/b": answer("b"),
    }
    slept: list[float] = []
    pacing = Pacing(now=lambda: sum(slept), sleep=slept.append)
    polite = PoliteGuard(guard_for(site), pacing=pacing, robots=RobotsPolicy())

    polite.fetch(URL + "a")
    polite.fetch(URL + "b")

    assert slept == [5.0]


def test_the_callers_permission_is_asked_of_pages_and_not_of_robots_txt(
    site: WebServer,
) -> None:
    site.answers = {f"{HERE}/robots.txt": answer(CLOSED), f"{HERE}/a": answer("words")}
    asked: list[str] = []

    def permit(url: str) -> bool:
        asked.append(url)
        return url.endswith("/a")

    polite = polite_guard(site)
    with pytest.raises(FetchRefused) as refused:
        polite.fetch(URL + "b", permit=permit)

    assert (str(refused.value.reason), site.seen) == ("permit", [])
    assert polite.fetch(URL + "a", permit=permit).body == b"words"
    assert asked == [URL + "b", URL + "a"]
