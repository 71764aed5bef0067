"""A citation whose offsets name other words is a fault, whatever its row says."""

import pytest
from django.test import Client

from research.models import Citation, Grade
from tests.factories.research import EvidenceRows
from tests.research.views.reading import parsed, words


@pytest.mark.parametrize("grade", [Grade.EXACT, Grade.TYPOGRAPHIC])
@pytest.mark.parametrize("shift", [-1, 1, 10_000])
def test_offsets_that_name_other_words_are_a_fault_and_never_a_quote(
    mia: Client, rows: EvidenceRows, grade: Grade, shift: int
) -> None:
    right = rows.citations[0]
    assert right.start is not None
    assert right.end is not None
    wrong = Citation.objects.create(
        claim=right.claim,
        snapshot=rows.snapshot,
        position=1,
        quote=right.quote,
        grade=grade,
        start=right.start + shift,
        end=right.end + shift,
        byte_start=right.start + shift,
        byte_end=right.end + shift,
    )

    page = mia.get(
        f"/o/harbour/cases/{rows.case.public_id}/", {"citation": wrong.public_id}
    )

    fault = words(page, "#quote.fault")
    assert "The archived text has other words at these offsets." in fault
    assert "Quote is in the page" not in words(page, ".lights")
    assert parsed(page).css_first("mark#quote") is None
    assert parsed(page).css_first("pre.snapshot") is None
