"""Who may call: the key in either header, and the version of the API."""

from collections.abc import Iterable

from tests.fakes.model_server.values import Refusal, Request

VERSIONS = ("2023-06-01", "2026-10-21")


def refused_key(request: Request, keys: Iterable[str]) -> Refusal | None:
    """401 without a key that is known; 400 without a version that is known."""
    key = given_key(request)
    if not key:
        return Refusal("x-api-key header is required", 401, "authentication_error")
    if key not in keys:
        return Refusal("invalid x-api-key", 401, "authentication_error")
    if not request.version:
        return Refusal("anthropic-version: header is required")
    if request.version not in VERSIONS:
        return Refusal(f'anthropic-version: "{request.version}" is not a valid version')
    return None


def given_key(request: Request) -> str:
    """The key; of both headers x-api-key counts."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    bearer = token.strip() if scheme.lower() == "bearer" else ""
    return request.headers.get("x-api-key") or bearer
