"""A report as Markdown for people. Nothing in it can pose as part of the page."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, is_dataclass
from decimal import Decimal
from typing import Any

from chat.engine.findings import Figure, Finding, analyze
from chat.engine.report import RunReport

LONGEST = 120
NAMES = 20


def worst_findings(report: RunReport, n: int = 3) -> tuple[Finding, ...]:
    """Return the `n` worst findings."""
    return analyze(report)[:n]


def explain(report: RunReport, *, redact: bool = False) -> str:
    """Return the report and its findings as Markdown.

    redact: every free word in it is replaced by a keyed hash first.
    """
    if redact:
        report = report.redacted()
    sections = [
        ("# Run report", _identity(report)),
        ("## Counters", _figures(report.counters)),
        ("## Window", _figures(report.budget)),
        ("## Preflight", _figures(report.preflight)),
        ("## Limits", _figures(report.configuration)),
        ("## Tools", _tools(report)),
        ("## Children", _children(report)),
        ("## Coverage", _coverage(report)),
        ("## Decisions", _figures(report.decisions)),
        *_findings(analyze(report)),
    ]
    parts = ((heading, list(lines)) for heading, lines in sections)
    return (
        "\n\n".join(
            f"{heading}\n\n" + "\n".join(f"- {line}" for line in lines)
            for heading, lines in parts
            if lines
        )
        + "\n"
    )


def visible(text: str) -> str:
    """Return the text in one short line, with nothing in it that is not seen."""
    shown = "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode()
        for char in text[: LONGEST + 1]
    )
    return shown if len(shown) <= LONGEST else shown[: LONGEST - 1] + "…"


def plain(figure: Figure) -> str:
    """Return a figure of a finding for a plain line."""
    return _written(figure, visible)


def _identity(report: RunReport) -> Iterator[str]:
    yield f"status: {_marked(report.status)}"
    yield f"stop: {_marked(report.stop)}"
    if report.secondary:
        yield f"then: {_marked(report.secondary)}"
    if report.model:
        yield f"model: {_marked(report.model)}"
    cost = "not known" if report.cost is None else str(report.cost)
    yield f"cost: {cost}"
    yield f"elapsed: {report.elapsed_s:.1f} s"


def _figures(part: Any, prefix: str = "") -> Iterator[str]:
    """Yield what is neither zero nor unset; a judgement of no is neither."""
    for each in fields(part):
        name, value = f"{prefix}{each.name}", getattr(part, each.name)
        if is_dataclass(value):
            yield from _figures(value, f"{name}.")
        elif value or (value is False and each.default is None):
            yield f"{name}: {_marked(value)}"


def _tools(report: RunReport) -> Iterator[str]:
    for tool in report.tools[:NAMES]:
        yield f"{_marked(tool.name)}: {tool.calls} calls, {tool.errors} errors"
    yield from _rest(report.tools)


def _children(report: RunReport) -> Iterator[str]:
    for child in report.children[:NAMES]:
        aside = ", auxiliary" if child.auxiliary else ""
        yield (
            f"{_marked(child.id)}: {_marked(child.status)}, {_marked(child.stop)}, "
            f"{child.tool_calls} of {child.tool_cap} tool calls, "
            f"{len(child.touched)} of {len(child.resources)} resources read{aside}"
        )
    yield from _rest(report.children)


def _coverage(report: RunReport) -> Iterator[str]:
    coverage = report.coverage
    if coverage is None:
        return
    yield f"read: {len(coverage.touched)} of {len(coverage.resources)} resources"
    if coverage.unprocessed:
        yield f"not read: {_marked(coverage.unprocessed[:NAMES])}"
        yield from _rest(coverage.unprocessed)
    if coverage.acknowledged:
        yield f"the answer says so of: {_marked(coverage.acknowledged[:NAMES])}"
        yield from _rest(coverage.acknowledged)
    yield f"asked for once more: {_marked(coverage.followup)}"
    yield f"answer held back: {_marked(coverage.blocked)}"


def _rest(items: tuple[Any, ...]) -> Iterator[str]:
    if len(items) > NAMES:
        yield f"and {len(items) - NAMES} more"


def _findings(found: Iterable[Finding]) -> Iterator[tuple[str, Iterable[str]]]:
    found = tuple(found)
    yield "## Findings", [f"{len(found)} in all" if found else "none"]
    for each in found:
        heading = f"### {each.severity.capitalize()}: {each.title} (`{each.code}`)"
        yield (
            heading,
            [
                f"cause: {each.cause}",
                f"now: {each.fix_now}",
                f"for the next release: {each.fix_release}",
                *(
                    f"{name}: {_marked(figure)}"
                    for name, figure in each.evidence.items()
                ),
            ],
        )


def _marked(figure: Figure) -> str:
    return _written(figure, _code)


def _written(figure: Figure, text: Callable[[str], str]) -> str:
    if isinstance(figure, tuple):
        return ", ".join(_written(item, text) for item in figure) or "none"
    if figure is None:
        return "none"
    if isinstance(figure, bool):
        return "yes" if figure else "no"
    if isinstance(figure, int | float | Decimal):
        return str(figure)
    return text(str(figure)) if figure else "(empty)"


def _code(text: str) -> str:
    """Return the text as a code span, in which Markdown and HTML mean nothing."""
    shown = visible(text)
    fence = "`"
    while fence in shown:
        fence += "`"
    return f"{fence} {shown} {fence}" if len(fence) > 1 else f"{fence}{shown}{fence}"
