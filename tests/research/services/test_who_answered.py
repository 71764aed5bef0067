"""Which models are named as those that answered in a run."""

from typing import Any

import pytest

from accounts.actor import Actor
from chat import engine
from research.presentation.runs import researcher_note
from research.queries import models_that_answered
from research.services.run_usage import record_run_usage
from tests.factories.accounts import make_cast
from tests.factories.chat import offer_model
from tests.factories.research import make_evidence
from tests.fakes.model_server import wire
from tests.research.services.language_model import (
    KEYS,
    ask,
    execute,
    researching,
    world,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def ben(settings: Any) -> Actor:
    settings.PROVIDER_KEYS = dict(KEYS)
    cast = world()
    return cast.actor(cast.ben)


def test_a_model_that_is_offered_under_its_own_id_is_named(ben: Actor) -> None:
    with wire(researching()) as server:
        offer_model("claude-sonnet-5-5", base_url=server.base_url)
        run = execute(ask(ben, "claude-sonnet-5-5"))
    assert models_that_answered(run) == ["claude-sonnet-5-5"]
    assert "claude-sonnet-5-5 answered" in researcher_note(run).how


def test_a_model_that_only_failed_did_not_answer() -> None:
    cast = make_cast()
    run = make_evidence(cast.organization, cast.ada).run
    usage = engine.Usage(10, 1)
    failed = engine.ModelFailed(engine.ErrorKind.TIMEOUT, "late", usage=usage)
    record_run_usage(run, failed)
    assert models_that_answered(run) == []
    reply = engine.ModelReply("Yes.", usage=usage, model="tide:8b")
    record_run_usage(run, engine.ModelReplied(reply, None))
    assert models_that_answered(run) == ["tide:8b"]
