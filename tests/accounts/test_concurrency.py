"""Two people act at the same moment."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from accounts.errors import Conflict
from accounts.models import Membership, OrganizationFeature, Role, User
from accounts.services import change_role, set_feature
from tests.factories.accounts import make_cast

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]


def both(*acts: Callable[[], object]) -> list[object]:
    """Run the acts at once; what each returned or was refused with."""
    barrier = Barrier(len(acts))

    def act(one: Callable[[], object]) -> object:
        barrier.wait(10)
        try:
            return one()
        except Conflict as refused:
            return refused
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(act, acts))


def test_two_owners_who_step_back_at_once_leave_one() -> None:
    cast = make_cast()
    by, ben = cast.actor(cast.ada), Membership.objects.get(user=cast.ben)
    change_role(by=by, membership=ben, role=Role.OWNER)

    def step_back(user: User) -> object:
        row = Membership.objects.get(user=user)
        return change_role(by=cast.actor(user), membership=row, role=Role.MEMBER)

    outcomes = both(lambda: step_back(cast.ada), lambda: step_back(cast.ben))

    assert sum(isinstance(outcome, Conflict) for outcome in outcomes) == 1
    owners = Membership.objects.for_organization(cast.organization)
    assert owners.filter(role=Role.OWNER).count() == 1


def test_a_feature_switched_twice_at_once_has_one_row() -> None:
    cast = make_cast()
    by = cast.actor(cast.ada)

    def switch() -> object:
        return set_feature(by=by, feature="chat", enabled=True)

    outcomes = both(switch, switch)

    assert not any(isinstance(outcome, Conflict) for outcome in outcomes)
    assert OrganizationFeature.objects.count() == 1
