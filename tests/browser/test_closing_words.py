"""A model's closing words in a real browser: laid out, in bounds, and inert."""

from collections.abc import Callable
from typing import Any

import pytest

from chat import engine
from chat.output_gate import Answer
from research.canonical import canonical_json
from research.models import Run
from tests.browser.conftest import NARROW, WIDE, Visitor
from tests.factories.research import EvidenceRows
from tests.research.hostile_answer import TEXT, write_event

pytestmark = [pytest.mark.browser, pytest.mark.row("A13")]
Visit = Callable[..., Visitor]
CITED = "Bleach is deprecated, and nobody maintains it any more."
WORDS = f"""# What was found

{CITED} See `bleach.clean()` and the
[notice](https://example.org/notice "The maintainers’ own words").

1. It is under Apache-2.0.
4. Its last release is 6.4.0, of which a very long name follows: {"a" * 120}.

| Question | Found | Where it stands, in words that take some room |
|---|---|---|
| Licence | yes | METADATA, and the file LICENSE beside it |
| Advisories | no | nothing in the documents |

```python
print("{"x" * 200}")
```

> Quoted by the model.

"""


@pytest.fixture
def run(rows: EvidenceRows) -> Run:
    start = WORDS.index(CITED)
    sources = ["https://example.org/notice", "https://example.org/other"]
    citations = tuple(
        engine.Citation("web", start, start + len(CITED), source, "A title", "Cited.")
        for source in [*sources, "javascript:alert(1)"]
    )
    answer = Answer(
        WORDS + TEXT,
        engine.StopReason.COST_BUDGET,
        engine.Status.PARTIAL,
        secondary=(engine.StopReason.TRUNCATED,),
        citations=citations,
    )
    stored = canonical_json(answer.to_json())
    Run.objects.filter(pk=rows.run.pk).update(answer=stored, researcher="a-model")
    head = engine.ErrorHead(529, "overloaded_error", "", "req_011CTk8Zx2L9vN")
    failed = engine.ModelFailed(
        engine.ErrorKind.OVERLOADED, "529 overloaded_error: Overloaded", head=head
    )
    write_event(rows.run, failed.kind, engine.event_to_json(failed))
    return rows.run


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_words_stay_within_the_page_and_nothing_acts(
    visit: Visit, run: Run, viewport: dict[str, int], scheme: str
) -> None:
    mia = visit(viewport, color_scheme=scheme)
    mia.sign_in("mia@example.org")
    mia.page.on("dialog", lambda dialog: mia.complaints.append(dialog.message))
    mia.open(f"/o/harbour/runs/{run.public_id}/")

    assert mia.overflow() <= 0
    assert mia.page.locator(".model-answer h3").count() == 2
    for link in mia.page.locator(".model-answer a").all():
        assert str(link.get_attribute("href")).startswith(("https://", "#answer-"))


def test_a_marker_leads_to_its_source(visit: Visit, run: Run) -> None:
    mia: Any = visit()
    mia.sign_in("mia@example.org")
    mia.open(f"/o/harbour/runs/{run.public_id}/")
    mia.page.get_by_role("link", name="[2]").click()

    assert mia.page.url.endswith("#answer-source-2")
    assert mia.seen("#answer-source-2")
