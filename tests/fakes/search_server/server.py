"""The scripted TLS server in front of one backend."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

from chat.web.guard import Guard, Policy
from chat.web.search import SearchBackend, backend
from chat.web.search.asking import LIMITS, POLICY
from tests.fakes.search_server.recorded import RECORDED
from tests.fakes.web_server import WebServer, authority_file


class _ByPath(dict[str, Any]):
    """Answers whatever stands behind the question mark."""

    def get(self, key: str, default: Any = None) -> Any:
        return super().get(key.partition("?")[0], default)


class SearchServer(WebServer):
    """One backend: ``says`` is what it answers next and from then on."""

    def __init__(self, name: str, says: bytes) -> None:
        super().__init__(answers=_ByPath({RECORDED[name].where: says}))
        self._where = RECORDED[name].where

    def says(self, answer: bytes) -> None:
        self.answers[self._where] = answer

    @property
    def asked(self) -> dict[str, Any]:
        """The parameters of the last request, wherever they stood."""
        last = self.seen[-1]
        if last.headers.get("content-type") == "application/json":
            read: dict[str, Any] = json.loads(last.body)
            return read
        sent = last.body.decode() or urlsplit(last.start_line.split(" ")[1]).query
        return {name: values[0] for name, values in parse_qs(sent).items()}


def guard_of(server: WebServer, policy: Policy = POLICY) -> Guard:
    """A guard that can reach this server and nothing else."""
    return Guard(
        resolver=server.resolve,
        dial=server.dial,
        ca_file=authority_file(),
        policy=policy,
        limits=LIMITS,
    )


@contextmanager
def searching(
    name: str, says: bytes | None = None, **options: Any
) -> Iterator[tuple[SearchBackend, SearchServer]]:
    """A backend and the server that it asks, which answers well unless told else."""
    recorded = RECORDED[name]
    server = SearchServer(name, recorded.good if says is None else says)
    try:
        guard = guard_of(server)
        yield backend(name, **{**recorded.options, "guard": guard, **options}), server
    finally:
        server.close()
