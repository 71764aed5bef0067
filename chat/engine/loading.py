"""Reports read back from JSON, a file, or what holds one. None of it is trusted."""

import json
import math
from collections.abc import Mapping
from decimal import Decimal
from os import PathLike
from pathlib import Path
from typing import Any, AnyStr, NoReturn, TypeAlias

from chat.engine.codec import decode
from chat.engine.report import SCHEMA_VERSION, RunReport

MAX_BYTES = 16 * 1024 * 1024
# No figure of a run has more; longer ones only cost whoever prints them.
MAX_DIGITS = 18

Source: TypeAlias = Mapping[str, Any] | str | bytes | PathLike[str]


class ReportError(ValueError):
    """There is no report to read; the message says why and quotes nothing of it."""


def load_report(source: Source) -> RunReport:
    """Return the report in `source`; ReportError where it holds none.

    source: a JSON object, its text, or the path of a file with it, MAX_BYTES at most;
    either a report, or an AgentResult.summary() with one under the key `report`.
    Unknown keys are ignored, findings among them.
    """
    data = _parsed(_text(source))
    if isinstance(data, dict) and "report" in data and "schema_version" not in data:
        data = data["report"]
    if not isinstance(data, dict):
        _refuse("A report is a JSON object.")
    _check_version(data)
    return _decoded(data)


def _text(source: Source) -> str:
    if isinstance(source, Mapping):
        return _dumped(source)
    if isinstance(source, str) and source.lstrip()[:1] in ("{", "["):
        return _bounded(source)
    if isinstance(source, str | PathLike):
        source = _file(source)
    if not isinstance(source, bytes):
        _refuse(f"A report cannot be read from a {type(source).__name__}.")
    return _decoded_text(_bounded(source))


def _file(path: str | PathLike[str]) -> bytes:
    try:
        with Path(path).open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        _refuse(f"This is no JSON object and no file that can be read: {reason}.")
    except ValueError:
        _refuse("This is no JSON object and no path.")


def _bounded(content: AnyStr) -> AnyStr:
    if len(content) > MAX_BYTES:
        _refuse(f"A report has {MAX_BYTES} bytes at most.")
    return content


def _decoded_text(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        _refuse("A report is text in UTF-8.")


def _dumped(data: Mapping[str, Any]) -> str:
    try:
        return json.dumps(dict(data))
    except (TypeError, ValueError, RecursionError):
        _refuse("A report holds nothing but JSON.")


def _parsed(text: str) -> Any:
    try:
        return json.loads(
            text, parse_int=_whole, parse_float=_real, parse_constant=_real
        )
    except json.JSONDecodeError as error:
        _refuse(f"This is no JSON: line {error.lineno}, column {error.colno}.")
    except RecursionError:
        _refuse("A report is not nested that deep.")


def _whole(digits: str) -> int:
    if len(digits.lstrip("-")) > MAX_DIGITS:
        _refuse("A report has no number that long.")
    return int(digits)


def _real(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        _refuse("A report has no number without end.")
    return value


def _check_version(data: Mapping[str, Any]) -> None:
    version = data.get("schema_version")
    if type(version) is not int:
        _refuse("A report has a whole number as its schema_version.")
    if version != SCHEMA_VERSION:
        _refuse(f"This report has schema version {version}, not {SCHEMA_VERSION}.")


def _decoded(data: Mapping[str, Any]) -> RunReport:
    try:
        report = decode(RunReport, data)
    except ValueError as error:
        # The rest of such a message is the value itself, which may be a secret.
        place, quoted, _ = str(error).partition(" cannot be ")
        _refuse(f"{place} is not what it should be." if quoted else place)
    costs: tuple[Decimal | None, ...] = (report.cost, report.configuration.cost)
    if any(cost is not None and not cost.is_finite() for cost in costs):
        _refuse("A cost is a finite number.")
    return report


def _refuse(problem: str) -> NoReturn:
    # Not chained: what was raised before may quote the report.
    raise ReportError(problem) from None
