"""Any endpoint that speaks the OpenAI chat protocol, as the loop's model.

OpenAICompatibleModel(
    "qwen3", api_key="", base_url=None, preset="ollama", window=32_768
)

It is asked over httpx directly: one request, one answer. The loop alone tries again,
but for a part of the request that the endpoint refuses and that can be left out.
"""

import json
import logging
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing, contextmanager
from decimal import Decimal
from typing import Any, cast

import httpx

from chat.engine import (
    ConfigurationError,
    ErrorKind,
    ModelError,
    ModelProfile,
    ModelReply,
    ModelRequest,
    TextDelta,
    Usage,
)
from chat.providers.error_head import Heard, safe_error
from chat.providers.openai_compatible.address import checked_key, endpoint_url
from chat.providers.openai_compatible.assembly import Assembly
from chat.providers.openai_compatible.errors import (
    body_error,
    failed,
    plain_words,
    request_id_in,
)
from chat.providers.openai_compatible.estimate import largest_usage
from chat.providers.openai_compatible.frames import broken_off, frames
from chat.providers.openai_compatible.presets import Preset, preset_named
from chat.providers.openai_compatible.refusals import refused_part, schema_refused
from chat.providers.openai_compatible.reply import Asked, read_reply, usage_of
from chat.providers.openai_compatible.request import Body
from chat.providers.openai_compatible.routing import Routing
from chat.providers.openai_compatible.search import WebPlugin, WebSearchTool
from chat.providers.openai_compatible.transport import Answer, Endpoint
from chat.providers.price_usage import own_price
from chat.providers.prices import cost

Prices = Callable[[str, Usage], Decimal | None]

logger = logging.getLogger(__name__)


