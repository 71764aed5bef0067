"""Anthropic's models over the Messages API: one request and its reply at a time.

This package is the only importer of the SDK, which is used for transport alone, with
its retries off: the engine's loop asks again, runs the tools and continues paused
turns.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from json import JSONDecodeError
from typing import Any, TypeVar

import anthropic
import httpx2

from chat.engine import (
    ConfigurationError,
    ModelError,
    ModelProfile,
    ModelReply,
    ModelRequest,
    TextDelta,
    Usage,
)
from chat.providers.anthropic.caching import TTL
from chat.providers.anthropic.costs import Prices, bound, listed_price
from chat.providers.anthropic.errors import api_text, no_message, read_error
from chat.providers.anthropic.fallbacks import Fallbacks
from chat.providers.anthropic.reply import read_reply
from chat.providers.anthropic.request import Draft, Manner, draft
from chat.providers.anthropic.sizes import size_of
from chat.providers.anthropic.stream import Assembler
from chat.providers.anthropic.tools import first
from chat.providers.anthropic.transport import Transport, Whole, request_id
from chat.providers.error_head import Heard, safe_error
from chat.providers.own_results import Readers
from chat.providers.price_usage import additive_usage, own_price
from chat.providers.server_search import ServerSearch

# The last three are what an answer can cause that is no JSON, or too deep.
FAILURES = (
    anthropic.APIError,
    httpx2.HTTPError,
    ConfigurationError,
    ModelError,
    JSONDecodeError,
    UnicodeDecodeError,
    RecursionError,
)

_log = logging.getLogger(__name__)
A = TypeVar("A")


def _now() -> datetime:
    return datetime.now(UTC)


class AnthropicModel:
    """A model of Anthropic's; one object may serve several runs and threads at once.

    api_key: the only credential; nothing is read from the environment or a profile.
    base_url: of the API or of a gateway that speaks it. http_client: in place of an own
    one, for instance behind a proxy; whoever made it closes it. search: the provider's
    own web search, for trusted code to choose. prices: the price of a usage of a model,
    None where unknown. stream: whether the loop asks for replies in pieces. cache: how
    long prompts are cached, None not at all. thinking, effort: as the API takes them.
    cited_tools: tools of the product's own whose results are given to be cited. clock:
    the time, with a zone.
    """

    def __init__(  # noqa: PLR0913, each by its name
        self,
        model: str,
        *,
        api_key: str,
        base_url: str | None = None,
        http_client: httpx2.Client | None = None,
        search: ServerSearch | None = None,
        prices: Prices = listed_price,
        stream: bool = True,
        cache: TTL | None = "5m",
        thinking: Mapping[str, Any] | None = None,
        effort: str | None = None,
        cited_tools: Readers | None = None,
        clock: Callable[[], datetime] = _now,
    ) -> None:
        size = size_of(model)
        window, max_output = size or (None, None)
        self._profile = ModelProfile(model, window, max_output, streams=stream)
        self._manner = Manner(
            model, max_output, cache, thinking, effort, cited_tools or {}
        )
        self._transport = Transport(api_key, base_url, http_client)
        self._fallbacks = Fallbacks(search)
        self._prices = prices
        self._clock = clock

    @property
    def profile(self) -> ModelProfile:
        """Window and longest reply, as far as they are known."""
        return self._profile

    def complete(self, request: ModelRequest) -> ModelReply:
        """Send one request and wait for the whole reply; raises ModelError."""
        with self._failures(request) as heard:
            answer, sent = self._send(request, self._transport.whole)
            heard.status, heard.request_id = 200, answer.request_id
            message = _message(answer)
            heard.counts = message.get("usage")
            return self._reply(request, sent, message)

    def stream(self, request: ModelRequest) -> Iterator[TextDelta | ModelReply]:
        """Send one request; yield its text as it is written, then the whole reply."""
        with self._failures(request) as heard:
            events, sent = self._send(request, self._transport.events)
            heard.status, heard.request_id = 200, request_id(events.response)
            assembler = Assembler()
            with events:
                for event in events:
                    text = assembler.take(event)
                    heard.counts = assembler.counts
                    if text:
                        yield TextDelta(text)
            yield self._reply(request, sent, assembler.message())

    def estimate(self, request: ModelRequest) -> Decimal | None:
        """Return the most that the request may cost, None where no price is known."""
        return self.price(bound(request, self._manner, self._search(request)))

    def price(self, usage: Usage) -> Decimal | None:
        """Return the price of a usage, None where it is not known.

        A refusal before a word was written costs nothing.
        """
        named = own_price(usage)
        return self._prices(self._manner.model, usage) if named is None else named

    def close(self) -> None:
        """Close the connections of an own client."""
        self._transport.close()

    def _send(
        self, request: ModelRequest, ask: Callable[[dict[str, Any], float | None], A]
    ) -> tuple[A, Draft]:
        """Ask, with less of the server's search each time that the API refuses it."""
        while True:
            search = self._search(request)
            sent = draft(request, self._manner, search, self._clock())
            try:
                return ask(sent.body, request.timeout_s), sent
            except anthropic.BadRequestError as error:
                if not self._fallbacks.step_down(sent.search, api_text(error)):
                    raise

    def _search(self, request: ModelRequest) -> ServerSearch | None:
        return self._fallbacks.search(one_call=request.disable_parallel_tool_use)

    def _reply(
        self, request: ModelRequest, sent: Draft, message: Mapping[str, Any]
    ) -> ModelReply:
        """Read the message, and say what was done otherwise than asked: what is new,
        and at the beginning of a run what is known already."""
        reply = read_reply(message, sent.prompt, native=sent.native)
        begins = first(request)
        words = self._fallbacks.to_say(anew=begins)
        removed = [f"tool_removed_{name}" for name in sent.removed if begins]
        return replace(reply, notices=(*words, *removed, *reply.notices))

    @contextmanager
    def _failures(self, request: ModelRequest) -> Iterator[Heard]:
        """Turn what goes wrong into a ModelError, and log its head."""
        heard = Heard()
        try:
            yield heard
        except FAILURES as error:
            failed = read_error(error, self._clock())
            # The API bills nothing that it ends with an error of its own.
            declared = isinstance(error, anthropic.APIStatusError)
            used = None if declared else additive_usage(heard.counts)
            heard.add_to(failed, used)
            told = safe_error(failed, request, key=self._transport.key)
            _log.warning("%s: %s", self._manner.model, told.message)
            raise told from error


def _message(answer: Whole) -> Mapping[str, Any]:
    said = answer.said
    if isinstance(said, dict) and isinstance(said.get("content"), list):
        return said
    raise no_message(said, answer.request_id)
