"""The provider's own web search in whole runs: which of its requests carry it."""

from typing import Any

import pytest

from chat.engine import (
    AgentResult,
    ClosingReserve,
    Limits,
    ModelReplied,
    RunFinished,
    StopReason,
    Task,
    Tool,
    ToolResult,
    run,
)
from chat.providers.server_search import BASIC, CODE, ServerSearch
from tests.chat.providers.anthropic.wire import PATH, read_file, talking
from tests.fakes.model_server import ModelServer, Reply, call, say
from tests.fakes.model_server.replies import cited, hit, search
from tests.fakes.model_server.script import Source

NEWER = "web_search_20260209"
URL = "https://alpha.example.org/p"
SCHEMA = {
    "type": "object",
    "properties": {"metres": {"type": "number"}},
    "required": ["metres"],
    "additionalProperties": False,
}
ANSWER = say('{"metres": 4}')
BOTH = pytest.mark.parametrize("streams", [False, True])


class Ran:
    """A run over the wire, and which of its requests carried a search."""

    def __init__(
        self, script: Source, *tools: Tool, schema: Any = None, **options: Any
    ) -> None:
        limits = options.pop("limits", Limits())
        task = Task("How high?", output_schema=schema)
        with talking(script, **options) as (model, server):
            self.events = list(run(model, task, tools, limits=limits))
        self._server: ModelServer = server

    @property
    def result(self) -> AgentResult:
        last = self.events[-1]
        assert isinstance(last, RunFinished)
        return last.result

    @property
    def bodies(self) -> list[Any]:
        return [each.body for each in self._server.seen]

    @property
    def searches(self) -> list[Any]:
        """The version of the search in each request, None where it has none."""
        return [_version(body) for body in self.bodies]

    @property
    def notices(self) -> list[tuple[str, ...]]:
        replies = (e.reply for e in self.events if isinstance(e, ModelReplied))
        return [reply.notices for reply in replies]


def _version(body: Any) -> str | None:
    tools = body.get("tools", [])
    return next((tool["type"] for tool in tools if "type" in tool), None)


def reads(*names: str) -> Reply:
    return say("Reading. ", *(call("read_file", path=name) for name in names))


# Of the 100,000 tokens of its run it leaves no more than a last turn needs.
DEAR = say(
    *search("tides", hit(URL)),
    call("read_file", path="a"),
    usage={"input_tokens": 95_000, "output_tokens": 10},
)
RESERVE = ClosingReserve(tokens=50_000)
STOPS = [
    (StopReason.ITERATION_LIMIT, [reads("a")], {"iterations": 1}),
    (StopReason.TOOL_BUDGET, [reads("a"), reads("b")], {"tool_calls": 1}),
    (StopReason.TOKEN_BUDGET, [DEAR], {"tokens": 100_000, "closing_reserve": RESERVE}),
    (StopReason.PAUSE_LIMIT, [say("Hm. ", stop="pause_turn")], {"pauses": 0}),
    (StopReason.TOOLS_UNAVAILABLE, [say(call("no_such_tool"))], {"error_rounds": 1}),
]


@pytest.mark.row("A1")
@BOTH
@pytest.mark.parametrize("schema", [None, SCHEMA], ids=["prose", "schema"])
@pytest.mark.parametrize(
    ("stop", "script", "limits"), STOPS, ids=[stop for stop, *_ in STOPS]
)
def test_the_last_turn_after_a_stop_never_carries_the_search(
    stop: StopReason, script: list[Reply], limits: Any, schema: Any, streams: bool
) -> None:
    ran = Ran(
        [*script, ANSWER],
        read_file(),
        schema=schema,
        limits=Limits(**limits),
        search=ServerSearch(),
        stream=streams,
    )
    assert stop in (ran.result.stop, *ran.result.secondary)
    assert ran.result.answer_source == ("finalizer" if schema else "closing")
    assert ran.searches == [*[BASIC] * len(script), None]
    assert ran.bodies[-1]["tool_choice"] == {"type": "none"}


@pytest.mark.row("A1")
@BOTH
@pytest.mark.parametrize("tools", [(), (read_file(),)], ids=["alone", "with tools"])
def test_the_finalizer_of_a_structured_answer_never_carries_the_search(
    tools: tuple[Tool, ...], streams: bool
) -> None:
    found = say(*search("tides", hit(URL)), cited("It is 4 m.", URL))
    options: Any = {"search": ServerSearch(), "stream": streams}
    ran = Ran([found, ANSWER], *tools, schema=SCHEMA, **options)
    assert (ran.result.schema_valid, ran.result.answer_source) == (True, "finalizer")
    assert ran.searches == [BASIC, None]


