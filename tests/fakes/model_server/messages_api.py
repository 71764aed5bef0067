"""The Messages API: who may ask, what is refused, and how a reply is sent."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from tests.fakes.model_server.caching import Cache
from tests.fakes.model_server.contract import Contract
from tests.fakes.model_server.echo import lost
from tests.fakes.model_server.keys import refused_key
from tests.fakes.model_server.ledger import Ledger
from tests.fakes.model_server.models import MODELS, NEW
from tests.fakes.model_server.plausible import doubts
from tests.fakes.model_server.render import refuse, response_to
from tests.fakes.model_server.replies import Reply
from tests.fakes.model_server.tokens import count_tokens
from tests.fakes.model_server.values import Json, Refusal, Request, Response, as_json

MESSAGES, COUNT = "/v1/messages", "/v1/messages/count_tokens"


@dataclass
class MessagesApi:
    """Holds what was issued, and the prompt cache."""

    contract: Contract
    keys: tuple[str, ...]
    clock: Callable[[], datetime]
    ledger: Ledger = field(default_factory=Ledger)
    cache: Cache = field(default_factory=Cache)

    def key_refusal(self, request: Request) -> Refusal | None:
        """Why the caller is not let in."""
        return refused_key(request, self.keys)

    def refusal(self, request: Request) -> Refusal | None:
        """Why a request is refused, None where it is accepted."""
        return self.contract.refusal(request, self.ledger, self.clock())

    def learn(self, expected: Json) -> None:
        """Take what a scenario's request holds as issued earlier."""
        self.ledger.learn(expected)

    def refuse(self, refusal: Refusal, **headers: str) -> Response:
        """The API's own error."""
        return refuse(refusal, **headers)

    def respond(self, request: Request, reply: Reply) -> Response:
        """Send a reply of the script; what it issues is remembered."""
        response, message = response_to(request, reply, self._input(request.body))
        if message is not None and "content" in message:
            self.ledger.issue(request.body, message)
        return response

    def faults(self, request: Request, reply: Reply) -> list[str]:
        """What is wrong beside the contract, where there is no scenario to compare."""
        found = list(lost(request.body, self.ledger.issued))
        if isinstance(reply.body, dict) and "content" in reply.body:
            found += doubts(request.body, reply.body)
        return found

    def count(self, request: Request) -> Response:
        """The answer to count_tokens."""
        return as_json(200, {"input_tokens": count_tokens(request.body)}, {})

    def _input(self, body: Json) -> Json:
        traits = MODELS.get(body["model"], NEW)
        return self.cache.account(body, traits.cache_minimum, self.clock())
