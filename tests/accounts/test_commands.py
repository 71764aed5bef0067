"""The two commands of accounts."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from accounts.models import ApiToken, Feature, Role
from accounts.models.token import prefix_of
from accounts.queries import feature_enabled
from tests.factories.accounts import Cast, make_cast, make_member, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast()


def run(*arguments: str) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command(*arguments, stdout=out, stderr=err, no_color=True)
    return out.getvalue(), err.getvalue()


def issue(**changes: Any) -> tuple[str, str]:
    options = {"organization": "harbour", "user": "ada@example.org", "name": "ci"}
    named = [f"--{key}={value}" for key, value in {**options, **changes}.items()]
    return run("issue_token", *named, "--scope", "read", "--scope", "run")


def test_a_token_is_printed_once_alone_on_standard_output(cast: Cast) -> None:
    out, err = issue(days="90")
    token = ApiToken.objects.get()

    assert prefix_of(out.strip()) == token.prefix
    assert token.matches(out.strip())
    assert token.public_id in err
    assert token.scopes == "read,run"
    assert token.expires_at is not None


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"organization": "nowhere"}, "no such organization"),
        ({"user": "nobody@example.org"}, "no user"),
        ({"user": "cy@example.org"}, "no such organization"),
        ({"user": "mia@example.org"}, "role member"),
        ({"days": "0"}, "--days"),
        ({"days": "4000"}, "--days"),
        ({"days": "soon"}, "invalid int"),
        ({"name": ""}, "name"),
    ],
)
def test_a_token_that_cannot_be_made_is_refused_in_one_sentence(
    cast: Cast, changes: dict[str, str], says: str
) -> None:
    with pytest.raises(CommandError, match=says):
        issue(**changes)
    assert not ApiToken.objects.exists()


def switch(state: str, by: str, feature: str = "chat", slug: str = "harbour") -> str:
    flags = ["--organization", slug, "--feature", feature, f"--{state}", "--by", by]
    return run("set_feature", *flags)[0]


def test_an_owner_an_admin_and_an_operator_switch_a_feature(cast: Cast) -> None:
    make_user("root@example.org", superuser=True)
    make_member(cast.organization, make_user("dee@example.org"), Role.ADMIN)

    assert "chat on" in switch("on", "ada@example.org")
    assert feature_enabled(cast.organization, Feature.CHAT)
    assert "chat off" in switch("off", "dee@example.org")
    assert not feature_enabled(cast.organization, Feature.CHAT)
    switch("on", "root@example.org")
    assert feature_enabled(cast.organization, Feature.CHAT)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"by": "mia@example.org"}, "role member"),
        ({"by": "cy@example.org"}, "no such organization"),
        ({"by": "nobody@example.org"}, "no user"),
        ({"by": "ada@example.org", "slug": "nowhere"}, "no organization"),
        ({"by": "ada@example.org", "feature": "teleport"}, "invalid choice"),
    ],
)
def test_a_switch_that_may_not_be_made_is_refused(
    cast: Cast, options: dict[str, str], says: str
) -> None:
    with pytest.raises(CommandError, match=says):
        switch("on", **options)
    assert not feature_enabled(cast.organization, Feature.CHAT)
