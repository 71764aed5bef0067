"""The cast at their browsers."""

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from tests.factories.accounts import Cast, enable, make_cast
from tests.factories.research import EvidenceRows, make_evidence

SignIn = Callable[[User], Client]


@pytest.fixture
def cast(db: None) -> Cast:
    cast = make_cast()
    for organization in (cast.organization, cast.other_organization):
        enable(organization, "mcp_approval", "mcp_research")
    return cast


@pytest.fixture
def sign_in() -> SignIn:
    def signed_in(user: User) -> Client:
        client = Client()
        client.force_login(user)
        return client

    return signed_in


@pytest.fixture
def ben(cast: Cast, sign_in: SignIn) -> Client:
    return sign_in(cast.ben)


@pytest.fixture
def mia(cast: Cast, sign_in: SignIn) -> Client:
    return sign_in(cast.mia)


@pytest.fixture
def cy(cast: Cast, sign_in: SignIn) -> Client:
    return sign_in(cast.cy)


@pytest.fixture
def rows(cast: Cast) -> EvidenceRows:
    return make_evidence(cast.organization, cast.ada)
