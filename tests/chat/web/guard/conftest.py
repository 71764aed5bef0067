"""A web site on loopback, and a guard that can reach nothing else."""

from collections.abc import Callable, Iterator

import pytest

from chat.web.guard import FetchLimits, FetchRefused, Guard, Page, Policy
from tests.fakes.web_server import WebServer, authority_file, serving

Fetch = Callable[..., Page]


@pytest.fixture
def site() -> Iterator[WebServer]:
    with serving(WebServer()) as server:
        yield server


def guard_for(
    server: WebServer,
    *,
    policy: Policy | None = None,
    limits: FetchLimits | None = None,
    contact: str = "",
) -> Guard:
    return Guard(
        resolver=server.resolve,
        dial=server.dial,
        ca_file=authority_file(),
        policy=policy,
        limits=limits,
        contact=contact,
    )


def refusal_of(guard: Guard, url: str, **options: object) -> str:
    """The reason word of a fetch that has to be refused."""
    with pytest.raises(FetchRefused) as refused:
        guard.fetch(url, **options)  # type: ignore[arg-type]
    return str(refused.value.reason)