class OpenAICompatibleModel:
    """One model behind one endpoint; safe in several threads and runs at once.

    api_key: sent as a bearer token, empty for none. base_url: up to and with /v1, None
    for the preset's own. preset: a name ("openrouter", "ollama", "vllm", "lm_studio",
    "llama_cpp", "openai"), a Preset, or None for no server in particular. http_client:
    its redirects are not followed; None makes one that ignores the environment. search
    and routing: OpenRouter's. reasoning: the request's `reasoning`, such as
    {"enabled": False}; None is that beside the web plugin, where it has no use, and
    leaves it to the model everywhere else. prices: the price of a usage of a model,
    None for the built-in list; a price that the server names goes first. window and
    max_output: in tokens; Ollama's window must be named, and be what it is run with.
    streams: whether the loop asks for replies in pieces; a model that searches never
    streams. extra: more fields of the request's body.
    """

    def __init__(  # noqa: PLR0913, each is one setting, by name
        self,
        model: str,
        *,
        api_key: str,
        base_url: str | None,
        preset: str | Preset | None = None,
        http_client: httpx.Client | None = None,
        search: WebPlugin | WebSearchTool | None = None,
        routing: Routing | None = None,
        reasoning: Mapping[str, Any] | None = None,
        prices: Prices | None = None,
        window: int | None = None,
        max_output: int | None = None,
        streams: bool = True,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        chosen = preset_named(preset)
        chosen.check_window(window)
        if not model.strip():
            msg = "Name the model that the endpoint is to be asked for."
            raise ConfigurationError(msg)
        self._key = checked_key(api_key)
        self._body = Body(
            model,
            chosen,
            search,
            routing,
            reasoning,
            extra or {},
        )
        self._endpoint = Endpoint(
            endpoint_url(base_url or chosen.base_url),
            {"authorization": f"Bearer {self._key}"} if self._key else {},
            http_client,
        )
        self._prices = prices or cost
        self._refused: frozenset[str] = frozenset()
        self.profile = ModelProfile(
            model, window, max_output, streams=streams and not self._body.may_search
        )

    def complete(self, request: ModelRequest) -> ModelReply:
        """Return the reply; ModelError where there is none."""
        *_, reply = self._replies(request, stream=False)
        return cast("ModelReply", reply)

    def stream(self, request: ModelRequest) -> Iterator[TextDelta | ModelReply]:
        """Yield the text as it comes, then the reply.

        A search on a stream is refused: its sources could be lost in pieces of it.
        """
        if self._body.searches(request):
            msg = "A web search cannot be asked for on a stream; ask without streaming."
            raise ModelError(ErrorKind.INVALID_REQUEST, msg)
        return self._replies(request, stream=True)

    def estimate(self, request: ModelRequest) -> Decimal | None:
        """Return what a request costs at most, None where that is unknown.

        What a search brings, and whether the model asks for one, nobody can say.
        """
        if self._body.searches(request):
            return None
        usage = largest_usage(request, self.profile.max_output)
        if usage is None:
            return None
        prices = [self._prices(each, usage) for each in self._body.models]
        known = [each for each in prices if each is not None]
        return max(known) if len(known) == len(prices) else None

    def price(self, usage: Usage) -> Decimal | None:
        """Return the server's own price, else that of the price list, else None.

        The list has none where it is not known which of several models has answered.
        """
        named = own_price(usage)
        if named is not None:
            return named
        asked, *others = self._body.models
        return None if others else self._prices(asked, usage)

    def close(self) -> None:
        """Close the connections to the endpoint, unless the client was given."""
        self._endpoint.close()

    def _replies(
        self, request: ModelRequest, *, stream: bool
    ) -> Iterator[TextDelta | ModelReply]:
        """Ask, and ask again without each part that the endpoint will not have."""
        notices: tuple[str, ...] = ()
        while True:
            without = self._refused
            asked = self._asked(request, notices)
            body = self._body.build(request, stream=stream, without=without)
            begun = False
            try:
                with closing(self._ask(body, asked, stream=stream)) as pieces:
                    for piece in pieces:
                        begun = True
                        yield piece
            except ModelError as error:
                failure = error
            else:
                return
            told = self._told(failure, request)
            part = refused_part(failure, self._body.refusable(request) - without)
            if part is None or begun:
                raise told
            logger.warning("%s is left out of requests from now on.", part)
            self._refused |= {part}
            notices += (f"without_{part}",)

    def _asked(self, request: ModelRequest, notices: tuple[str, ...]) -> Asked:
        return Asked(
            request,
            self.profile.name,
            searched=self._body.searches_first(request),
            held=self._body.holds_schema(request),
            notices=notices,
        )

    def _ask(
        self, body: Mapping[str, Any], asked: Asked, *, stream: bool
    ) -> Generator[TextDelta | ModelReply, None, None]:
        encoded = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        with (
            self._endpoint.post(encoded, asked.request.timeout_s) as answer,
            _hearing(answer, asked) as heard,
        ):
            if not answer.ok:
                error = body_error(answer.text())
                raise failed(error, answer.status, answer.headers)
            if stream and answer.streams:
                reply = yield from _streamed(answer, asked, heard)
            else:
                completion = _completion(answer)
                heard.counts = completion.get("usage")
                reply = read_reply(completion, asked)
                if stream and reply.text:
                    yield TextDelta(reply.text)
        # The connection is free by now, however long the reply is looked at.
        yield reply

    def _told(self, error: ModelError, request: ModelRequest) -> ModelError:
        """Log the head of an error, and return it with nothing but its head."""
        told = safe_error(error, request, key=self._key)
        if self._body.holds_schema(request) and schema_refused(error):
            told.kind = ErrorKind.UNPARSEABLE
        logger.warning("%s: %s: %s", self.profile.name, told.kind, told.message)
        return told


@contextmanager
def _hearing(answer: Answer, asked: Asked) -> Iterator[Heard]:
    """Add to a failure whose answer it was, and what it had counted by then."""
    heard = Heard(answer.status, request_id_in(answer.headers))
    try:
        yield heard
    except ModelError as error:
        heard.add_to(error, usage_of(heard.counts, asked))
        raise


def _streamed(
    answer: Answer, asked: Asked, heard: Heard
) -> Generator[TextDelta | ModelReply, None, ModelReply]:
    assembly = Assembly()
    for frame in frames(answer.chunks()):
        try:
            text = assembly.take(frame)
        finally:
            heard.counts = assembly.counts
        if text:
            yield TextDelta(text)
    if not assembly.finished:
        raise broken_off()
    return read_reply(assembly.completion(), asked)


def _completion(answer: Answer) -> dict[str, Any]:
    text = answer.text()
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        read = None
    if isinstance(read, dict):
        return read
    words = plain_words(text).strip()
    msg = words if words.startswith("The answer is") else "The answer is no JSON."
    raise ModelError(ErrorKind.UNAVAILABLE, f"{msg} It begins: {text[:100]!r}")
