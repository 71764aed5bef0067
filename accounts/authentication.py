"""Programs sign in with `Authorization: Bearer wh_...`."""

from datetime import timedelta
from typing import NoReturn

from django.db.models import Q
from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated
from rest_framework.request import Request

from accounts.actor import Actor
from accounts.models import ApiToken, User
from accounts.models.token import prefix_of
from accounts.queries import member_role

USE_NOTED_EVERY = timedelta(minutes=1)

MALFORMED = "The Authorization header must read: Bearer, a space, an API token."
UNKNOWN = "This API token is not known."
ENDED = "This API token has expired or was revoked."
HOLDER_GONE = "The person who made this API token no longer has access."


class TokenAuthentication(BaseAuthentication):
    """request.user is the token's maker, request.auth the Actor with its scopes.

    Whoever lacks the whole token learns only that it is not known: the other
    answers come after the digest has matched.
    """

    def authenticate(self, request: Request) -> tuple[User, Actor] | None:
        header = get_authorization_header(request)
        if not header:
            return None
        token = _known_token(_plain_text(header))
        if token.revoked_at is not None or token.expired(timezone.now()):
            _refuse(ENDED)
        role = member_role(token.user, token.organization)
        if role is None:
            _refuse(HOLDER_GONE)
        _note_use(token)
        return token.user, Actor(token.user, token.organization, role, token.scope_set)

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="weighhouse"'


def actor_of(request: Request) -> Actor:
    """Who sent this, for a view's services; raises NotAuthenticated without a token."""
    actor: object = request.auth
    if isinstance(actor, Actor):
        return actor
    raise NotAuthenticated


def _plain_text(header: bytes) -> str:
    scheme, _, rest = header.decode("latin-1").partition(" ")
    if scheme.lower() != "bearer":
        _refuse(MALFORMED)
    return rest.strip(" ")


def _known_token(plain_text: str) -> ApiToken:
    prefix = prefix_of(plain_text)
    if prefix is None:
        _refuse(MALFORMED)
    rows = ApiToken.objects.select_related("user", "organization")
    token = rows.filter(prefix=prefix).first()
    if token is None or not token.matches(plain_text):
        _refuse(UNKNOWN)
    return token


def _note_use(token: ApiToken) -> None:
    """At most one write a minute and token, whatever the traffic."""
    now = timezone.now()
    stale = Q(last_used_at=None) | Q(last_used_at__lte=now - USE_NOTED_EVERY)
    if token.last_used_at is None or token.last_used_at <= now - USE_NOTED_EVERY:
        ApiToken.objects.filter(stale, pk=token.pk).update(last_used_at=now)


def _refuse(message: str) -> NoReturn:
    raise AuthenticationFailed(message)
