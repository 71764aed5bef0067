"""What a run's end leaves on its row: the closing words, and what the API refused."""

import json
from collections.abc import Callable

import pytest
from django.test import Client

from accounts.actor import Actor
from chat import engine
from chat.providers.extractive import ExtractiveModel
from research.models import Run
from research.presentation.answers import FAILED, answer_of
from research.queries import evidence_digest
from research.services.bring_documents import Document
from research.services.execute_run import execute_run
from research.services.researchers import RESEARCHERS
from research.services.start_run import start_run
from research.states import RunStatus
from research.subjects.identity import parse_subject
from tests.factories.accounts import Cast, enable, make_cast
from tests.research.api.clients import Api

pytestmark = pytest.mark.django_db
POLICY = b"Access logs are kept for 30 days. After that they are deleted.\n"
QUESTION = "For how many days are access logs kept?"
HEAD = engine.ErrorHead(401, "authentication_error", "", "req_011")
REFUSED = "401 authentication_error (request req_011): Invalid bearer token."


@pytest.fixture
def cast() -> Cast:
    cast = make_cast()
    enable(cast.organization, "mcp_approval", "mcp_research")
    return cast


@pytest.fixture
def ben(cast: Cast) -> Actor:
    return cast.actor(cast.ben)


Install = Callable[[engine.Model], None]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Install:
    return lambda model: monkeypatch.setitem(RESEARCHERS, "scripted", lambda: model)


def executed(by: Actor, *, attempts: int = 1, researcher: str = "scripted") -> Run:
    run = start_run(
        by=by,
        subject=parse_subject(QUESTION, "question"),
        documents=[Document("policy.txt", POLICY)],
        researcher=researcher,
        ring_bell=False,
    )
    for _ in range(attempts):
        Run.objects.filter(pk=run.pk).update(not_before=None)
        execute_run(run.public_id, owner="worker")
    run.refresh_from_db()
    return run


class Refused(ExtractiveModel):
    """Behind an API that refuses every request."""

    def __init__(self, message: str = REFUSED) -> None:
        self.message = message

    def complete(self, request: engine.ModelRequest) -> engine.ModelReply:
        kind = engine.ErrorKind.AUTHENTICATION
        raise engine.ModelError(kind, self.message, head=HEAD)


@pytest.mark.row("A13")
def test_the_closing_words_are_stored_without_the_providers_blocks(
    ben: Actor, install: Install
) -> None:
    cited = engine.Citation("web", 0, 5, "https://example.org/", raw={"index": "x"})
    reply = engine.ModelReply("Logs\0 \ud800 are kept.", citations=(cited,))
    install(Whole(reply))
    run = executed(ben)
    found = answer_of(run)

    assert run.answer.isascii()
    assert json.loads(run.answer)["citations"][0]["raw"] is None
    assert found is not None
    assert found.text == "Logs⟨U+0000⟩ ⟨U+D800⟩ are kept."
    assert found.citations[0].url == "https://example.org/"


class Whole(ExtractiveModel):
    """Says one thing at once."""

    def __init__(self, reply: engine.ModelReply) -> None:
        self.reply = reply

    def complete(self, request: engine.ModelRequest) -> engine.ModelReply:
        return self.reply


@pytest.mark.row("A13")
def test_the_closing_words_are_no_part_of_the_evidence(ben: Actor) -> None:
    run = executed(ben, researcher="extractive")
    digest = evidence_digest(run.dossier)
    assert run.answer
    Run.objects.filter(pk=run.pk).update(answer="")

    assert evidence_digest(run.dossier) == digest


@pytest.mark.row("A9")
def test_a_run_that_the_api_refused_says_so_in_its_own_words(
    ben: Actor, install: Install
) -> None:
    install(Refused())
    run = executed(ben)

    assert (run.status, run.attempts) == (RunStatus.FAILED, 1)
    assert run.error == f"The model's API refused: {REFUSED}"


@pytest.mark.row("A9")
def test_a_head_that_the_message_lacks_is_put_before_it(
    ben: Actor, install: Install
) -> None:
    install(Refused("Invalid bearer token"))

    assert executed(ben).error == (
        "The model's API refused: 401 authentication_error: Invalid bearer token."
    )


@pytest.mark.row("A9")
def test_a_fault_of_our_own_keeps_its_sentence(ben: Actor, install: Install) -> None:
    class Broken(ExtractiveModel):
        def complete(self, request: engine.ModelRequest) -> engine.ModelReply:
            raise RuntimeError(REFUSED)

    install(Broken())

    assert executed(ben).error == "An unexpected fault stopped the run; see the log."


@pytest.mark.row("A9")
def test_a_refusal_fails_the_run_and_its_errors_are_listed(
    ben: Actor, install: Install, client: Client
) -> None:
    install(Refused())
    run = executed(ben)
    errors = Api(ben).read(f"runs/{run.public_id}").json()["api_errors"]
    client.force_login(ben.user)
    page = client.get(f"/o/harbour/runs/{run.public_id}/").content.decode()

    assert (run.status, run.stop_reason) == (RunStatus.FAILED, "error")
    assert run.error.startswith("The model's API refused: 401 authentication_error")
    assert len(errors) == 1
    assert errors[0]["status"] == 401
    assert errors[0]["type"] == "authentication_error"
    assert errors[0]["request_id"] == "req_011"
    assert errors[0]["message"] == REFUSED
    assert "Errors of the model’s API" in page
    assert page.count("req_011</span>") == 1


@pytest.mark.row("A9")
def test_a_run_without_errors_shows_no_table_of_them(
    ben: Actor, client: Client
) -> None:
    run = executed(ben, researcher="extractive")
    client.force_login(ben.user)
    page = client.get(f"/o/harbour/runs/{run.public_id}/").content.decode()

    assert Api(ben).read(f"runs/{run.public_id}").json()["api_errors"] == []
    assert "Errors of the model" not in page


@pytest.mark.row("A13")
def test_a_failed_runs_partial_answer_says_that_it_failed(
    ben: Actor, install: Install
) -> None:
    install(Whole(engine.ModelReply("Half an", stop=engine.ReplyStop.MAX_TOKENS)))
    run = executed(ben)
    found = answer_of(run)

    assert run.status == RunStatus.FAILED
    assert found is not None
    assert found.text == "Half an"
    assert found.labels[0] == FAILED
    assert found.labels[1].startswith("Cut off:")
