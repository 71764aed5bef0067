"""A language model as the researcher: whole runs over a real socket."""

import json
from decimal import Decimal
from typing import Any

import pytest

from accounts.actor import Actor
from accounts.errors import BadInput
from accounts.models import AuditEntry, KeyType, UsageRecord
from research.evidence import load_evidence
from research.models import Case, Grade, QuestionOutcome, Run
from research.queries import evidence_digest
from research.services.journal import broken_link
from research.services.researchers import (
    check_researcher,
    is_language_model,
    offered_researchers,
)
from research.states import RunStatus
from tests.factories.accounts import Cast
from tests.factories.chat import change_settings, offer_model, set_policy
from tests.fakes.model_server import ModelServer, call, failure, say, wire
from tests.fakes.model_server.chat.dialects import VLLM
from tests.fakes.model_server.chat.replies import chat, tool
from tests.research.services.language_model import (
    ABSENT,
    CITE,
    KEYS,
    NAME,
    READ,
    URI,
    Killed,
    ask,
    execute,
    fall_silent,
    killer,
    offered,
    researching,
    world,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _keys(settings: Any) -> None:
    settings.PROVIDER_KEYS = dict(KEYS)


@pytest.fixture
def cast() -> Cast:
    return world()


@pytest.fixture
def ben(cast: Cast) -> Actor:
    return cast.actor(cast.ben)


def search_versions(server: ModelServer) -> list[str]:
    """The search tool of each request, "" for none."""
    tools = [request.body.get("tools", []) for request in server.seen]
    return [
        "".join(t.get("type", "") for t in each if t["name"] == "web_search")
        for each in tools
    ]


@pytest.mark.row("A3")
def test_a_model_searches_reads_cites_and_notes_an_absence(ben: Actor) -> None:
    with offered(researching(on_the_web=True)) as server:
        run = execute(ask(ben))
    evidence = load_evidence(run.dossier)
    assert (run.status, run.stop_reason) == (RunStatus.COMPLETED, "completed")
    (citation,) = evidence.citations
    assert (citation.grade, citation.snapshot.uri) == (Grade.EXACT, URI)
    outcomes = {question.key: question.outcome for question in evidence.questions}
    assert outcomes["licence"] == QuestionOutcome.ANSWERED
    assert outcomes["security_contact"] == QuestionOutcome.SEARCHED_NOT_FOUND
    assert outcomes["advisories"] == QuestionOutcome.NOT_CHECKED
    assert set(search_versions(server)) == {"web_search_20250305"}
    assert all(request.streamed for request in server.seen)
    assert broken_link(run) is None


def test_each_call_is_recorded_to_the_cent_on_the_platforms_key(
    ben: Actor, cast: Cast
) -> None:
    with offered(researching(on_the_web=True)):
        run = execute(ask(ben))
    records = UsageRecord.objects.for_organization(cast.organization)
    assert [record.cost for record in records] == [Decimal("0.026")] * 4
    assert {record.key_type for record in records} == {KeyType.PLATFORM}
    assert {record.model for record in records} == {"claude-sonnet-5-5"}
    assert {record.subject_ref for record in records} == {run.public_id}
    assert Decimal(json.loads(run.report)["cost"]) == Decimal("0.104")


@pytest.mark.django_db(transaction=True)
def test_a_run_killed_at_any_event_asks_for_nothing_twice() -> None:
    cast = world()
    ben = cast.actor(cast.ben)
    with offered(researching()):
        reference = execute(ask(ben))
    wanted = evidence_digest(reference.dossier)
    for cut in range(1, reference.events.count() - 1):
        # A request that is repeated would be one more than the script has.
        with offered(researching()):
            run = ask(ben)
            with pytest.raises(Killed):
                execute(run, on_event=killer(cut))
            fall_silent(run)
            execute(run)
        assert run.status == RunStatus.COMPLETED, cut
        assert evidence_digest(run.dossier) == wanted, cut
        assert broken_link(run) is None
        paid = UsageRecord.objects.filter(subject_ref=run.public_id)
        assert paid.count() == 4, cut


@pytest.mark.row("A1")
def test_a_search_version_changed_between_two_runs_is_sent_in_the_second(
    ben: Actor,
) -> None:
    with offered(researching()) as server:
        execute(ask(ben))
    assert set(search_versions(server)) == {"web_search_20250305"}
    change_settings(search_version="web_search_20260209")
    with offered(researching()) as server:
        execute(ask(ben))
    assert set(search_versions(server)) == {"web_search_20260209"}


@pytest.mark.row("A11")
@pytest.mark.parametrize("stopgap", [False, True])
def test_three_reads_pass_in_one_turn_or_in_three(ben: Actor, stopgap: bool) -> None:
    change_settings(
        search_version="web_search_20260209", disable_parallel_tool_use=stopgap
    )
    reads = [
        call("read_document", uri=URI, offset=offset, limit=20)
        for offset in (0, 20, 40)
    ]
    turns = [say(each) for each in reads] if stopgap else [say(*reads)]
    with offered([*turns, say("All three are read.")]) as server:
        run = execute(ask(ben))
    report = json.loads(run.report)
    assert report["counters"]["iterations"] == (4 if stopgap else 2)
    assert server.seen[-1].body["messages"][-1]["role"] == "user"
    choices = {str(request.body.get("tool_choice")) for request in server.seen}
    one_call = {"type": "auto", "disable_parallel_tool_use": True}
    assert choices == {str(one_call if stopgap else None)}
    version = "web_search_20250305" if stopgap else "web_search_20260209"
    assert set(search_versions(server)) == {version}
    assert answer_of(run) == "All three are read."


def answer_of(run: Run) -> str:
    replied = run.events.filter(kind="model_replied").order_by("-seq").first()
    assert replied is not None
    return str(json.loads(replied.payload)["reply"]["text"])


def test_a_search_switched_off_during_a_run_is_missing_from_its_next_attempt(
    ben: Actor, cast: Cast
) -> None:
    with offered(researching(on_the_web=True)) as server:
        run = ask(ben)
        with pytest.raises(Killed):
            execute(run, on_event=killer(4))
        cast.organization.features.filter(feature="server_web_search").update(
            enabled=False
        )
        fall_silent(run)
        execute(run)
    assert search_versions(server) == ["web_search_20250305", "", "", ""]
    assert run.status == RunStatus.COMPLETED


def test_without_the_feature_a_run_has_no_search(ben: Actor, cast: Cast) -> None:
    cast.organization.features.filter(feature="server_web_search").delete()
    with offered(researching()) as server:
        assert execute(ask(ben)).status == RunStatus.COMPLETED
    assert search_versions(server) == [""] * 4


def test_a_server_of_ones_own_does_the_same_at_a_price_nobody_knows(
    ben: Actor,
) -> None:
    replies = [
        chat(None, tool("read_document", uri=URI)),
        chat(None, *[tool(each["name"], **each["input"]) for each in (CITE, ABSENT)]),
        chat("The licence is recorded."),
    ]
    with wire(replies, dialect=VLLM) as server:
        address = f"{server.base_url}/v1"
        offer_model(NAME, provider="vllm", base_url=address, model="m", window=32_768)
        run = execute(ask(ben))
    assert load_evidence(run.dossier).proven == 1
    records = UsageRecord.objects.filter(subject_ref=run.public_id)
    assert {(record.cost, record.key_type) for record in records} == {
        (None, KeyType.NONE)
    }


@pytest.mark.row("A6")
def test_a_cap_ends_the_run_of_a_model_whose_price_is_unknown(ben: Actor) -> None:
    change_settings(cost_cap=Decimal(1))
    replies = [chat(None, tool("read_document", uri=URI))]
    with wire(replies, dialect=VLLM) as server:
        address = f"{server.base_url}/v1"
        offer_model(NAME, provider="vllm", base_url=address, model="m", window=32_768)
        run = execute(ask(ben))
    assert (run.status, run.stop_reason) == (RunStatus.FAILED, "cost_budget")


@pytest.mark.row("A6")
def test_the_turns_of_a_run_are_those_of_the_settings(ben: Actor) -> None:
    change_settings(iterations=1, max_output_tokens=2_000)
    with offered([say(READ), say("Only begun.")]) as server:
        run = execute(ask(ben))
    assert run.stop_reason == "iteration_limit"
    assert [request.body["max_tokens"] for request in server.seen] == [2_000] * 2
    assert search_versions(server) == ["web_search_20250305", ""]


def forbid(cast: Cast, settings: Any) -> None:
    set_policy(cast.organization, allowed_models="anthropic")


def disable(cast: Cast, settings: Any) -> None:
    offer_model(NAME, enabled=False)


def lose_the_key(cast: Cast, settings: Any) -> None:
    settings.PROVIDER_KEYS["anthropic"] = ""


def break_the_key(cast: Cast, settings: Any) -> None:
    settings.PROVIDER_KEYS["anthropic"] = "a key\nin two lines"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (forbid, "policy does not allow the model 'sonnet'"),
        (disable, "There is no researcher 'sonnet' here"),
        (lose_the_key, "set ANTHROPIC_API_KEY"),
        (break_the_key, "cannot be asked"),
    ],
)
def test_a_queued_run_whose_model_is_gone_fails_at_once_and_says_why(
    ben: Actor, cast: Cast, settings: Any, change: Any, words: str
) -> None:
    with offered([]) as server:
        run = ask(ben)
        change(cast, settings)
        execute(run)
    assert (run.status, run.attempts, server.seen) == (RunStatus.FAILED, 1, [])
    assert words in run.error
    assert "two lines" not in run.error


