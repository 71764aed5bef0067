"""Redaction: every secret that a report could hold is gone, every figure stays."""

import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chat.engine.codec import encode
from chat.engine.diagnostics import main
from chat.engine.loading import load_report
from chat.engine.redaction import redacted
from chat.engine.report import RunReport, TimelineEntry, ToolTally
from tests.chat.engine.reports import GAP, altered, clean, filled, leaves, reports

pytestmark = pytest.mark.row("B2")

SECRET = "078-05-1120"
KEY = b"k" * 32
HASH = re.compile(r"redacted-[0-9a-f]{12}")
PLANTED = filled(RunReport, SECRET)
PATHS = [path for path in leaves(encode(PLANTED)) if path]
secrets = st.text(max_size=4).map(lambda text: SECRET + text)
words = st.sampled_from(
    ["standard", "fit", "unfit", "overloaded", "model_failed", "x", ""]
)


def shown(report: RunReport) -> str:
    """Everything that is made of a report for outsiders, in one text."""
    dumped = json.dumps(redacted(report).to_json())
    findings = json.dumps([each.to_json() for each in redacted(report).findings])
    return dumped + findings + report.explain(redact=True)


@pytest.fixture
def command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., str]:
    def run(data: Any, *options: str) -> str:
        stdin = io.TextIOWrapper(io.BytesIO(json.dumps(data).encode()))
        monkeypatch.setattr("sys.stdin", stdin)
        main(["-", "--redact", *options])
        done = capsys.readouterr()
        return done.out + done.err

    return run


def figures(value: Any) -> Iterator[Any]:
    if is_dataclass(value) and not isinstance(value, type):
        for part in fields(value):
            yield from figures(getattr(value, part.name))
    elif isinstance(value, tuple):
        yield len(value)
        for item in value:
            yield from figures(item)
    elif value is None or isinstance(value, StrEnum | int | float | Decimal):
        yield value


@given(reports(secrets))
def test_a_secret_in_any_text_field_is_never_shown(report: RunReport) -> None:
    assert SECRET not in shown(report)


def test_a_secret_in_every_field_at_once_is_never_shown() -> None:
    everywhere = filled(RunReport, SECRET, enumerations=True)

    assert json.dumps(encode(everywhere)).count(SECRET) > 20
    assert SECRET not in shown(everywhere)


@pytest.mark.parametrize("path", PATHS, ids=str)
def test_a_secret_in_place_of_anything_is_refused_or_hashed(
    path: tuple[Any, ...], command: Callable[..., str]
) -> None:
    *parents, last = path
    data = encode(PLANTED)
    place = data
    for step in parents:
        place = place[step]
    place[last] = {SECRET: SECRET} if place[last] == SECRET else SECRET

    assert SECRET not in command(data)
    assert SECRET not in command({"report": data, "output": SECRET}, "--json")


@given(reports(st.text(max_size=3)), st.data())
@settings(max_examples=60)
def test_unknown_keys_are_dropped(report: RunReport, data: st.DataObject) -> None:
    plain = encode(report)
    objects = [path for path in leaves(plain) if isinstance(_at(plain, path), dict)]
    _at(plain, data.draw(st.sampled_from(objects)))[SECRET] = {"findings": SECRET}

    loaded = load_report(plain)
    assert loaded == report
    assert SECRET not in shown(loaded)


def _at(data: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        data = data[step]
    return data


@given(reports(st.text(max_size=3)))
def test_redaction_keeps_every_figure(report: RunReport) -> None:
    assert list(figures(redacted(report, KEY))) == list(figures(report))


@given(reports(words))
def test_redaction_keeps_every_finding(report: RunReport) -> None:
    before = [(each.code, each.severity) for each in report.findings]
    after = [(each.code, each.severity) for each in redacted(report, KEY).findings]
    assert after == before


def test_equal_texts_have_equal_hashes_under_one_key_across_fields() -> None:
    report = altered(clean(), {"coverage": GAP, "model": "b"})
    clear = redacted(report, KEY)

    assert clear.coverage is not None
    assert clear.coverage.unprocessed == (clear.model,)
    assert HASH.fullmatch(clear.model)
    assert clear.findings[0].evidence["names"] == (clear.model,)


def test_another_key_gives_other_hashes() -> None:
    report = clean(model="sonnet")

    assert redacted(report).model == redacted(report).model
    assert redacted(report, KEY).model != redacted(report, b"other").model
    with pytest.raises(ValueError, match="empty key"):
        redacted(report, b"")


def test_words_of_the_engine_pass_and_names_do_not() -> None:
    called = TimelineEntry(1, 1, "tool_called", "fetch")
    failed = TimelineEntry(2, 1, "model_failed", "overloaded")
    tool = ToolTally("fetch", "business", 1)
    clear = redacted(clean(timeline=(called, failed), tools=(tool,)), KEY)

    assert clear.timeline[0].kind == "tool_called"
    assert clear.timeline[0].detail == clear.tools[0].name != "fetch"
    assert clear.timeline[1] == failed
    assert clear.tools[0].kind == "business"
    assert clear.preflight == clean().preflight
    assert clear.configuration == clean().configuration


def test_a_name_that_is_a_lone_surrogate_is_hashed() -> None:
    loaded = load_report(json.dumps(clean(model="\ud800").to_json()))
    assert HASH.fullmatch(redacted(loaded).model)


def test_what_no_report_holds_cannot_be_redacted() -> None:
    with pytest.raises(TypeError, match="dict"):
        redacted(clean(model={"name": SECRET}))
