"""Programs at the REST entrance: every doubt is a 401."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.test import APIRequestFactory
from rest_framework.views import APIView, exception_handler

from accounts.authentication import TokenAuthentication, actor_of
from accounts.models import ApiToken, Membership, Role, User
from accounts.permissions import Action
from accounts.services import issue_token, revoke_token
from tests.factories.accounts import Cast, make_cast

pytestmark = pytest.mark.django_db


class WhoAmI(APIView):
    authentication_classes = (TokenAuthentication,)
    permission_classes = (IsAuthenticated,)

    def get_exception_handler(self) -> Any:
        return exception_handler

    def get(self, request: Request) -> Response:
        actor = actor_of(request)
        may = [action for action in Action if actor.may(action)]
        return Response(
            {
                "user": actor.user.email,
                "organization": actor.organization.slug,
                "role": actor.role,
                "may": may,
            }
        )


def get(header: str | bytes | None = None) -> Any:
    extra: dict[str, Any] = {} if header is None else {"HTTP_AUTHORIZATION": header}
    return WhoAmI.as_view()(APIRequestFactory().get("/", **extra))


def bearer(plain: str) -> Any:
    return get(f"Bearer {plain}")


@pytest.fixture
def cast() -> Cast:
    return make_cast()


@pytest.fixture
def issued(cast: Cast) -> tuple[ApiToken, str]:
    return issue_token(by=cast.actor(cast.ada), name="ci", scopes=["read", "run"])


def test_a_token_acts_as_its_maker_within_its_scopes(
    issued: tuple[ApiToken, str],
) -> None:
    answer = bearer(issued[1])

    assert answer.status_code == 200
    assert answer.data == {
        "user": "ada@example.org",
        "organization": "harbour",
        "role": "owner",
        "may": ["view", "start_run"],
    }


def test_the_schemes_name_may_be_written_in_any_case(
    issued: tuple[ApiToken, str],
) -> None:
    assert get(f"bearer {issued[1]}").status_code == 200


def test_without_a_token_the_answer_says_how_to_sign_in() -> None:
    answer = get()

    assert answer.status_code == 401
    assert answer["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize(
    "header",
    [
        "Bearer",
        "Bearer ",
        "Bearer x",
        "Basic YWRhOmFkYQ==",
        "Bearer wh_short_secret",
        "Bearer wh_0123456789ab_" + "x" * 42,
        "Bearer wh_0123456789ab_" + "x" * 44,
        "Bearer wh_0123456789ab_" + "é" * 43,
        "Bearer wh_0123456789AB_" + "x" * 43,
        "Bearer wh_0123456789ab_" + "x" * 43 + " more",
        "Bearer " + "x" * 100_000,
        b"Bearer \xff\x00\xfe",
    ],
)
def test_what_is_no_token_is_refused_as_malformed(header: str | bytes) -> None:
    answer = get(header)

    assert answer.status_code == 401
    assert "must read" in answer.data["detail"]
    assert answer["WWW-Authenticate"].startswith("Bearer")


def test_an_unknown_prefix_and_a_wrong_secret_get_the_same_answer(
    issued: tuple[ApiToken, str],
) -> None:
    plain = issued[1]
    wrong_secret = bearer(plain[:16] + "x" * 43)
    wrong_prefix = bearer("wh_" + "0" * 12 + plain[15:])

    assert wrong_secret.status_code == wrong_prefix.status_code == 401
    assert wrong_secret.data == wrong_prefix.data


def test_a_wrong_secret_does_not_learn_that_the_token_has_ended(
    cast: Cast, issued: tuple[ApiToken, str]
) -> None:
    token, plain = issued
    revoke_token(by=cast.actor(cast.ada), token=token)

    wrong = bearer(plain[:16] + "x" * 43)
    assert wrong.data == bearer("wh_" + "0" * 12 + plain[15:]).data
    assert wrong.data != bearer(plain).data


def test_an_expired_token_is_refused(issued: tuple[ApiToken, str]) -> None:
    ApiToken.objects.update(expires_at=timezone.now())

    assert bearer(issued[1]).status_code == 401


def test_a_token_that_expires_later_is_accepted(issued: tuple[ApiToken, str]) -> None:
    ApiToken.objects.update(expires_at=timezone.now() + timedelta(hours=1))

    assert bearer(issued[1]).status_code == 200


def test_a_revoked_token_is_refused(cast: Cast, issued: tuple[ApiToken, str]) -> None:
    revoke_token(by=cast.actor(cast.ada), token=issued[0])

    assert bearer(issued[1]).status_code == 401


def test_a_token_of_an_inactive_person_is_refused(
    cast: Cast, issued: tuple[ApiToken, str]
) -> None:
    User.objects.filter(pk=cast.ada.pk).update(is_active=False)

    assert bearer(issued[1]).status_code == 401


def test_a_token_of_a_former_member_is_refused(
    cast: Cast, issued: tuple[ApiToken, str]
) -> None:
    Membership.objects.filter(user=cast.ada).delete()

    assert bearer(issued[1]).status_code == 401


def test_membership_elsewhere_does_not_help(
    cast: Cast, issued: tuple[ApiToken, str]
) -> None:
    Membership.objects.filter(user=cast.ada).update(
        organization=cast.other_organization
    )

    assert bearer(issued[1]).status_code == 401


def test_a_token_follows_its_makers_present_role(
    cast: Cast, issued: tuple[ApiToken, str]
) -> None:
    Membership.objects.filter(user=cast.ada).update(role=Role.MEMBER)

    assert bearer(issued[1]).data["may"] == ["view"]


def test_use_is_noted_at_most_once_a_minute(issued: tuple[ApiToken, str]) -> None:
    token, plain = issued
    bearer(plain)
    token.refresh_from_db()
    first = token.last_used_at
    assert first is not None

    bearer(plain)
    token.refresh_from_db()
    assert token.last_used_at == first

    ApiToken.objects.update(last_used_at=first - timedelta(minutes=2))
    bearer(plain)
    token.refresh_from_db()
    assert token.last_used_at is not None
    assert token.last_used_at >= first


def test_a_refused_token_leaves_no_trace_of_use(issued: tuple[ApiToken, str]) -> None:
    token, plain = issued
    bearer(plain[:16] + "x" * 43)

    token.refresh_from_db()
    assert token.last_used_at is None


def test_the_api_document_describes_the_token() -> None:
    found = OpenApiAuthenticationExtension.get_match(TokenAuthentication())

    assert found is not None
    definition = found.get_security_definition(AutoSchema())
    assert isinstance(definition, dict)
    assert (definition["type"], definition["scheme"]) == ("http", "bearer")


def test_a_view_without_the_token_entrance_has_no_actor() -> None:
    with pytest.raises(NotAuthenticated):
        actor_of(Request(APIRequestFactory().get("/")))
