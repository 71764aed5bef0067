"""The guarded fetch: the only way from this product to a page on the web."""

import copy
import hashlib
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime

import httpcore

from chat.web.guard.charset import declared_charset
from chat.web.guard.clock import Deadline
from chat.web.guard.content import actual_type, declared_type
from chat.web.guard.exchange import (
    Header,
    Request,
    answer,
    checked_headers,
    kept_headers,
    location,
    pieces,
    values,
)
from chat.web.guard.identity import user_agent
from chat.web.guard.journey import Journey, Permit
from chat.web.guard.page import Page
from chat.web.guard.policy import FetchLimits, Policy
from chat.web.guard.refusal import FetchRefused, Reason
from chat.web.guard.resolving import Dial, Resolver, system_dial, system_resolver
from chat.web.guard.transport import GuardedBackend, tls_context
from chat.web.guard.unpacking import collect
from chat.web.guard.urls import CheckedUrl, check_url, next_url

EVIDENCE = frozenset((200, 203))
_REDIRECTS = frozenset((301, 302, 303, 307, 308))


class Guard:
    """Fetches pages from public addresses only; safe to share between threads.

    ``resolver`` and ``dial`` are the two ways to the network, replaceable for tests;
    every address is checked between them. ``ca_file`` replaces the usual authorities.
    ``contact``, an https or mail address, is told to every server; ValueError else.
    """

    def __init__(
        self,
        *,
        resolver: Resolver = system_resolver,
        dial: Dial = system_dial,
        ca_file: str | None = None,
        policy: Policy | None = None,
        limits: FetchLimits | None = None,
        contact: str = "",
    ) -> None:
        self._resolver = resolver
        self._dial = dial
        self._context = tls_context(ca_file)
        self.policy = policy or Policy()
        self.limits = limits or FetchLimits()
        self._user_agent = user_agent(contact)

    def changed(
        self, *, policy: Policy | None = None, limits: FetchLimits | None = None
    ) -> "Guard":
        """Return a guard over the same ways with another policy or other limits."""
        other = copy.copy(self)
        other.policy = policy or self.policy
        other.limits = limits or self.limits
        return other

    def fetch(
        self,
        url: str,
        *,
        permit: Permit | None = None,
        method: str = "GET",
        headers: Iterable[Header] = (),
        body: bytes | None = None,
    ) -> Page:
        """Fetch a page, following redirects; raises FetchRefused.

        ``permit`` is asked about the canonical address of every hop. Given headers go
        to the first host only, and a request with a body is never redirected.
        """
        given = checked_headers(method, headers)
        request = Request(method, given, body, self._user_agent)
        journey = Journey(url, permit, Deadline(self.limits.deadline_s))
        try:
            return self._travel(journey, request)
        except FetchRefused as refused:
            refused.touched_network = journey.touched_network
            raise

    def _travel(self, journey: Journey, request: Request) -> Page:
        current = check_url(journey.url, self.policy)
        while True:
            journey.admit(current)
            found = self._hop(journey, current, request)
            if isinstance(found, Page):
                return found
            if len(journey.hops) > self.limits.max_redirects:
                raise FetchRefused(Reason.REDIRECT_LIMIT)
            if found.authority != current.authority:
                request = replace(request, headers=(), body=None)
            current = found

    def _hop(
        self, journey: Journey, current: CheckedUrl, request: Request
    ) -> Page | CheckedUrl:
        """Send one request; return the page, or the address it redirects to."""
        backend = GuardedBackend(
            current,
            resolver=self._resolver,
            dial=self._dial,
            policy=self.policy,
            limits=self.limits,
            deadline=journey.deadline,
        )
        # A pool of its own for each hop: no connection outlives the check it rests on.
        pool = httpcore.ConnectionPool(
            ssl_context=self._context,
            max_connections=1,
            max_keepalive_connections=0,
            retries=0,
            network_backend=backend,
        )
        journey.depart()
        with pool, answer(pool, current, request) as response:
            if backend.stream is None:
                raise FetchRefused(Reason.CONNECT)
            backend.stream.begin_body()
            if response.status in _REDIRECTS:
                found = self._redirect(current, request, response)
                journey.arrive(current, response.status, backend.peer)
                return found
            return self._page(journey, current, response, backend)

    def _redirect(
        self, current: CheckedUrl, request: Request, response: httpcore.Response
    ) -> CheckedUrl:
        if request.method != "GET":
            raise FetchRefused(Reason.REDIRECT_METHOD)
        return next_url(current, location(response), self.policy)

    def _page(
        self,
        journey: Journey,
        current: CheckedUrl,
        response: httpcore.Response,
        backend: GuardedBackend,
    ) -> Page:
        if response.status not in EVIDENCE and not self.policy.any_status:
            raise FetchRefused(Reason.STATUS, f"It answered {response.status}.")
        declared = declared_type(values(response, b"content-type"), self.policy)
        coding = ", ".join(values(response, b"content-encoding"))
        body, truncated = collect(pieces(response), coding, self.limits.max_body_bytes)
        media_type = actual_type(declared, body, self.policy)
        journey.arrive(current, response.status, backend.peer)
        return Page(
            url=journey.url,
            final_url=current.url,
            status=response.status,
            media_type=media_type,
            charset=declared.charset,
            headers=kept_headers(response),
            body=body,
            hops=tuple(journey.hops),
            body_truncated=truncated,
            sniffed=declared.media_type is None,
            peer=backend.peer,
            fetched_at=datetime.now(UTC),
            sha256=hashlib.sha256(body).hexdigest(),
            length_unknown=backend.ended_unsaid,
            decided_charset=declared_charset(body, media_type, declared.charset),
        )
