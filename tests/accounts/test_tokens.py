"""Issuing and revoking tokens."""

import re
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from accounts.actor import Actor
from accounts.errors import BadInput, NotAllowed, NotFound
from accounts.models import ApiToken, AuditEntry, Role, Scope
from accounts.queries import operator_for
from accounts.services import issue_token, revoke_token
from tests.factories.accounts import Cast, make_cast, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast()


def test_the_plain_text_has_its_documented_form_and_is_stored_nowhere(
    cast: Cast,
) -> None:
    token, plain = issue_token(by=cast.actor(cast.ada), name="ci", scopes=["read"])

    assert re.fullmatch(r"wh_[0-9a-hjkmnp-tv-z]{12}_[A-Za-z0-9_-]{43}", plain)
    secret = plain[16:]
    stored = ApiToken.objects.filter(pk=token.pk).values().get()
    assert not any(secret in str(value) for value in stored.values())
    assert not AuditEntry.objects.filter(detail__contains=secret).exists()
    assert secret not in repr(token)


def test_scopes_are_stored_once_each_in_one_order(cast: Cast) -> None:
    token, _ = issue_token(
        by=cast.actor(cast.ada), name="ci", scopes=["run", "read", "run"]
    )

    assert token.scopes == "read,run"
    assert token.scope_set == {Scope.READ, Scope.RUN}


@pytest.mark.parametrize("scopes", [[], [""], ["root"], ["read", "root"], ["READ"]])
def test_unknown_or_missing_scopes_are_refused(cast: Cast, scopes: list[str]) -> None:
    with pytest.raises(BadInput) as refused:
        issue_token(by=cast.actor(cast.ada), name="ci", scopes=scopes)
    assert refused.value.field == "scopes"
    assert not ApiToken.objects.exists()


def test_a_stored_scope_that_is_unknown_grants_nothing() -> None:
    assert ApiToken(scopes="root,rea").scope_set == frozenset()
    assert ApiToken(scopes="").scope_set == frozenset()


def test_an_expiry_in_the_past_or_without_a_zone_is_refused(cast: Cast) -> None:
    past = timezone.now() - timedelta(seconds=1)
    naive = datetime(2999, 1, 1)  # noqa: DTZ001
    for moment in (past, naive):
        with pytest.raises(BadInput) as refused:
            issue_token(
                by=cast.actor(cast.ada), name="ci", scopes=["read"], expires_at=moment
            )
        assert refused.value.field == "expires_at"


@pytest.mark.parametrize("name", ["", "  ", "a\x00", "x" * 101])
def test_a_token_needs_a_name(cast: Cast, name: str) -> None:
    with pytest.raises(BadInput):
        issue_token(by=cast.actor(cast.ada), name=name, scopes=["read"])


def test_reviewers_members_and_tokens_issue_none(cast: Cast) -> None:
    as_token = Actor(cast.ada, cast.organization, Role.OWNER, frozenset(Scope))
    for by in (cast.actor(cast.ben), cast.actor(cast.mia), as_token):
        with pytest.raises(NotAllowed):
            issue_token(by=by, name="ci", scopes=["read"])
    assert not ApiToken.objects.exists()


def test_revoking_twice_keeps_the_first_time(cast: Cast) -> None:
    by = cast.actor(cast.ada)
    token, _ = issue_token(by=by, name="ci", scopes=["read"])
    first = revoke_token(by=by, token=token).revoked_at
    again = revoke_token(by=by, token=token).revoked_at

    assert first is not None
    assert first == again
    assert AuditEntry.objects.filter(action="token.revoked").count() == 1


def test_others_do_not_revoke_it_but_an_operator_does(cast: Cast) -> None:
    token, _ = issue_token(by=cast.actor(cast.ada), name="ci", scopes=["read"])

    with pytest.raises(NotFound):
        revoke_token(by=cast.actor(cast.cy), token=token)
    with pytest.raises(NotAllowed):
        revoke_token(by=cast.actor(cast.mia), token=token)
    operator = operator_for(make_user(superuser=True), cast.organization)
    assert revoke_token(by=operator, token=token).revoked_at
