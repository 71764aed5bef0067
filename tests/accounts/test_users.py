"""People and their addresses."""

import pytest
from django.contrib.auth import authenticate
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction

from accounts.models import User
from tests.factories.accounts import PASSWORD, make_user

pytestmark = pytest.mark.django_db


def test_an_address_is_stored_and_found_in_lower_case() -> None:
    make_user(" Ada@Example.ORG ")

    assert User.objects.get(email="ADA@example.org").email == "ada@example.org"


def test_a_second_user_with_the_address_in_other_letters_is_refused() -> None:
    make_user("ada@example.org")

    with pytest.raises(ValidationError, match="exists"):
        make_user("ADA@example.org")


def test_the_database_itself_refuses_the_address_in_other_letters() -> None:
    user = make_user("ada@example.org")
    other = make_user("ben@example.org")

    with (
        pytest.raises(IntegrityError),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(
            "UPDATE accounts_user SET email = 'ADA@example.org' WHERE id = %s",
            [other.pk],
        )
    assert User.objects.get(pk=user.pk).email == "ada@example.org"


def test_a_person_signs_in_whatever_the_case_of_the_address() -> None:
    user = make_user("ada@example.org")

    assert authenticate(username="Ada@Example.org", password=PASSWORD) == user


@pytest.mark.parametrize("email", ["", "ada", "ada@", "a da@example.org"])
def test_what_is_no_address_is_refused(email: str) -> None:
    with pytest.raises(ValidationError):
        User.objects.create_user(email, PASSWORD)


def test_a_user_without_a_password_cannot_sign_in() -> None:
    User.objects.create_user("ada@example.org")

    assert authenticate(username="ada@example.org", password="") is None
    assert authenticate(username="ada@example.org", password="None") is None


def test_an_inactive_user_cannot_sign_in() -> None:
    make_user("ada@example.org", is_active=False)

    assert authenticate(username="ada@example.org", password=PASSWORD) is None
