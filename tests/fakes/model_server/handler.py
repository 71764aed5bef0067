"""The server itself, without any transport: a request in, a response out."""

import re
import threading
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime

from tests.fakes.model_server.chat.api import STATS, ChatApi, is_chat
from tests.fakes.model_server.chat.dialects import OPENROUTER, Dialect
from tests.fakes.model_server.clock import Clock
from tests.fakes.model_server.compare import Tolerance, differences
from tests.fakes.model_server.contract import Contract
from tests.fakes.model_server.ledger import Ledger
from tests.fakes.model_server.messages_api import COUNT, MESSAGES, MessagesApi
from tests.fakes.model_server.scenario import Exchange, Scenario, load
from tests.fakes.model_server.script import Script, Source
from tests.fakes.model_server.values import (
    KEY,
    ROUTER_KEY,
    Json,
    Refusal,
    Request,
    Response,
    WireProblem,
    read_request,
)

# What differs from one gateway to the next, in the text of a refusal.
VARYING = re.compile(r"messages\.\d+|expected tags: .*", re.DOTALL)

Api = MessagesApi | ChatApi


class ModelServer:
    """Answers as the API would, and remembers what was wrong.

    seen: every request. problems: what the script or the contract did not allow, in
    words. base_url: of the real server, while it serves.
    """

    def __init__(
        self,
        source: Source,
        *,
        tolerance: Tolerance | None = None,
        contract: Contract | None = None,
        dialect: Dialect = OPENROUTER,
        clock: Callable[[], datetime] | None = None,
        keys: Iterable[str] = (KEY, ROUTER_KEY),
    ) -> None:
        self.script = Script(source)
        self.tolerance = tolerance or Tolerance()
        self.messages = MessagesApi(
            contract or Contract(), tuple(keys), clock or Clock()
        )
        self.chat = ChatApi(dialect, tuple(keys))
        self.seen: list[Request] = []
        self.problems: list[str] = []
        self.base_url = ""
        self._lock = threading.Lock()
        if self.script.scenario and self.script.scenario.after:
            self.presuppose(load(self.script.scenario.after))

    @property
    def ledger(self) -> Ledger:
        """What the Messages API has issued."""
        return self.messages.ledger

    def handle(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes | Json
    ) -> Response:
        """Answer one request; `body` is bytes as sent, or JSON."""
        request = read_request(method, path, headers, body)
        with self._lock:
            self.seen.append(request)
            return self._answer(request)

    def presuppose(self, scenario: Scenario) -> None:
        """Enter all that a scenario issues, as if it had been played before."""
        if scenario.after:
            self.presuppose(load(scenario.after))
        for exchange in scenario.exchanges:
            request = read_request("POST", MESSAGES, {}, exchange.expected["body"])
            if exchange.reply.status == 200:
                self.messages.learn(request.body)
                self.messages.respond(request, exchange.reply)

    def check(self) -> None:
        """Raise WireProblem if anything was wrong, or the script is not used up."""
        problems = list(self.problems)
        if self.script.left:
            problems.append(f"{self.script.left} exchanges of the script were not used")
        if problems:
            raise WireProblem("\n".join(problems))

    def _answer(self, request: Request) -> Response:
        if request.path == STATS:
            return self.chat.stats(request)
        api = self._api(request)
        if api is None:
            return self._unknown(request)
        coming = self.script.coming
        if request.path == COUNT and not _counts(coming):
            return self._count(request)
        refusal = self._refusal(api, request, coming)
        if refusal:
            return self._refuse(api, request, refusal, coming)
        taken = self.script.take(request)
        return self._play(api, request, taken) if taken else self._over(api)

    def _api(self, request: Request) -> Api | None:
        if request.method != "POST":
            return None
        if is_chat(request.path):
            return self.chat
        return self.messages if request.path in (MESSAGES, COUNT) else None

    def _count(self, request: Request) -> Response:
        """A token count needs no script."""
        refusal = self._refusal(self.messages, request, None)
        if refusal:
            return self._refuse(self.messages, request, refusal, None)
        return self.messages.count(request)

    def _refusal(
        self, api: Api, request: Request, coming: Exchange | None
    ) -> Refusal | None:
        refusal = api.key_refusal(request)
        if refusal or (coming and coming.unchecked):
            return refusal
        if coming and coming.expected and coming.reply.status == 200:
            api.learn(coming.expected["body"])
        return api.refusal(request)

    def _refuse(
        self, api: Api, request: Request, refusal: Refusal, coming: Exchange | None
    ) -> Response:
        if coming is None or not self._foreseen(request, refusal, coming):
            self._note(f"refused with {refusal.status}: {refusal.text}")
            return api.refuse(refusal)
        self._compare(request, coming)
        self.script.take(request)
        if coming.reply.refusal is not None:
            return api.refuse(refusal)
        return api.respond(request, coming.reply)

    def _foreseen(self, request: Request, refusal: Refusal, coming: Exchange) -> bool:
        reply = coming.reply
        if reply.refusal is not None:
            return reply.refusal in refusal.text
        if reply.status != refusal.status or not isinstance(reply.body, dict):
            return False
        said = reply.body.get("error", {}).get("message", "")
        if VARYING.sub("", said) == VARYING.sub("", refusal.text):
            return True
        # Not every text is known: the very request of a scenario may be refused in
        # the scenario's words.
        return coming.expected is not None and not self._differences(request, coming)

    def _play(self, api: Api, request: Request, coming: Exchange) -> Response:
        self._compare(request, coming)
        if coming.reply.refusal is not None:
            self._note(f"accepted where this was expected: {coming.reply.refusal}")
            return api.refuse(Refusal(coming.reply.refusal))
        if coming.expected is None and self.tolerance.echo:
            for fault in api.faults(request, coming.reply):
                self._note(fault)
        return api.respond(request, coming.reply)

    def _compare(self, request: Request, coming: Exchange) -> None:
        for difference in self._differences(request, coming):
            self._note(f"differs from {coming.title}: {difference}")

    def _differences(self, request: Request, coming: Exchange) -> list[str]:
        if coming.expected is None:
            return []
        found = differences(coming.expected["body"], request.body, self.tolerance)
        if coming.expected["path"] != request.path:
            found.insert(0, f"the path is {request.path}")
        return found

    def _over(self, api: Api) -> Response:
        self._note("the script is over, nothing is left to answer with")
        over = Refusal("The script of this server is over.")
        return api.refuse(over, **{"x-should-retry": "false"})

    def _unknown(self, request: Request) -> Response:
        self._note(f"nothing is served at {request.method} {request.path}")
        return self.messages.refuse(Refusal("Not found", 404, "not_found_error"))

    def _note(self, what: str) -> None:
        self.problems.append(f"request {len(self.seen)}: {what}")


def _counts(coming: Exchange | None) -> bool:
    return bool(coming and coming.expected and coming.expected["path"] == COUNT)
