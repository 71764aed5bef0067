"""`manage.py researchers` and `research --researcher`: who reads, from a shell."""

from typing import Any

import pytest

from chat.models import Provider
from research.models import Case, Run
from tests.factories.accounts import Cast
from tests.factories.chat import offer_local_model, set_policy
from tests.fakes.model_server import KEY, say, wire
from tests.research.commands.calling import Done, call

QUESTION = "How long are access logs kept?"


@pytest.fixture(autouse=True)
def keys(settings: Any) -> None:
    """No key of the person who runs the tests."""
    settings.PROVIDER_KEYS = dict.fromkeys(settings.PROVIDER_KEYS, "")


def table(done: Done) -> dict[str, list[str]]:
    """Its cells by the name that leads each line; every line has all of them."""
    head, *lines = done.out.splitlines()
    starts = [head.index(word) for word in HEADINGS]
    ends = [*starts[1:], None]
    pairs = list(zip(starts, ends, strict=True))
    rows = [[line[start:end].strip() for start, end in pairs] for line in lines]
    return {name: cells for name, *cells in rows}


HEADINGS = ("name", "provider", "model", "sent to", "price", "key", "allowed")


def researchers(*arguments: str) -> dict[str, list[str]]:
    return table(call("researchers", "--organization", "harbour", *arguments))


def test_what_is_missing_is_named_and_what_is_unknown_is_said(cast: Cast) -> None:
    offer_local_model("tide")
    rows = researchers()
    assert rows["extractive"] == ["-", "-", "-", "-", "-", "yes"]
    assert rows["anthropic"] == [
        "Anthropic",
        "claude-sonnet-5-5",
        "Anthropic",
        "known",
        "missing: ANTHROPIC_API_KEY",
        "yes",
    ]
    here = "Ollama at 127.0.0.1:11434"
    assert rows["tide"] == ["Ollama", "tide:8b", here, "unknown", "none", "yes"]


def test_a_key_is_said_to_be_set_and_never_shown(cast: Cast, settings: Any) -> None:
    settings.PROVIDER_KEYS = {**settings.PROVIDER_KEYS, "anthropic": KEY}
    done = call("researchers", "--organization", "harbour")
    assert table(done)["anthropic"][4] == "set"
    assert KEY not in done.out + done.err


def test_what_is_disabled_or_against_the_policy_is_listed_as_such(cast: Cast) -> None:
    offer_local_model("tide")
    offer_local_model("ebb", enabled=False)
    set_policy(cast.organization, allowed_models="anthropic")
    allowed = {name: cells[-1] for name, cells in researchers().items()}
    assert allowed == {
        "extractive": "yes",
        "anthropic": "yes",
        "openrouter": "no: policy",
        "ebb": "no: disabled",
        "tide": "no: policy",
    }


def test_an_organization_that_is_not_there_ends_with_4(cast: Cast) -> None:
    done = call("researchers", "--organization", "nowhere")
    assert (done.code, done.out) == (4, "")


def test_of_several_organizations_one_is_to_be_named(cast: Cast) -> None:
    done = call("researchers")
    assert done.code == 2
    assert "Name one of the organizations" in done.sentence


@pytest.mark.parametrize("name", ["nobody", ""])
def test_a_run_by_nobody_known_ends_with_2_and_leaves_nothing(
    cast: Cast, name: str
) -> None:
    arguments = ("--organization", "harbour", "pkg:pypi/bleach", "--researcher", name)
    done = call("research", *arguments)
    assert (done.code, done.out) == (2, "")
    assert done.sentence.startswith("research: There is no researcher")
    assert not Case.objects.exists()


def test_a_language_model_reads_in_the_command_s_own_process(
    cast: Cast, document: Any, settings: Any
) -> None:
    settings.PROVIDER_KEYS = {**settings.PROVIDER_KEYS, "anthropic": KEY}
    logs = document("logs.md", b"Access logs are kept for 30 days.\n")
    with wire([say("I leave all of it unanswered.")]) as server:
        offer_local_model(
            "reader",
            provider=Provider.ANTHROPIC,
            model="claude-haiku-5-5",
            base_url=server.base_url,
            window=None,
        )
        asked = ("--question", QUESTION, "--document", logs)
        chosen = ("--researcher", "reader", "--organization", "harbour")
        done = call("research", *chosen, *asked)
    assert "By reader, a language model: claude-haiku-5-5 answered" in done.out
    assert Run.objects.get().researcher == "reader"
