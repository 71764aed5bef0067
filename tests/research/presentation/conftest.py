"""Evidence as a finished run leaves it."""

import pytest

from research.evidence import Evidence, load_evidence
from tests.factories.accounts import Cast, make_cast
from tests.factories.research import EvidenceRows, make_evidence


@pytest.fixture
def cast(db: None) -> Cast:
    return make_cast()


@pytest.fixture
def rows(cast: Cast) -> EvidenceRows:
    return make_evidence(cast.organization, cast.ada)


@pytest.fixture
def evidence(rows: EvidenceRows) -> Evidence:
    return load_evidence(rows.dossier)
