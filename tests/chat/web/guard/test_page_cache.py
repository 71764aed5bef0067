"""No page is fetched twice in a run, and one of an earlier run only if it changed."""

import threading
from collections.abc import Iterable

import pytest

from chat.web.guard import (
    FetchRefused,
    Guard,
    Pacing,
    Page,
    PageCache,
    Policy,
    PoliteGuard,
)
from tests.chat.web.guard.conftest import guard_for
from tests.fakes.web_server import WebServer, answer, redirect

pytestmark = pytest.mark.row("C3")

HERE = "one.weighed.net"
URL = f"https://{HERE}/"


def polite_guard(
    site: WebServer, cache: PageCache | None = None, guard: Guard | None = None
) -> PoliteGuard:
    pacing = Pacing(spacing_s=0)
    return PoliteGuard(guard or guard_for(site), pacing=pacing, cache=cache)


def reason_of(polite: PoliteGuard, url: str = URL, **options: object) -> str:
    with pytest.raises(FetchRefused) as refused:
        polite.fetch(url, **options)  # type: ignore[arg-type]
    return str(refused.value.reason)


def earlier_page(site: WebServer, *headers: str, path: str = "") -> Page:
    site.answers[f"{HERE}/{path}"] = answer("the words", *headers)
    page = guard_for(site).fetch(URL + path)
    site.seen.clear()
    return page


def recalling(site: WebServer, page: Page) -> PoliteGuard:
    cache = PageCache()
    cache.recall(page)
    return polite_guard(site, cache)


def test_the_same_page_is_fetched_once_however_its_address_is_written(
    site: WebServer,
) -> None:
    site.answers[f"{HERE}/a"] = answer("words")
    polite = polite_guard(site)

    first = polite.fetch(URL + "a")
    again = polite.fetch("https://ONE.weighed.net:443/b/../a#part")

    assert again.body is first.body
    assert again.url == "https://ONE.weighed.net:443/b/../a#part"
    assert (again.hops, again.fetched_at) == (first.hops, first.fetched_at)
    assert len(site.seen) == 1


def test_a_page_is_known_under_every_address_on_its_way(site: WebServer) -> None:
    site.answers = {
        f"{HERE}/": redirect("/b"),
        f"{HERE}/b": redirect("https://two.weighed.net/c"),
        "two.weighed.net/c": answer("there"),
    }
    polite = polite_guard(site)

    first = polite.fetch(URL)
    last = polite.fetch("https://two.weighed.net/c")
    middle = polite.fetch(URL + "b")

    assert len(site.seen) == 3
    assert (last.url, last.hops) == ("https://two.weighed.net/c", first.hops[2:])
    assert (middle.body, middle.hops) == (b"there", first.hops[1:])


def test_what_was_refused_is_asked_for_again(site: WebServer) -> None:
    site.answers[f"{HERE}/"] = answer(status=500)
    polite = polite_guard(site)
    assert reason_of(polite) == "status"
    site.answers[f"{HERE}/"] = answer("words")

    assert polite.fetch(URL).body == b"words"


def test_permission_is_asked_about_every_hop_of_a_kept_page(site: WebServer) -> None:
    site.answers = {
        f"{HERE}/": redirect("https://two.weighed.net/"),
        "two.weighed.net/": answer("there"),
    }
    polite = polite_guard(site)
    polite.fetch(URL)

    assert reason_of(polite, permit=lambda url: url == URL) == "permit"
    assert polite.fetch(URL, permit=lambda _: True).body == b"there"


def test_a_page_for_one_caller_is_not_given_to_another(site: WebServer) -> None:
    site.answers[f"{HERE}/"] = answer("Ada's own")
    polite = polite_guard(site)
    headers = [("Authorization", "Bearer ada")]
    polite.fetch(URL, headers=headers)
    site.answers[f"{HERE}/"] = answer("for all")

    assert polite.fetch(URL).body == b"for all"
    assert polite.fetch(URL, headers=headers).body == b"Ada's own"
    assert len(site.seen) == 2


def test_beyond_another_host_a_page_was_fetched_without_the_callers_headers(
    site: WebServer,
) -> None:
    site.answers = {
        f"{HERE}/": redirect("/b"),
        f"{HERE}/b": redirect("https://two.weighed.net/"),
        "two.weighed.net/": answer("for all"),
    }
    polite = polite_guard(site)
    polite.fetch(URL, headers=[("Authorization", "Bearer ada")])

    polite.fetch("https://two.weighed.net/")
    assert len(site.seen) == 3
    polite.fetch(URL + "b")
    assert len(site.seen) == 5


def test_what_is_sent_with_a_body_is_sent_each_time(site: WebServer) -> None:
    site.answers[f"{HERE}/"] = answer("{}")
    polite = polite_guard(site)

    for _ in range(2):
        polite.fetch(URL, method="POST", body=b"q")

    assert [seen.body for seen in site.seen] == [b"q", b"q"]


def test_of_two_who_ask_at_once_one_fetches(site: WebServer) -> None:
    asked, let_go = threading.Event(), threading.Event()

    def slow() -> Iterable[bytes]:
        asked.set()
        let_go.wait(60)
        yield answer("words")

    site.answers[f"{HERE}/"] = slow
    polite = polite_guard(site)
    bodies: list[bytes] = []
    both = [
        threading.Thread(target=lambda: bodies.append(polite.fetch(URL).body))
        for _ in range(2)
    ]

    for thread in both:
        thread.start()
    assert asked.wait(60)
    let_go.set()
    for thread in both:
        thread.join()

    assert (bodies, len(site.seen)) == ([b"words"] * 2, 1)


