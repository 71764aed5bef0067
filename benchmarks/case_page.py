"""Queries of the case page with 500 citations: the ceiling is 20."""

import time
from collections.abc import Callable
from typing import Any

from benchmarks.installation import install

CITATIONS = 500


def main() -> None:
    install()
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from tests.factories.accounts import enable, make_cast
    from tests.factories.research import make_evidence

    cast = make_cast()
    enable(cast.organization, "mcp_approval", "mcp_research")
    lines = [f"Sentence number {n} of the archived page." for n in range(CITATIONS)]
    few = _page(cast, make_evidence, lines[:5], "few")
    many = _page(cast, make_evidence, lines, "many")
    client = Client(HTTP_HOST="127.0.0.1")
    client.force_login(cast.ben)
    figures = {}
    for name, path in (("few", few), ("many", many)):
        client.get(path)
        with CaptureQueriesContext(connection) as queries:
            begin = time.perf_counter()
            response = client.get(path)
            figures[name] = (len(queries), time.perf_counter() - begin)
        assert response.status_code == 200, response.status_code
    print(
        f"case_page: {CITATIONS} citations in {figures['many'][0]} queries"
        f" (5 citations: {figures['few'][0]}),"
        f" {figures['many'][1] / figures['few'][1]:.1f} times the time of 5 citations"
    )


def _page(
    cast: Any, make_evidence: Callable[..., Any], lines: list[str], key: str
) -> str:
    rows = make_evidence(
        cast.organization,
        cast.ben,
        text="\n".join(lines),
        answers=[("licence", "What licence is it under?", lines)],
        case_fields={"subject_key": f"pkg:pypi/{key}"},
    )
    return f"/o/{cast.organization.slug}/cases/{rows.case.public_id}/"


if __name__ == "__main__":
    main()