def test_a_run_is_refused_before_anything_is_written(
    ben: Actor, cast: Cast, settings: Any
) -> None:
    with pytest.raises(BadInput) as refused:
        ask(ben, "nobody")
    assert (refused.value.code, refused.value.field) == (
        "researcher_unknown",
        "researcher",
    )
    settings.PROVIDER_KEYS["anthropic"] = ""
    with pytest.raises(BadInput, match="set ANTHROPIC_API_KEY"):
        ask(ben, "anthropic")
    assert (Case.objects.count(), Run.objects.count()) == (0, 0)


def test_the_audit_trail_names_the_researcher(ben: Actor) -> None:
    ask(ben, "anthropic")
    entry = AuditEntry.objects.get(action="run.started")
    assert json.loads(entry.detail)["researcher"] == "anthropic"


def test_a_failed_call_that_cost_nothing_leaves_no_record_and_no_key(
    ben: Actor,
) -> None:
    with offered([failure(401)]):
        run = execute(ask(ben))
    assert not UsageRecord.objects.filter(subject_ref=run.public_id).exists()
    journal = "".join(run.events.values_list("payload", flat=True))
    assert KEYS["anthropic"] not in journal + run.error


def test_the_researchers_to_choose_among_begin_with_the_extractive_one(
    cast: Cast,
) -> None:
    offer_model(NAME, model="claude-opus-5-5")
    choices = offered_researchers(cast.organization)
    assert [(each.name, each.language_model) for each in choices] == [
        ("extractive", False),
        ("anthropic", True),
        (NAME, True),
    ]
    assert choices[-1].label == "sonnet: claude-opus-5-5, Anthropic"
    for each in choices:
        check_researcher(cast.organization, each.name)


def test_pages_of_old_runs_know_who_is_a_language_model(
    settings: Any, django_assert_num_queries: Any
) -> None:
    settings.PROVIDER_KEYS = dict.fromkeys(KEYS, "")
    offer_model(NAME, enabled=False)
    with django_assert_num_queries(0):
        assert is_language_model("extractive") is False
        assert is_language_model("anthropic") is True
    assert is_language_model(NAME) is True
    assert is_language_model("gone") is None
