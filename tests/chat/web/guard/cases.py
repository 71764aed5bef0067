"""The cases of tests/data/guard/cases.json, each played against a scripted server."""

import json
from pathlib import Path
from typing import Any

from chat.web.guard import FetchLimits, Guard, Page
from tests.fakes.web_server import PUBLIC_IP, WebServer, authority_file

Case = dict[str, Any]

_FILE = Path(__file__).parents[3] / "data" / "guard" / "cases.json"


def cases(*kinds: str) -> list[Case]:
    """The cases of these kinds, in the order of the file."""
    every: list[Case] = json.loads(_FILE.read_text(encoding="utf-8"))
    return [case for case in every if case["kind"] in kinds]


def case_id(case: Case) -> str:
    return str(case["id"])


def scripted(case: Case) -> WebServer:
    """The server that a case describes; hosts that it does not name are unknown."""
    given = case["input"]
    return WebServer(
        answers=given["server"],
        tls=given.get("tls", {}),
        names={host: [PUBLIC_IP] for host in _hosts(given)} | given.get("dns", {}),
        name_sequences=given.get("dns_sequence", {}),
    )


def fetched(case: Case, server: WebServer) -> Page:
    """Fetch what the case asks for.

    The time that it may take is given to the guard as its deadline, so that a fetch
    that takes longer is refused, and the test need not look at a clock.
    """
    longest = case.get("flags", {}).get("max_s", FetchLimits().deadline_s)
    limits = FetchLimits(deadline_s=case.get("deadline_s", longest))
    guard = Guard(
        resolver=server.resolve,
        dial=server.dial,
        ca_file=authority_file(),
        limits=limits,
    )
    return guard.fetch(case["input"]["url"])


def _hosts(given: Case) -> set[str]:
    return {where.partition("/")[0] for where in given["server"]}
