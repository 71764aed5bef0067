"""What the server will say, in order: from a scenario, a list, or a function."""

from collections.abc import Callable, Iterable
from pathlib import Path

from tests.fakes.model_server.replies import Reply
from tests.fakes.model_server.scenario import Exchange, Scenario, load
from tests.fakes.model_server.values import Request

Answer = Callable[[Request], Reply | None]
Source = str | Path | Scenario | Iterable[Reply | Exchange] | Answer


class Script:
    """Exchanges to come. A function is asked for each; None means that it is over.

    A function is asked only for requests that the contract accepts.
    """

    def __init__(self, source: Source) -> None:
        self.scenario: Scenario | None = None
        self._answer: Answer | None = None
        self._exchanges: list[Exchange] = []
        self.done = 0
        if callable(source):
            self._answer = source
        elif isinstance(source, str | Path | Scenario):
            self.scenario = source if isinstance(source, Scenario) else load(source)
            self._exchanges = list(self.scenario.exchanges)
        else:
            self._exchanges = [
                item if isinstance(item, Exchange) else Exchange(item)
                for item in source
            ]

    @property
    def coming(self) -> Exchange | None:
        """The exchange that the next request should be; a function is not asked."""
        return self._exchanges[self.done] if self.left else None

    def take(self, request: Request) -> Exchange | None:
        """Use up the coming exchange; a function is asked for one."""
        if self._answer is not None:
            reply = self._answer(request)
            return None if reply is None else Exchange(reply)
        coming = self.coming
        self.done += coming is not None
        return coming

    @property
    def left(self) -> int:
        """How many exchanges are not used up; of a function none."""
        return len(self._exchanges) - self.done if self._answer is None else 0
