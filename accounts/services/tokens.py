"""Making and revoking the keys of programs."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from accounts.actor import Actor, require
from accounts.errors import BadInput, NotFound
from accounts.models import ApiToken, Scope
from accounts.models.token import make_token
from accounts.permissions import Action
from accounts.services.audit import record_audit
from accounts.services.saving import save_checked


@transaction.atomic
def issue_token(
    *,
    by: Actor,
    name: str,
    scopes: Iterable[str],
    expires_at: datetime | None = None,
) -> tuple[ApiToken, str]:
    """Save a token that acts as `by`; its plain text is returned here and kept nowhere.

    `expires_at` is aware and in the future; None means until revoked.
    """
    require(by, Action.MANAGE_TOKENS, by.organization)
    _check_expiry(expires_at)
    new = make_token()
    token = ApiToken(
        organization=by.organization,
        user=by.user,
        name=name.strip(),
        prefix=new.prefix,
        digest=new.digest,
        scopes=_joined(scopes),
        expires_at=expires_at,
    )
    save_checked(token)
    _record(by, "token.issued", token)
    return token, new.plain_text


@transaction.atomic
def revoke_token(*, by: Actor, token: ApiToken) -> ApiToken:
    """End a token at once; people may always end their own. Twice is the same."""
    rows = ApiToken.objects.for_organization(by.organization).select_for_update()
    current = rows.filter(pk=token.pk).first()
    if current is None:
        raise NotFound("There is no such token.")
    own = current.user_id == by.user.pk and by.scopes is None
    if not own:
        require(by, Action.MANAGE_TOKENS, by.organization)
    if current.revoked_at is None:
        current.revoked_at = timezone.now()
        save_checked(current)
        _record(by, "token.revoked", current)
    return current


def _check_expiry(expires_at: datetime | None) -> None:
    if expires_at is None:
        return
    if timezone.is_naive(expires_at):
        raise BadInput("expires_at: Name a time zone.", field="expires_at")
    if expires_at <= timezone.now():
        raise BadInput("expires_at: This time has passed.", field="expires_at")


def _joined(scopes: Iterable[str]) -> str:
    """Known scopes in their own order, so that equal sets are stored equally."""
    wanted = {scopes} if isinstance(scopes, str) else set(scopes)
    unknown = sorted(wanted - set(Scope.values))
    if unknown or not wanted:
        choices = ", ".join(Scope.values)
        raise BadInput(f"scopes: Name at least one of {choices}.", field="scopes")
    return ",".join(scope for scope in Scope.values if scope in wanted)


def _record(by: Actor, action: str, token: ApiToken) -> None:
    record_audit(
        organization=by.organization,
        actor=by.user,
        action=action,
        target=token.public_id,
        detail={"as": by.role, "name": token.name, "scopes": token.scopes},
    )
