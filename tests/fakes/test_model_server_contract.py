"""Every rule of the contract: what it refuses, and the nearest that it accepts."""

import typing
from typing import Any

import pytest
import typing_extensions
from anthropic.types import ContentBlockParam, ToolUnionParam

from tests.fakes.model_client import HELLO, refusal
from tests.fakes.model_server import KEY, Contract, ModelServer, say
from tests.fakes.model_server.contract.shapes import BLOCKS, TOOLS
from tests.fakes.refused_requests import (
    ACCEPTED,
    CALLS,
    NEWER,
    REFUSED,
    SEARCH,
    body,
    said,
    text,
)

OLD = {"anthropic_version": "2023-06-01"}


@pytest.mark.parametrize(("asked", "words"), REFUSED)
def test_what_the_api_refuses_is_refused(asked: dict[str, Any], words: str) -> None:
    assert words in _refusal(asked)


@pytest.mark.parametrize("asked", ACCEPTED)
def test_what_the_api_accepts_is_accepted(asked: dict[str, Any]) -> None:
    assert _refusal(asked) == ""


def test_the_older_version_takes_what_the_newer_refuses() -> None:
    cited = text(citations=[{"type": "web_search_result_location", "url": "x"}])
    for asked in (body(model="claude-opus-4-6", temperature=1.0), said(cited)):
        assert (_refusal(asked, **OLD), _refusal(asked) == "") == ("", False)
    assert "temperature" in _refusal(body(temperature=1.0), **OLD)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("claude-sonnet-4-5", ""),
        ("claude-sonnet-5-5", "does not support assistant message prefill"),
    ],
)
def test_an_older_model_goes_on_with_a_begun_answer(model: str, words: str) -> None:
    begun = [*HELLO, {"role": "assistant", "content": "{"}]
    refused = _refusal(body(model=model, messages=begun))
    assert words in refused
    assert bool(words) == bool(refused)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (body(tools=[NEWER]), "tools.0: Input tag 'web_search_20260209' found"),
        (body(messages=[*HELLO, *HELLO]), 'multiple "user" roles in a row'),
        (body(messages=[CALLS, *HELLO]), 'first message must use the "user" role'),
    ],
)
def test_an_older_gateway_can_be_played(asked: dict[str, Any], words: str) -> None:
    older = Contract(known_tools=("custom", "web_search_20250305"), strict_roles=True)
    server = ModelServer([say("1")], contract=older)
    assert words in refusal(server, asked)
    assert refusal(server, body(tools=[SEARCH])) == ""


@pytest.mark.parametrize(
    ("headers", "status", "words"),
    [
        ({"authorization": ""}, 401, "x-api-key header is required"),
        ({"authorization": "Bearer other"}, 401, "invalid x-api-key"),
        ({"x-api-key": "other"}, 401, "invalid x-api-key"),
        ({"authorization": "", "x-api-key": KEY}, 200, ""),
        ({"anthropic-version": ""}, 400, "anthropic-version: header is required"),
        ({"anthropic-version": "2024-01-01"}, 400, "is not a valid version"),
    ],
)
def test_who_may_ask(headers: dict[str, str], status: int, words: str) -> None:
    usual = {"authorization": f"Bearer {KEY}", "anthropic-version": "2026-10-21"}
    server = ModelServer([say("1")])
    answer = server.handle("POST", "/v1/messages", {**usual, **headers}, body())
    assert answer.status == status
    assert words in answer.body.decode()


def test_a_request_of_more_than_32_mb_is_too_large() -> None:
    large = b'{"model": "' + b"x" * (32 * 1024 * 1024) + b'"}'
    headers = {"x-api-key": KEY, "anthropic-version": "2026-10-21"}
    answer = ModelServer(()).handle("POST", "/v1/messages", headers, large)
    assert (answer.status, answer.json["error"]["type"]) == (413, "request_too_large")


def _refusal(asked: dict[str, Any], **headers: str) -> str:
    return refusal(ModelServer([say("1")]), asked, **headers)


def test_the_keys_of_blocks_are_those_of_the_sdk() -> None:
    ours = {kind: frozenset(keys) for kind, keys in BLOCKS.items()}
    assert ours == dict(_declared(ContentBlockParam))


def test_the_keys_of_tools_are_those_of_the_sdk() -> None:
    declared = dict(_declared(ToolUnionParam))
    toolsets = {"browser_toolset_20260801", "computer_toolset_20260801"}
    assert toolsets == set(declared) - set(TOOLS)
    assert {kind: declared[kind] for kind in TOOLS} == dict(TOOLS)


def _declared(union: Any) -> Any:
    for member in typing.get_args(union):
        hints = typing_extensions.get_type_hints(member)
        yield _names(hints["type"])[0], frozenset(hints)


def _names(hint: Any) -> list[str]:
    found = [arg for arg in typing.get_args(hint) if isinstance(arg, str)]
    return found or [n for arg in typing.get_args(hint) for n in _names(arg)]
