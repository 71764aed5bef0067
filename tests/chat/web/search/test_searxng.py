"""An own SearXNG: at its own port, and at a private address by the operator's word."""

from ipaddress import ip_network

import pytest

from chat.web.guard import Policy
from chat.web.search import SearchUnavailable, backend
from tests.fakes.search_server import RECORDED, SearchServer, guard_of

RESULTS = [each[1] for each in RECORDED["searxng"].results]
PRIVATE = ip_network("10.0.0.0/24")


def test_what_some_engines_found_is_a_result_though_others_failed() -> None:
    server = SearchServer("searxng", RECORDED["searxng"].good)
    try:
        search = backend(
            "searxng", url="https://searx.weighed.org", guard=guard_of(server)
        )
        assert [each.url for each in search.search("python")] == RESULTS
        assert server.asked == {"q": "python", "format": "json"}
        assert server.seen[0].start_line.startswith("POST /search ")
    finally:
        server.close()


@pytest.mark.parametrize("allowed", [True, False])
def test_a_private_address_needs_the_operator_s_network(allowed: bool) -> None:
    server = SearchServer("searxng", RECORDED["searxng"].good)
    server.names["searx.weighed.org"] = ["10.0.0.7"]
    networks = (PRIVATE,) if allowed else ()
    policy = Policy(any_status=True, allow=networks)
    try:
        search = backend(
            "searxng",
            url="https://searx.weighed.org",
            networks=networks,
            guard=guard_of(server, policy),
        )
        if allowed:
            assert [each.url for each in search.search("python")] == RESULTS
        else:
            with pytest.raises(SearchUnavailable):
                search.search("python")
        assert bool(server.seen) is allowed
    finally:
        server.close()


@pytest.mark.parametrize(
    "url",
    [
        "https://searx.weighed.org:8443/sub/",
        "https://searx.weighed.org:8443/sub/search",
        "https://searx.weighed.org:8443/sub",
    ],
)
def test_its_own_port_and_path_are_used(url: str) -> None:
    server = SearchServer("searxng", RECORDED["searxng"].good)
    where = "searx.weighed.org:8443/sub/search"
    server.answers[where] = RECORDED["searxng"].good
    server.names["searx.weighed.org"] = ["93.184.216.34"]
    policy = Policy(any_status=True, ports=frozenset((8443,)))
    try:
        search = backend("searxng", url=url, guard=guard_of(server, policy))
        assert len(search.search("python")) == 2
        assert server.dialled[-1][1] == 8443
    finally:
        server.close()
