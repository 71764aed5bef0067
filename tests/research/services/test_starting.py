"""What starts no run, and leaves nothing behind."""

import pytest

from accounts.actor import Actor
from accounts.errors import BadInput, Conflict, FeatureOff, NotAllowed, NotFound
from research.models import (
    Case,
    Run,
)
from research.services.bring_documents import Document
from research.services.start_run import start_run
from research.subjects.identity import parse_subject
from tests.factories.accounts import Cast
from tests.research.services.runs import POLICY, QUESTION, ask

pytestmark = pytest.mark.django_db


def test_one_case_has_one_run_at_a_time(ben: Actor) -> None:
    ask(ben)
    with pytest.raises(Conflict):
        ask(ben)


def test_a_member_may_not_start_a_run(cast: Cast) -> None:
    with pytest.raises(NotAllowed):
        ask(cast.actor(cast.mia))


@pytest.mark.parametrize("feature", ["mcp_approval", "mcp_research"])
def test_without_its_features_no_run_starts(cast: Cast, feature: str) -> None:
    cast.organization.features.filter(feature=feature).update(enabled=False)
    with pytest.raises(FeatureOff):
        ask(cast.actor(cast.ben))
    assert Case.objects.count() == 0


def test_a_package_that_is_not_installed_starts_nothing(ben: Actor) -> None:
    subject = parse_subject("pkg:pypi/no-such-distribution")
    with pytest.raises(NotFound):
        start_run(by=ben, subject=subject, ring_bell=False)
    assert (Case.objects.count(), Run.objects.count()) == (0, 0)


def test_a_bad_document_starts_nothing(ben: Actor) -> None:
    with pytest.raises(BadInput):
        start_run(
            by=ben,
            subject=parse_subject(QUESTION, "question"),
            documents=[Document("good.txt", POLICY), Document("empty.txt", b"")],
            ring_bell=False,
        )
    assert (Case.objects.count(), Run.objects.count()) == (0, 0)
