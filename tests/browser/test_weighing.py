"""From signing in to a recorded decision, in a real browser."""

from collections.abc import Callable
from typing import Any

import pytest

from research.models import Decision
from tests.browser.conftest import NARROW, WIDE, Visitor
from tests.factories.research import EvidenceRows

pytestmark = pytest.mark.browser
Visit = Callable[..., Visitor]


def case_url(rows: EvidenceRows) -> str:
    return f"/o/harbour/cases/{rows.case.public_id}/"


def choose(visitor: Visitor, rows: EvidenceRows) -> None:
    visitor.page.locator(f"#{rows.citations[1].public_id} a").click()
    visitor.page.wait_for_load_state("load")


@pytest.mark.row("D1")
@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_a_reviewer_signs_in_reads_a_quote_in_its_page_and_decides(
    visit: Visit, rows: EvidenceRows, viewport: dict[str, int], script: bool
) -> None:
    ben = visit(viewport, java_script_enabled=script)
    ben.sign_in("ben@example.org")
    ben.page.get_by_role("link", name="pkg:pypi/bleach").click()
    choose(ben, rows)

    mark = ben.page.locator("mark#quote")
    assert mark.text_content() == rows.citations[1].quote
    if script:
        assert ben.seen("mark#quote")
    else:
        box = mark.bounding_box()
        assert box is not None
        assert 0 <= box["y"] <= viewport["height"]

    ben.page.get_by_label("Deny").check()
    ben.page.get_by_label("Rationale").fill("It is no longer maintained.")
    ben.page.get_by_role("button", name="Record the decision").click()

    assert "Your denial is recorded" in ben.page.get_by_role("status").inner_text()
    assert "Denied" in ben.page.locator(".case-head").inner_text()
    assert Decision.objects.get().rationale == "It is no longer maintained."


def test_the_list_of_quotes_stays_where_it_was_when_one_is_chosen(
    visit: Visit, rows: EvidenceRows
) -> None:
    ben = visit(WIDE)
    ben.sign_in("ben@example.org")
    ben.open(case_url(rows))
    link = ben.page.locator(f"#{rows.citations[1].public_id} a")
    link.scroll_into_view_if_needed()
    before = link.bounding_box()

    choose(ben, rows)

    after = link.bounding_box()
    assert before is not None
    assert after is not None
    assert abs(before["y"] - after["y"]) <= 1
    assert link.get_attribute("aria-current") == "true"


def test_an_address_that_names_a_quote_shows_both_the_quote_and_its_claim(
    visit: Visit, rows: EvidenceRows
) -> None:
    ben = visit(WIDE)
    ben.sign_in("ben@example.org")
    ben.open(f"{case_url(rows)}?citation={rows.citations[1].public_id}#quote")

    assert ben.seen("mark#quote")
    assert ben.seen(f"#{rows.citations[1].public_id} a")


def test_the_text_of_a_page_is_scrolled_by_keyboard(
    visit: Visit, rows: EvidenceRows
) -> None:
    ben = visit(WIDE)
    ben.sign_in("ben@example.org")
    ben.open(f"{case_url(rows)}?citation={rows.citations[0].public_id}#quote")
    sheet = ben.page.locator(".sheet")
    sheet.focus()
    before = sheet.evaluate("element => element.scrollTop")

    ben.page.keyboard.press("PageDown")
    ben.page.wait_for_function(
        "before => document.querySelector('.sheet').scrollTop > before", arg=before
    )

    outline = sheet.evaluate("element => getComputedStyle(element).outlineStyle")
    assert outline == "solid"


def test_the_panes_are_resized_by_keyboard_and_stay_so(
    visit: Visit, rows: EvidenceRows
) -> None:
    ben = visit(WIDE)
    ben.sign_in("ben@example.org")
    ben.open(case_url(rows))
    splitter = ben.page.get_by_role("separator")
    assert splitter.get_attribute("aria-valuenow") == "38"

    splitter.press("ArrowRight")
    ben.open(case_url(rows))

    assert splitter.get_attribute("aria-valuenow") == "40"
    box = ben.page.locator(".pane-right").bounding_box()
    assert box is not None
    assert abs(box["x"] - 0.4 * WIDE["width"]) <= 1


def test_what_reorders_text_cannot_reorder_the_page(
    visit: Visit, cast: Any, rows: EvidenceRows
) -> None:
    rows.case.title = "safe\u202egnp.exe"
    rows.case.save()
    ben = visit(WIDE)
    ben.sign_in("ben@example.org")
    ben.open(case_url(rows))

    letters = ben.page.evaluate("""() => {
        const text = [...document.querySelector("h1").childNodes].at(-1);
        return [...text.data].map((_, place) => {
            const range = document.createRange();
            range.setStart(text, place); range.setEnd(text, place + 1);
            return range.getBoundingClientRect().left;
        });
    }""")

    assert letters == sorted(letters)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
def test_no_page_scrolls_sideways_or_breaks_the_content_policy(
    visit: Visit, rows: EvidenceRows, viewport: dict[str, int], scheme: str
) -> None:
    ben = visit(viewport, color_scheme=scheme)
    ben.sign_in("ben@example.org")
    citation = f"?citation={rows.citations[0].public_id}"
    for path in (
        "/o/harbour/cases/",
        "/o/harbour/cases/new/",
        case_url(rows),
        f"{case_url(rows)}{citation}",
        f"/o/harbour/runs/{rows.run.public_id}/",
        f"/o/harbour/snapshots/{rows.snapshot.public_id}/{citation}",
    ):
        answer = ben.open(path)
        assert answer.status == 200, path
        assert ben.overflow() <= 0, path


def test_hit_areas_are_large_enough(visit: Visit, rows: EvidenceRows) -> None:
    ben = visit(NARROW)
    ben.sign_in("ben@example.org")
    ben.open(case_url(rows))

    small = ben.page.evaluate("""() =>
        [...document.querySelectorAll("button, .button, .quote-link, .radios label, \
            .jumps a, .bar a, summary, input:not([type=hidden]):not([type=radio])")]
        .filter(element => element.getClientRects().length)
        .filter(element => element.getBoundingClientRect().height < 40)
        .map(element => element.outerHTML.slice(0, 80))""")

    assert small == []
