"""One request to a search backend over the guarded client, and what its answer means.

A status that says why there is no answer becomes an error of its own kind.
"""

import json
import re
from collections.abc import Iterable
from typing import Any

from chat.web.guard import FetchLimits, FetchRefused, Guard, Page, Policy
from chat.web.search.errors import (
    SearchError,
    SearchLimited,
    SearchRefused,
    SearchUnavailable,
)
from chat.web.search.one_line import one_line
from chat.web.search.waiting import seconds_to_wait

# The answers that say what is wrong are read; an API that redirects is not followed.
POLICY = Policy(any_status=True)
LIMITS = FetchLimits(deadline_s=15.0, max_redirects=0, max_body_bytes=1024 * 1024)

_REFUSED = frozenset((401, 403, 407))
_LIMITED = frozenset((402, 429, 432, 433))
_MESSAGE_CHARS = 200
# Some say with another status that a key is wrong or that nothing is left on it.
_SPENT = re.compile(
    r"(?i)\bcredits\b|usage.?limit|(?:rate|daily).?limit|quota.{0,40}exceed"
    r"|exceed.{0,40}quota"
)
_KEY = re.compile(r"(?i)api.?key|unauthori[sz]ed|subscription.?token|credential")
_NAMES = ("message", "detail", "error", "code", "status", "reason")

Header = tuple[str, str]


def search_guard() -> Guard:
    """The client that backends use unless they are given one."""
    return Guard(policy=POLICY, limits=LIMITS)


class Asker:
    """Asks one backend; safe to share between threads.

    ``name`` is the backend's in messages. ``guard``: made with POLICY and LIMITS, or a
    policy of the operator's that also gives back any status. ``secret`` is taken out of
    every message, should the backend repeat it.
    """

    def __init__(self, name: str, guard: Guard | None = None, secret: str = "") -> None:
        self.name = name
        self._guard = guard or search_guard()
        self._secret = secret

    def page(
        self,
        url: str,
        *,
        method: str = "GET",
        headers: Iterable[Header] = (),
        body: bytes | None = None,
    ) -> Page:
        """Send one request and return its answer of any status; SearchUnavailable."""
        try:
            page = self._guard.fetch(url, method=method, headers=headers, body=body)
        except FetchRefused as refused:
            msg = f"{self.name} could not be asked: {refused}"
            raise SearchUnavailable(self._told(msg)) from refused
        if page.body_truncated:
            raise SearchUnavailable(f"{self.name} sent more than is read.")
        return page

    def json(
        self,
        url: str,
        *,
        method: str = "GET",
        headers: Iterable[Header] = (),
        body: object = None,
    ) -> dict[str, Any]:
        """Send one request and return the JSON object of its answer; SearchError."""
        sent = [("Accept", "application/json"), *headers]
        content = None
        if body is not None:
            sent.append(("Content-Type", "application/json"))
            content = json.dumps(body).encode()
        return self.read(self.page(url, method=method, headers=sent, body=content))

    def read(self, page: Page) -> dict[str, Any]:
        """The JSON object of a good answer; a SearchError says what is wrong else."""
        self.check(page)
        answer = _json(page.body)
        if not isinstance(answer, dict):
            raise self.unreadable("no JSON object")
        return answer

    def check(self, page: Page) -> None:
        """Raise the SearchError of an answer that is none."""
        if page.status not in {200, 203}:
            raise self._failure(page)

    def unreadable(self, why: str) -> SearchUnavailable:
        """An answer that is not what the backend documents."""
        return SearchUnavailable(f"{self.name} answered what cannot be read: {why}.")

    def _failure(self, page: Page) -> SearchError:
        said = _message(_json(page.body))
        msg = self._told(f"{self.name} answered {page.status}. {said}".strip())
        of_request = 400 <= page.status < 500
        if page.status in _LIMITED or (of_request and _SPENT.search(said)):
            return SearchLimited(msg, seconds_to_wait(page.headers))
        if page.status in _REFUSED or (of_request and _KEY.search(said)):
            return SearchRefused(msg)
        return SearchUnavailable(msg)

    def _told(self, message: str) -> str:
        return message.replace(self._secret, "***") if self._secret else message


def _json(body: bytes) -> object:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _message(answer: object) -> str:
    """What an error says of itself, wherever in the answer it stands."""
    found = list(_said(answer, depth=4))
    return one_line(" ".join(dict.fromkeys(found)), _MESSAGE_CHARS)


def _said(value: object, depth: int) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict) and depth:
        for name in _NAMES:
            yield from _said(value.get(name), depth - 1)
    elif isinstance(value, list) and depth:
        for each in value[:3]:
            yield from _said(each, depth - 1)
