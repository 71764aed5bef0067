"""Who reads is chosen by mouse, finger and keyboard, on a wide and a narrow window."""

from collections.abc import Callable
from typing import Any

import pytest

from research.models import Case, Run
from tests.browser.conftest import NARROW, WIDE, Visitor
from tests.factories.accounts import Cast
from tests.factories.chat import offer_local_model
from tests.factories.research import make_case

pytestmark = pytest.mark.browser
Visit = Callable[..., Visitor]
DOCUMENT = {"name": "log.txt", "mimeType": "text/plain", "buffer": b"It keeps none."}
SIZES = [pytest.param(WIDE, id="wide"), pytest.param(NARROW, id="narrow")]


@pytest.fixture
def case(cast: Cast, settings: Any) -> Case:
    """A model of the house's own is offered, at an address that breaks nowhere."""
    settings.PROVIDER_KEYS = dict.fromkeys(settings.PROVIDER_KEYS, "")
    address = f"http://{'models-of-the-house' * 3}.example.org:11434/v1"
    offer_local_model("tide", base_url=address)
    return make_case(
        cast.organization, cast.ada, subject_kind="question", subject_key="q:1"
    )


@pytest.mark.parametrize("size", SIZES)
def test_a_reviewer_reads_where_documents_go_and_chooses(
    visit: Visit, case: Case, size: dict[str, int]
) -> None:
    ben = visit(size)
    ben.sign_in("ben@example.org")
    ben.open(f"/o/harbour/cases/{case.public_id}/")
    choice = ben.page.get_by_label("tide: tide:8b, Ollama")
    choice.scroll_into_view_if_needed()

    assert "sent to Ollama at models-of-the-house" in ben.page.inner_text(".readers")
    assert ben.overflow() <= 0
    choice.check()
    ben.page.locator("#id_documents").set_input_files(DOCUMENT)
    ben.page.get_by_role("button", name="Start research").click()

    ben.page.get_by_text("Waiting in the queue").wait_for()
    assert Run.objects.get().researcher == "tide"


def test_the_keyboard_chooses_too_and_the_answer_is_kept_when_refused(
    visit: Visit, case: Case
) -> None:
    ben = visit(NARROW)
    ben.sign_in("ben@example.org")
    ben.open("/o/harbour/cases/new/")
    ben.page.get_by_label("What should be let in?").fill("Does it keep logs?")
    ben.page.get_by_label("Why do you need it?").fill("We must know.")
    ben.page.get_by_label("Extractive").focus()
    ben.page.keyboard.press("ArrowDown")
    with ben.page.expect_response("**/cases/new/") as answer:
        ben.page.get_by_role("button", name="Send the request").click()

    assert answer.value.status == 400
    ben.complaints.clear()  # Chromium says that a page came with the status 400
    assert "A reader is chosen for a run" in ben.page.inner_text(".summary")
    assert ben.page.get_by_label("tide: tide:8b, Ollama").is_checked()
    assert ben.overflow() <= 0
