"""The JSON answer in what a model wrote, found in one pass over the text.

1. The whole text, or all of it inside one fence, is the answer if it is JSON.
2. Otherwise the last top-level value that begins a line decides, and no earlier one
   ever stands in for it: examples come before answers. Top-level means outside every
   other object and array that begins a line. It is the answer if
   - it is complete: what the end of the text or of its fence cuts off is not;
   - it is JSON;
   - nothing but a fence follows it on its last line: a sentence that goes on there
     speaks about the value;
   - at most 200 characters follow it, fences not counted: after more text than that it
     may be a quotation in a refusal.
   What begins inside a line, and all of a Markdown quotation (from "> ..." to the next
   blank line), is quoted and never looked at.
3. Texts, numbers, booleans and null are answers under rule 1 only.

JSON is read strictly: a name given twice in one object (which of the two was meant?), a
number that is not finite, half a surrogate pair, and more than 64 levels are refused.
"""

import json
import math
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from chat.engine.json_value import Json, json_problem

PROSE_AFTER = 200
KINDS = {"{": "object", "[": "array"}

_FENCED = re.compile(r"(`{3,}+|~{3,}+)[^\n]*+\n(.*)\n[ \t]*\1", re.DOTALL)
_FENCE_LINE = re.compile(r"^[ \t]*+(?:```|~~~)[^\n]*+$", re.MULTILINE)
_INDENT = re.compile(r"[ \t\r]*+")
_ALONE = re.compile(r"[ \t\r]*+(?:`{3,}+|~{3,}+)?+[ \t\r]*+(?:\n|\Z)")
# Nothing in here ever gives a character back, so a search moves forward only. A string
# that is never closed is a token, too; none crosses a line that begins with a fence.
_TOKEN = re.compile(
    r'"(?:[^"\\\n]++|\\.|\n(?![ \t]*+(?:```|~~~)))*+"?+'
    r"|[\[\]{}]|\n[ \t]*+(?:```|~~~)"
)


class NotJson(ValueError):
    """The text is no JSON as we read it; the message says why, for the model."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a search has found.

    value: the JSON value, where problem is empty. problem: what a model must know to
    mend its answer. steps: characters looked at, at most six times those of the text.
    """

    value: Json = None
    problem: str = ""
    steps: int = 0


def find_json(text: str, kinds: Collection[str] = "{[") -> Found:
    """Find the answer in `text`; never raises.

    kinds: the brackets that an answer may begin with under rule 2, `{` or `[` or both;
    none where only a text, a number, a boolean or null can be the answer.
    """
    whole = text.strip()
    fenced = _FENCED.fullmatch(whole)
    steps, problem = len(text), ""
    for raw in (whole, fenced[2].strip()) if fenced else (whole,):
        steps += len(raw)
        try:
            return Found(parse_json(raw), steps=steps)
        except NotJson as error:
            problem = f"is not one JSON value: {error}" if whole else "is empty"
    if whole and kinds:
        return _last(_Scan(text, steps), kinds)
    return Found(problem=f"The answer {problem}. {_wish(kinds)}", steps=steps)


def parse_json(text: str, start: int | None = None) -> Json:
    """Return the JSON value that `text` is, or that begins at `start`; raises NotJson.

    After a value that begins at `start` anything may follow.
    """
    try:
        if start is None:
            value = _DECODER.decode(text)
        else:
            value, _end = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        what = error.msg.removesuffix(" at")
        msg = f"{what} at line {error.lineno}, column {error.colno}"
        raise NotJson(msg) from None
    except RecursionError:
        msg = "it is nested too deeply"
        raise NotJson(msg) from None
    if problem := value_problem(value):
        raise NotJson(problem)
    return value


def value_problem(value: Json) -> str | None:
    """Say in a few words why `value` is no JSON as we read it, or None if it is."""
    if problem := json_problem(value):
        return problem
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        near = ascii(error.object[max(0, error.start - 20) : error.end])
        return f"it contains half of a surrogate pair, at the end of {near}"
    except ValueError as error:
        return f"it cannot be written as JSON: {error}"
    return None


@dataclass(frozen=True, slots=True)
class _Span:
    """A value as its brackets say; not closed where it is cut off at `end`."""

    start: int
    end: int
    closed: bool


class _Scan:
    """The pass over the text. steps: characters that it has moved over, and before."""

    def __init__(self, text: str, steps: int) -> None:
        self.text = text
        self.steps = steps

    def top_level(self) -> Iterator[_Span]:
        """Give the values that begin a line, outside each other and quotations."""
        text, place, quoted = self.text, 0, False
        while place < len(text):
            end = _INDENT.match(text, place).end()  # type: ignore[union-attr]
            first = text[end : end + 1]
            if first in KINDS and not quoted:
                span = self._value(end)
                yield span
                end = span.end
            fence = text.startswith(("```", "~~~"), end)
            quoted = first == ">" or (quoted and first not in ("", "\n") and not fence)
            after = text.find("\n", end) + 1 or len(text)
            self.steps += after - place
            place = after

    def _value(self, start: int) -> _Span:
        depth, place = 0, start
        for token in _TOKEN.finditer(self.text, start):
            self.steps += token.end() - place
            place = token.end()
            depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(token[0], 0)
            if token[0][0] == "\n":
                return _Span(start, token.start(), closed=False)
            if depth == 0:
                return _Span(start, place, closed=True)
        self.steps += len(self.text) - place
        return _Span(start, len(self.text), closed=False)


def _last(scan: _Scan, kinds: Collection[str]) -> Found:
    text, last = scan.text, None
    for span in scan.top_level():
        last = span if text[span.start] in kinds else last
    if last is None:
        problem = f"No JSON {_names(kinds)} begins a line of the answer."
        return Found(problem=f"{problem} {_wish(kinds)}", steps=scan.steps)
    value, problem = _judge(text, last)
    steps = scan.steps + 2 * (len(text) - last.start)
    if not problem:
        return Found(value, steps=steps)
    line = text.count("\n", 0, last.start) + 1
    which = f"The last JSON {KINDS[text[last.start]]} of the answer (line {line})"
    return Found(problem=f"{which} {problem}. {_wish(kinds)}", steps=steps)


def _judge(text: str, span: _Span) -> tuple[Json, str]:
    """Return the value at `span`, or what keeps it from being the answer."""
    try:
        value = parse_json(text, span.start)
    except NotJson as error:
        lead = "is not valid" if span.closed else "is cut off, not all brackets close"
        return None, f"{lead}: {error}"
    if not _ALONE.match(text, span.end):
        return None, "has text after it on its last line"
    if len(_FENCE_LINE.sub("", text[span.end :]).strip()) > PROSE_AFTER:
        return None, f"is followed by more than {PROSE_AFTER} characters of text"
    return value, ""


def _names(kinds: Collection[str]) -> str:
    return " or ".join(KINDS[kind] for kind in kinds) or "value"


def _wish(kinds: Collection[str]) -> str:
    return f"Answer with one complete JSON {_names(kinds)} and no words around it."


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for name, item in pairs:
        if name in value:
            msg = f"the name {ascii(name)[:80]} is given twice in one object"
            raise NotJson(msg)
        value[name] = item
    return value


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        _not_finite(digits)
    return number


def _not_finite(digits: str) -> NoReturn:
    msg = f"the number {digits[:40]} is not finite"
    raise NotJson(msg)


def _whole(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:
        msg = f"the number {digits[:20]}... has too many digits"
        raise NotJson(msg) from None


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_float=_finite,
    parse_int=_whole,
    parse_constant=_not_finite,
)
