"""A program with a token, as the API meets it."""

import json
from collections.abc import Iterable
from typing import Any

from django.http import HttpResponse
from rest_framework.test import APIClient

from accounts.actor import Actor
from accounts.models import ApiToken, Scope
from accounts.models.token import make_token


def token_for(actor: Actor, scopes: Iterable[str] = tuple(Scope.values)) -> str:
    """The plain text of a new token that acts as `actor`."""
    new = make_token()
    ApiToken.objects.create(
        organization=actor.organization,
        user=actor.user,
        name="test",
        prefix=new.prefix,
        digest=new.digest,
        scopes=",".join(scopes),
    )
    return new.plain_text


class Api(APIClient):
    """Sends JSON below /api/v1/ with the actor's token."""

    def __init__(
        self, actor: Actor, scopes: Iterable[str] = tuple(Scope.values)
    ) -> None:
        super().__init__()
        self.credentials(HTTP_AUTHORIZATION=f"Bearer {token_for(actor, scopes)}")

    def read(self, path: str, **query: Any) -> Any:
        return self.get(f"/api/v1/{path}", query)

    def send(self, path: str, body: Any = None, **headers: str) -> Any:
        raw = b"" if body is None else json.dumps(body).encode()
        kind = "application/json"
        return self.generic("POST", f"/api/v1/{path}", raw, kind, headers=headers)

    def send_form(self, path: str, fields: dict[str, Any]) -> Any:
        return self.post(f"/api/v1/{path}", fields, format="multipart")

    def send_raw(self, path: str, body: bytes, content_type: str) -> Any:
        return self.generic("POST", f"/api/v1/{path}", body, content_type)


def problem(response: HttpResponse, status: int, code: str) -> dict[str, Any]:
    """The problem details of a refusal, after checking their form."""
    found: dict[str, Any] = response.json()  # type: ignore[attr-defined]
    assert (response.status_code, found["code"]) == (status, code), found
    assert response["Content-Type"] == "application/problem+json"
    assert found["status"] == status
    assert found["type"] == f"/problems/{code}"
    assert found["title"]
    assert found["detail"]
    return found
