"""Allowed and blocked places: set by who makes the backend, and blocking wins."""

import pytest

from chat.web.search import SearchMisconfigured
from chat.web.search.domain_rules import DomainRules, registrable_domain
from chat.web.search.public_urls import public_url
from tests.fakes.search_server import searching
from tests.fakes.search_server.recording import FIRST, SECOND


def admits(rules: DomainRules, url: str) -> bool:
    read = public_url(url)
    assert read is not None
    return rules.admits(read)


@pytest.mark.row("B17")
@pytest.mark.parametrize(
    ("url", "admitted"),
    [
        ("https://weighed.org/", True),
        ("http://docs.weighed.org/a", True),
        ("https://WEIGHED.org./", True),
        ("https://notweighed.org/", False),
        ("https://weighed.org.evil.net/", False),
        ("https://evil.net/weighed.org", False),
        ("https://github.com/acme", True),
        ("https://github.com/acme/tool?tab=1", True),
        ("https://github.com/acme-evil/tool", False),
        ("https://github.com/acme/../evil", False),
        ("https://github.com/acme/%2e%2e/evil", False),
        ("https://github.com/acme%2f..%2fevil", False),
        ("https://github.com/ACME/tool", False),
    ],
)
def test_an_allowed_place_has_its_domain_and_its_path(url: str, admitted: bool) -> None:
    assert admits(DomainRules(["weighed.org", "github.com/acme"]), url) is admitted


@pytest.mark.row("B17")
@pytest.mark.parametrize(
    "url",
    [
        "https://weighed.org/ads",
        "https://www.weighed.org/ads/1",
        "https://weighed.org/Ads/1",
        "https://weighed.org/%61ds/1",
        "https://weighed.org//ads/1",
        "https://weighed.org/x/../ads",
        "https://weighed.org/x%2f..%2fads/",
        "https://shop.weighed.org/",
        "https://a.shop.weighed.org/",
    ],
)
def test_what_is_blocked_is_blocked_though_it_is_allowed(url: str) -> None:
    rules = DomainRules(["weighed.org"], ["weighed.org/ads", "shop.weighed.org"])
    assert not admits(rules, url)
    assert admits(rules, "https://weighed.org/adsense")


def test_whole_suffixes_can_be_blocked_and_not_allowed() -> None:
    assert not admits(DomainRules(block=["zip"]), "https://report.zip/")
    assert not admits(DomainRules(block=["github.io"]), "https://acme.github.io/")
    for suffix in ("org", "co.uk", "github.io", "madeuptld"):
        with pytest.raises(SearchMisconfigured, match="public suffix"):
            DomainRules([suffix])


@pytest.mark.parametrize(
    "place",
    [
        "",
        "https://weighed.org",
        "*.weighed.org",
        "weighed.org:8443",
        "ada@weighed.org",
        "weighed.org/a?b=1",
        "weighed.org#part",
        "two words.org",
        "localhost",
        "10.0.0.7",
        "/path",
    ],
)
def test_what_is_no_place_is_refused(place: str) -> None:
    for rules in ({"allow": [place]}, {"block": [place]}):
        with pytest.raises(SearchMisconfigured):
            DomainRules(**rules)


def test_one_text_is_no_list() -> None:
    with pytest.raises(SearchMisconfigured, match="list"):
        DomainRules("weighed.org")


def test_addresses_and_names_in_other_scripts_are_places() -> None:
    rules = DomainRules(["93.184.216.34", "[2606:4700::1111]", "bücher.example.net"])
    for url in (
        "https://93.184.216.34/x",
        "https://[2606:4700:0::1111]/",
        "https://xn--bcher-kva.example.net/",
    ):
        assert admits(rules, url)
    assert not admits(rules, "https://93.184.216.35/")


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("a.b.weighed.org", "weighed.org"),
        ("www.weighed.co.uk", "weighed.co.uk"),
        ("acme.github.io", "acme.github.io"),
        ("www.city.kawasaki.jp", "city.kawasaki.jp"),
        ("co.uk", None),
        ("93.184.216.34", None),
        ("2606:4700::1111", None),
    ],
)
def test_the_registered_part_of_a_host_is_read_from_the_list(
    host: str, domain: str | None
) -> None:
    assert registrable_domain(host) == domain


def test_results_are_filtered_and_more_are_asked_for_to_make_up() -> None:
    with searching("brave", block=["docs.python.org"]) as (search, server):
        assert [each.url for each in search.search("python", 2)] == [FIRST]
        assert server.asked["count"] == "10"
    with searching("brave", allow=["docs.python.org/3"]) as (search, _):
        assert [each.url for each in search.search("python", 2)] == [SECOND]
