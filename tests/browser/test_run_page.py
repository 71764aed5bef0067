"""A run under way is followed without reloading, and by a link without script."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from research.models import Run
from tests.browser.conftest import Visitor
from tests.factories.accounts import Cast
from tests.factories.research import make_case, make_run

pytestmark = pytest.mark.browser
Visit = Callable[..., Visitor]


@pytest.fixture
def run(cast: Cast) -> Run:
    return make_run(make_case(cast.organization, cast.ada), cast.ben)


def end(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(
        status="completed", stop_reason="completed", finished_at=timezone.now()
    )


def follow(visitor: Visitor, run: Run) -> Any:
    visitor.sign_in("mia@example.org")
    visitor.open(f"/o/harbour/runs/{run.public_id}/")
    return visitor.page.locator("#progress")


def test_the_page_follows_a_run_by_itself(visit: Visit, run: Run) -> None:
    mia = visit()
    progress = follow(mia, run)
    assert "Waiting in the queue" in progress.inner_text()

    end(run)

    mia.page.get_by_role("link", name="Weigh what it found").wait_for()
    assert "Completed" in progress.inner_text()


def test_without_script_a_link_reloads(visit: Visit, run: Run) -> None:
    mia = visit(java_script_enabled=False)
    progress = follow(mia, run)
    end(run)

    mia.page.get_by_role("link", name="Reload").click()

    assert "Completed" in progress.inner_text()
