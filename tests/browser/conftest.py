"""A real Chromium against the live server; every complaint of the page is kept."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.factories.accounts import PASSWORD, Cast, enable, make_cast
from tests.factories.research import ANSWERS, EvidenceRows, make_evidence
from tests.services import chromium_path

WIDE = {"width": 1280, "height": 900}
NARROW = {"width": 390, "height": 844}
FILLER = "".join(f"Changes of version {number}.\n\n" for number in range(80, 0, -1))


@dataclass
class Visitor:
    """One person's browser window. `complaints` must stay empty."""

    page: Any
    base: str
    complaints: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("requestfailed", self._request_failed)

    def _console(self, message: Any) -> None:
        if message.type in {"error", "warning"}:
            self.complaints.append(message.text)

    def _request_failed(self, request: Any) -> None:
        if "ERR_ABORTED" not in str(request.failure):  # the reader went on
            self.complaints.append(f"{request.url}: {request.failure}")

    def open(self, path: str) -> Any:
        return self.page.goto(f"{self.base}{path}")

    def sign_in(self, email: str) -> None:
        self.open("/sign-in/")
        self.page.get_by_label("Email address").fill(email)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.get_by_role("button", name="Sign in").click()

    def overflow(self) -> int:
        """Pixels by which the page is wider than the window."""
        script = "document.documentElement.scrollWidth - window.innerWidth"
        return int(self.page.evaluate(script))

    def seen(self, selector: str) -> bool:
        """Whether the element's first line is inside the window and not covered."""
        script = """(selector) => {
            const element = document.querySelector(selector);
            const box = element.getClientRects()[0];
            const x = box.left + box.width / 2, y = box.top + box.height / 2;
            if (y < 0 || y > window.innerHeight) return false;
            return element.contains(document.elementFromPoint(x, y));
        }"""
        return bool(self.page.evaluate(script, selector))


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """The driver keeps an event loop in this thread; the ORM is told that it may."""
    from playwright.sync_api import sync_playwright

    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        browser = playwright.chromium.launch(
            executable_path=chromium_path(), args=["--no-sandbox"]
        )
        yield browser
        browser.close()


@pytest.fixture
def cast(live_server: Any) -> Cast:
    cast = make_cast()
    enable(cast.organization, "mcp_approval", "mcp_research")
    return cast


@pytest.fixture
def rows(cast: Cast) -> EvidenceRows:
    """A quote far down a long text, below the fold of any window."""
    quote = "Bleach is no longer maintained as of 2026-06-05."
    text = f"License-Expression: Apache-2.0\n\n{FILLER}{quote}\n\n{FILLER}"
    answers = [
        (key, wording, [item for item in quotes if item in text])
        for key, wording, quotes in ANSWERS
    ]
    many = [(f"q{number}", f"Question {number}?", []) for number in range(12)]
    return make_evidence(
        cast.organization, cast.ada, text=text, answers=[*many, *answers]
    )


@pytest.fixture
def visit(chromium: Any, live_server: Any) -> Iterator[Any]:
    """Opens windows; at the end nothing may have complained in any of them."""
    visitors: list[Visitor] = []

    def opened(viewport: dict[str, int] = WIDE, **options: Any) -> Visitor:
        context = chromium.new_context(viewport=viewport, **options)
        visitors.append(Visitor(context.new_page(), live_server.url))
        return visitors[-1]

    yield opened
    for visitor in visitors:
        visitor.page.context.close()
    assert [line for visitor in visitors for line in visitor.complaints] == []
