"""The server itself, without any transport: a request in, a response out."""

import re
import threading
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime

from tests.fakes.model_server.clock import Clock
from tests.fakes.model_server.compare import Tolerance, differences
from tests.fakes.model_server.contract import Contract
from tests.fakes.model_server.keys import refused_key
from tests.fakes.model_server.ledger import Ledger
from tests.fakes.model_server.render import refuse, response_to
from tests.fakes.model_server.replies import Reply
from tests.fakes.model_server.scenario import Exchange, Scenario, load
from tests.fakes.model_server.script import Script, Source
from tests.fakes.model_server.tokens import count_tokens
from tests.fakes.model_server.values import (
    KEY,
    ROUTER_KEY,
    Json,
    Refusal,
    Request,
    Response,
    WireProblem,
    as_json,
    read_request,
)

MESSAGES, COUNT = "/v1/messages", "/v1/messages/count_tokens"
# What differs from one run, or one place, to the next.
VARYING = re.compile(r"messages\.\d+|expected tags: .*", re.S)


class ModelServer:
    """Answers as the API would, and remembers what was wrong.

    seen: every request. problems: what the script or the contract did not allow, in
    words. ledger: what was issued. base_url: of the real server, while it serves.
    """

    def __init__(
        self,
        source: Source,
        *,
        tolerance: Tolerance | None = None,
        contract: Contract | None = None,
        clock: Callable[[], datetime] | None = None,
        keys: Iterable[str] = (KEY, ROUTER_KEY),
    ) -> None:
        self.script = Script(source)
        self.tolerance = tolerance or Tolerance()
        self.contract = contract or Contract()
        self.clock = clock or Clock()
        self.keys = tuple(keys)
        self.ledger = Ledger()
        self.seen: list[Request] = []
        self.problems: list[str] = []
        self.base_url = ""
        self._lock = threading.Lock()
        if self.script.scenario and self.script.scenario.after:
            self.presuppose(load(self.script.scenario.after))

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
            body = exchange.expected["body"]
            if exchange.reply.status == 200:
                self.ledger.learn(body)
                request = read_request("POST", MESSAGES, {}, body)
                self._issue(request, response_to(request, exchange.reply)[1])

    def check(self) -> None:
        """Raise WireProblem if anything was wrong, or the script is not used up."""
        problems = list(self.problems)
        if self.script.left:
            problems.append(f"{self.script.left} exchanges of the script were not used")
        if problems:
            raise WireProblem("\n".join(problems))

    def _answer(self, request: Request) -> Response:
        if request.path not in (MESSAGES, COUNT) or request.method != "POST":
            return self._unknown(request)
        coming = self.script.coming(request)
        if request.path == COUNT and not _counts(coming):
            coming = None
        refusal = self._refusal(request, coming)
        if refusal:
            return self._refuse(request, refusal, coming)
        if coming is None and request.path == COUNT:
            return as_json(200, {"input_tokens": count_tokens(request.body)}, {})
        if coming is None:
            return self._over(request)
        return self._play(request, coming)

    def _refusal(self, request: Request, coming: Exchange | None) -> Refusal | None:
        refusal = refused_key(request, self.keys)
        if refusal or (coming and coming.unchecked):
            return refusal
        if coming and coming.expected and coming.reply.status == 200:
            self.ledger.learn(coming.expected["body"])
        return self.contract.refusal(request, self.ledger, self.clock())

    def _refuse(
        self, request: Request, refusal: Refusal, coming: Exchange | None
    ) -> Response:
        if coming and _foresees(coming.reply, refusal):
            self._compare(request, coming)
            self.script.advance()
            if coming.reply.refusal is None:
                return response_to(request, coming.reply)[0]
        else:
            self._note(f"refused with {refusal.status}: {refusal.text}")
        return refuse(refusal)

    def _play(self, request: Request, coming: Exchange) -> Response:
        self._compare(request, coming)
        self.script.advance()
        if coming.reply.refusal is not None:
            self._note(
                f"accepted, where a refusal was expected: {coming.reply.refusal}"
            )
            return refuse(Refusal(coming.reply.refusal))
        response, message = response_to(request, coming.reply)
        self._issue(request, message)
        return response

    def _issue(self, request: Request, message: Json) -> None:
        if message is not None and "content" in message:
            self.ledger.issue(request.body, message)

    def _compare(self, request: Request, coming: Exchange) -> None:
        if coming.expected is None:
            return
        found = differences(coming.expected["body"], request.body, self.tolerance)
        if coming.expected["path"] != request.path:
            found.insert(0, f"the path is {request.path}")
        for difference in found:
            self._note(f"differs from {coming.title}: {difference}")

    def _over(self, request: Request) -> Response:
        self._note("the script is over, nothing is left to answer with")
        over = Refusal("The script of this server is over.")
        return refuse(over, **{"x-should-retry": "false"})

    def _unknown(self, request: Request) -> Response:
        self._note(f"nothing is served at {request.method} {request.path}")
        return refuse(Refusal("Not found", 404, "not_found_error"))

    def _note(self, what: str) -> None:
        self.problems.append(f"request {len(self.seen)}: {what}")


def _counts(coming: Exchange | None) -> bool:
    return bool(coming and coming.expected and coming.expected["path"] == COUNT)


def _foresees(reply: Reply, refusal: Refusal) -> bool:
    if reply.refusal is not None:
        return reply.refusal in refusal.text
    if reply.status != refusal.status or not isinstance(reply.body, dict):
        return False
    said = reply.body.get("error", {}).get("message", "")
    return VARYING.sub("", said) == VARYING.sub("", refusal.text)
