"""Ids that are shown outside."""

import re

import pytest

from accounts.models import Organization, make_public_id
from accounts.models.public_id import PublicIdField


def test_an_id_names_its_kind_and_has_26_characters_more() -> None:
    assert re.fullmatch(r"run_[0-9a-hjkmnp-tv-z]{26}", make_public_id("run"))


def test_ids_do_not_repeat() -> None:
    assert len({make_public_id("run") for _ in range(1000)}) == 1000


@pytest.mark.django_db
def test_a_row_keeps_the_id_it_was_made_with() -> None:
    made = Organization.objects.create(name="Harbour", slug="harbour")

    assert made.public_id.startswith("org_")
    assert Organization.objects.get().public_id == made.public_id


def test_the_field_is_rebuilt_from_its_migration() -> None:
    _, _, args, kwargs = PublicIdField("org").deconstruct()
    rebuilt = PublicIdField(*args, **kwargs)

    assert kwargs == {"prefix": "org"}
    assert (rebuilt.unique, rebuilt.editable, rebuilt.max_length) == (True, False, 40)