def test_who_cannot_wait_for_another_is_refused() -> None:
    cache = PageCache()
    key = (URL, ())

    with cache.claimed(key, 60.0):
        with pytest.raises(FetchRefused, match="already"), cache.claimed(key, 0.0):
            pass
        with cache.claimed((URL + "other", ()), 0.0):
            pass
    with cache.claimed(key, 0.0):
        pass


def test_a_page_of_an_earlier_run_is_confirmed_and_not_sent_again(
    site: WebServer,
) -> None:
    told = 'ETag: "a1"', "Last-Modified: Tue, 01 Dec 2026 06:00:00 GMT"
    page = earlier_page(site, *told, "X-Kept: yes")
    polite = recalling(site, page)
    site.answers[f"{HERE}/"] = answer("", 'ETag: W/"a1"', "X-Other: no", status=304)

    confirmed = polite.fetch(URL)

    sent = site.seen[0].headers
    assert sent["if-none-match"] == '"a1"'
    assert sent["if-modified-since"] == "Tue, 01 Dec 2026 06:00:00 GMT"
    assert (confirmed.status, confirmed.body) == (200, b"the words")
    assert confirmed.sha256 == page.sha256
    assert [hop.status for hop in confirmed.hops] == [304]
    assert confirmed.fetched_at > page.fetched_at
    assert confirmed.headers["etag"] == 'W/"a1"'
    assert confirmed.headers["content-type"] == page.headers["content-type"]
    assert "x-other" not in confirmed.headers
    polite.fetch(URL)
    assert len(site.seen) == 1


def test_a_page_that_changed_since_is_fetched_anew(site: WebServer) -> None:
    polite = recalling(site, earlier_page(site, 'ETag: "a1"'))
    site.answers[f"{HERE}/"] = answer("other words", 'ETag: "a2"')

    assert polite.fetch(URL).body == b"other words"
    assert polite.fetch(URL).body == b"other words"
    assert len(site.seen) == 1


def test_a_page_without_validators_is_fetched_anew(site: WebServer) -> None:
    polite = recalling(site, earlier_page(site))

    assert polite.fetch(URL).body == b"the words"
    assert not {"if-none-match", "if-modified-since"} & set(site.seen[0].headers)


@pytest.mark.parametrize("known", [True, False])
def test_unchanged_is_no_answer_to_one_who_did_not_ask(
    site: WebServer, known: bool
) -> None:
    page = earlier_page(site)
    site.answers[f"{HERE}/"] = answer("", status=304)

    assert reason_of(recalling(site, page) if known else polite_guard(site)) == "status"


def test_unchanged_of_another_address_confirms_nothing(site: WebServer) -> None:
    polite = recalling(site, earlier_page(site, 'ETag: "a1"'))
    site.answers[f"{HERE}/"] = redirect("/elsewhere")
    site.answers[f"{HERE}/elsewhere"] = answer("", status=304)

    assert reason_of(polite) == "status"


def test_a_callers_own_condition_is_answered_to_the_caller(site: WebServer) -> None:
    page = earlier_page(site, 'ETag: "a1"')
    headers = [("If-None-Match", '"mine"')]
    cache = PageCache()
    cache.recall(page, headers)
    site.answers[f"{HERE}/"] = answer("", status=304)

    assert reason_of(polite_guard(site, cache), headers=headers) == "status"
    assert site.seen[0].headers["if-none-match"] == '"mine"'


def test_a_caller_who_reads_errors_gets_them_and_they_are_not_kept(
    site: WebServer,
) -> None:
    site.answers[f"{HERE}/"] = answer("what is wrong", status=404)
    guard = guard_for(site, policy=Policy(any_status=True))
    polite = polite_guard(site, guard=guard)

    assert [polite.fetch(URL).status for _ in range(2)] == [404, 404]
    assert len(site.seen) == 2


def test_the_pages_used_longest_ago_make_room(site: WebServer) -> None:
    for path in "abc":
        site.answers[f"{HERE}/{path}"] = answer(path * 10)
    for cache in (PageCache(max_entries=2), PageCache(max_bytes=25)):
        site.seen.clear()
        polite = polite_guard(site, cache)

        for path in "abacab":
            polite.fetch(URL + path)

        asked = "".join(seen.start_line.split()[1][1:] for seen in site.seen)
        assert asked == "abcb"


def test_a_page_larger_than_the_cache_is_not_kept(site: WebServer) -> None:
    site.answers[f"{HERE}/"] = answer("x" * 100)
    site.answers[f"{HERE}/small"] = answer("x")
    polite = polite_guard(site, PageCache(max_bytes=50))
    polite.fetch(URL + "small")

    for _ in range(2):
        polite.fetch(URL)

    polite.fetch(URL + "small")
    assert len(site.seen) == 3


def test_a_redirected_page_takes_its_room_once(site: WebServer) -> None:
    site.answers = {f"{HERE}/": redirect("/b"), f"{HERE}/b": answer("x" * 30)}
    polite = polite_guard(site, PageCache(max_bytes=50))

    for _ in range(2):
        polite.fetch(URL)

    assert len(site.seen) == 2
