"""The cast, and a client for each of them."""

import pytest

from accounts.models import Feature
from tests.factories.accounts import Cast, enable, make_cast
from tests.factories.research import EvidenceRows, make_evidence
from tests.research.api.clients import Api


@pytest.fixture
def cast(db: None) -> Cast:
    """Both organizations with approval and research switched on."""
    cast = make_cast()
    for organization in (cast.organization, cast.other_organization):
        enable(organization, Feature.MCP_APPROVAL, Feature.MCP_RESEARCH)
    return cast


@pytest.fixture
def ada(cast: Cast) -> Api:
    return Api(cast.actor(cast.ada))


@pytest.fixture
def mia(cast: Cast) -> Api:
    return Api(cast.actor(cast.mia))


@pytest.fixture
def cy(cast: Cast) -> Api:
    return Api(cast.actor(cast.cy))


@pytest.fixture
def evidence(cast: Cast) -> EvidenceRows:
    return make_evidence(cast.organization, cast.ada)