@pytest.mark.row("A1")
@pytest.mark.parametrize("schema", [None, SCHEMA], ids=["prose", "schema"])
@pytest.mark.parametrize("tools", [(), (read_file(),)], ids=["alone", "with tools"])
def test_a_run_whose_model_was_given_no_search_never_has_one(
    tools: tuple[Tool, ...], schema: Any
) -> None:
    # Such as a judge, an extraction or a title: trusted code hands them none.
    script = [reads("a")] if tools else []
    limits = Limits(iterations=1) if tools else Limits()
    ran = Ran([*script, ANSWER], *tools, schema=schema, limits=limits, search=None)
    assert ran.result.output == '{"metres": 4}'
    assert "web_search" not in str(ran.bodies)


@pytest.mark.row("A2")
@BOTH
def test_an_own_tool_gives_way_once_with_a_line_in_the_log_and_one_in_the_report(
    streams: bool, caplog: pytest.LogCaptureFixture
) -> None:
    ran_own: list[Any] = []

    def never(arguments: Any) -> ToolResult:
        ran_own.append(arguments)
        return ToolResult("not this")

    own = Tool("web_search", "Searches.", PATH, never)
    found = say(*search("tides", hit(URL)), call("read_file", path="a"))
    script = [found, say(cited("4 m", URL))]
    options: Any = {"search": ServerSearch(), "stream": streams}
    ran = Ran(script, own, read_file(), **options)
    assert (ran.result.output, ran_own) == ("4 m", [])
    for body in ran.bodies:
        names = [tool["name"] for tool in body["tools"]]
        assert (names.count("web_search"), _version(body)) == (1, BASIC)
    lines = [each.message for each in caplog.records if "give way" in each.message]
    assert lines == ["Tools give way to the provider's own: web_search."]
    assert ran.notices == [("tool_removed_web_search",), ()]
    assert ran.result.report.counters.fallbacks == 1


@pytest.mark.row("A2")
def test_an_own_tool_that_gave_way_does_not_come_back_in_the_last_turn() -> None:
    own = read_file(name="web_search")
    script = [say(*search("tides", hit(URL)), call("read_file", path="a")), say("4 m")]
    limits = Limits(iterations=1)
    ran = Ran(script, own, read_file(), limits=limits, search=ServerSearch())
    # There it would take the name of a tool that the conversation has used.
    names = [tool["name"] for tool in ran.bodies[1]["tools"]]
    assert "read_file" in names
    assert "web_search" not in names


@pytest.mark.row("A2")
def test_the_name_of_the_tool_that_runs_code_is_the_servers_too() -> None:
    own = read_file(name=CODE)
    filtering = ServerSearch(version=NEWER, dynamic_filtering=True)
    ran = Ran([say("4 m")], own, read_file(), search=filtering)
    assert CODE not in [tool["name"] for tool in ran.bodies[0]["tools"]]
    assert ran.notices == [(f"tool_removed_{CODE}",)]


def files() -> tuple[Tool, list[str]]:
    """A tool that reads three files, and what it was asked for."""
    texts = {"a": "One is 4 m.", "b": "Two is 4 m.", "c": "Three is 4 m."}
    asked: list[str] = []

    def call_(arguments: Any) -> ToolResult:
        asked.append(arguments["path"])
        return ToolResult(texts[arguments["path"]])

    return Tool("read_file", "Reads a file.", PATH, call_), asked


@pytest.mark.row("A11")
@BOTH
@pytest.mark.parametrize("version", [BASIC, NEWER])
@pytest.mark.parametrize("stopgap", [False, True], ids=["parallel", "stopgap"])
def test_three_files_take_one_turn_or_three_and_give_the_same_answer(
    stopgap: bool, version: str, streams: bool
) -> None:
    def answer(request: Any) -> Reply:
        """Read what is not read yet, one file or all, as the request allows."""
        choice = request.body.get("tool_choice", {})
        read = [b["input"]["path"] for b in _blocks(request.body, "tool_use")]
        left = [name for name in "abc" if name not in read]
        if choice.get("disable_parallel_tool_use"):
            left = left[:1]
        if left:
            return reads(*left)
        texts = [b["content"] for b in _blocks(request.body, "tool_result")]
        return say(" ".join(texts))

    tool, asked = files()
    ran = Ran(
        answer,
        tool,
        limits=Limits(disable_parallel_tool_use=stopgap),
        search=ServerSearch(version=version),
        stream=streams,
    )
    assert ran.result.output == "One is 4 m. Two is 4 m. Three is 4 m."
    assert sorted(asked) == ["a", "b", "c"]
    turns = 4 if stopgap else 2
    assert ran.result.report.counters.iterations == len(ran.bodies) == turns
    # The version that goes with the switch, whatever is configured.
    assert ran.searches == [BASIC if stopgap else version] * turns
    assert ran.result.report.counters.fallbacks == 0


def _blocks(body: Any, kind: str) -> list[Any]:
    return [
        block
        for message in body["messages"]
        for block in message["content"]
        if block["type"] == kind
    ]
