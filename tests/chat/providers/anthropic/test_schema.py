"""Answers in a schema that the API holds the model to."""

from typing import Any

import pytest
from pydantic import BaseModel, Field

from chat.engine import (
    ConfigurationError,
    ErrorKind,
    ModelError,
    Task,
    execute,
)
from chat.engine.structured import contract_for
from chat.providers.anthropic.schema import closed_schema
from chat.providers.server_search import ServerSearch
from tests.chat.providers.anthropic.wire import ask, read_file, talking
from tests.fakes.model_server import call, say
from tests.fakes.model_server.replies import cited, hit, search


class Source(BaseModel):
    url: str = Field(min_length=1, pattern="^https")
    year: int | None = Field(default=None, ge=1900, le=2100)


class Answer(BaseModel):
    title: str
    score: float = Field(gt=0, multiple_of=0.5)
    sources: list[Source] = Field(max_length=3)


class Tree(BaseModel):
    name: str
    parts: list["Tree"] = []


class Mapped(BaseModel):
    counts: dict[str, int]


class Loose(BaseModel):
    anything: dict[str, Any]


GOOD = '{"title": "Reef", "score": 7, "sources": [{"url": "https://a", "year": null}]}'
TITLE = {"type": "object", "properties": {"title": {"type": "string"}}}
CLOSED = TITLE | {"required": ["title"], "additionalProperties": False}


def schema_of(model: Any) -> dict[str, Any]:
    contract = contract_for(model)
    assert contract is not None
    return contract.json_schema


def objects(schema: Any) -> list[dict[str, Any]]:
    if isinstance(schema, list):
        return [each for part in schema for each in objects(part)]
    if not isinstance(schema, dict):
        return []
    own = [schema] if schema.get("type") == "object" else []
    return own + [each for part in schema.values() for each in objects(part)]


@pytest.mark.row("B18")
def test_every_object_is_closed_at_any_depth() -> None:
    closed = closed_schema(schema_of(Answer))
    assert closed is not None
    assert len(objects(closed)) == 2
    assert all(each["additionalProperties"] is False for each in objects(closed))


@pytest.mark.row("B18")
def test_what_the_api_does_not_take_is_told_in_words() -> None:
    closed = closed_schema(schema_of(Answer))
    assert closed is not None
    score = closed["properties"]["score"]
    assert score.keys() == {"type", "title", "description"}
    assert '"exclusiveMinimum": 0' in score["description"]
    words = str(closed)
    for keyword in ("maxItems", "pattern", "minLength", "maximum"):
        assert f"'{keyword}':" not in words
        assert keyword in words


@pytest.mark.row("B18")
@pytest.mark.parametrize("model", [Mapped, Loose, dict[str, int]])
def test_a_map_is_refused_and_not_silently_emptied(model: Any) -> None:
    with pytest.raises(ConfigurationError, match="a map at"):
        closed_schema(schema_of(model))


@pytest.mark.row("B18")
def test_a_run_with_a_map_says_what_is_wrong_with_it() -> None:
    with talking([]) as (model, _):
        result = execute(model, Task("x", output_schema=Mapped))
    assert result.stop == "error"
    assert r"$.counts" in result.detail


@pytest.mark.parametrize(
    "schema",
    [
        schema_of(Tree),
        schema_of(list[Source]),
        {"type": "object", "properties": {"a": {"$ref": "#/properties/b"}}},
        CLOSED | {"properties": {"title": {"prefixItems": [{"type": "string"}]}}},
        CLOSED | {"properties": {"title": False}},
    ],
    ids=["recursion", "list", "reference", "tuple", "nothing"],
)
def test_what_the_api_cannot_hold_is_left_to_the_loop(schema: Any) -> None:
    assert closed_schema(schema) is None


def test_alternatives_and_definitions_are_kept() -> None:
    text = {"type": "string", "format": "date", "minItems": 1}
    schema = CLOSED | {"properties": {"title": {"oneOf": [text, {"type": "null"}]}}}
    closed = closed_schema(schema)
    assert closed is not None
    assert closed["properties"]["title"]["anyOf"] == [text, {"type": "null"}]


def test_the_schema_itself_is_not_changed() -> None:
    schema = schema_of(Answer)
    before = repr(schema)
    closed_schema(schema)
    assert repr(schema) == before


@pytest.mark.row("B18")
@pytest.mark.parametrize("streams", [False, True])
def test_an_answer_in_the_schema_is_parsed_by_the_provider(streams: bool) -> None:
    with talking([say(GOOD)], stream=streams) as (model, server):
        result = execute(model, Task("x", output_schema=Answer))
    assert isinstance(result.parsed, Answer)
    assert result.stop == "structured_output"
    assert server.seen[0].body["output_config"]["format"]["type"] == "json_schema"


def test_an_answer_that_is_no_json_is_unparseable() -> None:
    with (
        talking([say("Sure!")]) as (model, _),
        pytest.raises(ModelError) as raised,
    ):
        model.complete(ask(output_schema=CLOSED))
    assert raised.value.kind is ErrorKind.UNPARSEABLE


def test_a_cut_answer_is_cut_and_not_unparseable() -> None:
    with talking([say('{"title":"Re', stop="max_tokens")]) as (model, _):
        reply = model.complete(ask(output_schema=CLOSED))
    assert (reply.text, reply.parsed) == ('{"title":"Re', None)


def test_a_turn_with_calls_is_no_answer() -> None:
    with talking([say("Let me see.", call("read_file", path="a"))]) as (model, _):
        reply = model.complete(ask(output_schema=CLOSED, tools=(read_file(),)))
    assert reply.parsed is None


def test_a_search_goes_before_a_schema() -> None:
    with talking([say("{}")], search=ServerSearch()) as (model, server):
        model.complete(ask(output_schema=CLOSED))
    assert "output_config" not in server.seen[0].body


def test_a_last_turn_over_cited_messages_has_no_schema_either() -> None:
    url = "https://a.example"
    script = [say(*search("a", hit(url)), cited("Reef", url)), say('{"title": "a"}')]
    with talking(script, search=ServerSearch()) as (model, server):
        result = execute(model, Task("x", output_schema=CLOSED))
    assert result.parsed == {"title": "a"}
    assert "output_config" not in server.seen[1].body
