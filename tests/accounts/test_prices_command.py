"""`manage.py prices`: what holds today, and what an import says."""

import json
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from accounts.models import Price
from research.management.exit_codes import ExitCode
from tests.factories.accounts import make_user

pytestmark = pytest.mark.django_db
RECORD: dict[str, Any] = {
    "model": "local/llama",
    "valid_from": "2026-11-01",
    "input": "0",
    "output": "0.25",
    "source": "our own machine",
}


def prices(*arguments: str) -> str:
    out = StringIO()
    call_command("prices", *arguments, stdout=out)
    return out.getvalue()


def file_of(folder: Path, *records: dict[str, Any]) -> str:
    path = folder / "new.json"
    path.write_text(json.dumps(records))
    return str(path)


def test_the_list_shows_what_is_built_in_with_its_cliff() -> None:
    lines = prices("list").splitlines()
    (haiku,) = [n for n, line in enumerate(lines) if "claude-haiku-5-5" in line]
    shown = "claude-haiku-5-5 2026-11-30 0.1 0.5 0.125 0.2 0.01 0.5 10 built in"
    above = "over 100,000 tokens 0.5 2.5 0.625 1 0.05"
    assert lines[haiku].split() == shown.split()
    assert lines[haiku + 1].split() == above.split()


def test_one_model_is_listed_by_any_of_its_ids() -> None:
    text = prices("list", "anthropic/claude-opus-5.5")
    assert "claude-opus-5-5 (fast)" in text
    assert "claude-sonnet" not in text


def test_a_model_without_a_price_is_said_to_be_unknown() -> None:
    with pytest.raises(CommandError, match="unknown") as refused:
        prices("list", "some-model")
    assert refused.value.returncode == ExitCode.NOT_FOUND


def test_an_imported_price_is_listed_with_its_source(tmp_path: Path) -> None:
    told = prices("import", file_of(tmp_path, RECORD))
    assert told == "Added 1 row; 0 rows there already.\n"
    (listed,) = prices("list", "local/llama").splitlines()[2:]
    assert listed.split()[:5] == ["local/llama", "2026-11-01", "0", "0.25", "unknown"]
    assert listed.endswith("our own machine")


def test_days_to_come_and_corrections_are_pointed_out(tmp_path: Path) -> None:
    day = (datetime.now(UTC) + timedelta(days=10)).date().isoformat()
    later = {**RECORD, "valid_from": day, "output": 1}
    prices("import", file_of(tmp_path, RECORD))
    told = prices("import", file_of(tmp_path, {**RECORD, "output": 3}, later))
    assert f"from {day}: holds in 10 days, not yet today." in told
    assert "from 2026-11-01: corrects what was imported before, revision 2." in told
    assert " 3 " in prices("list", "local/llama")


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    told = prices("import", "--dry-run", file_of(tmp_path, RECORD))
    assert told == "Would add 1 row; 0 rows there already.\n"
    assert not Price.objects.exists()


def test_the_operator_who_imports_is_named(tmp_path: Path) -> None:
    operator = make_user("root@example.org", superuser=True)
    prices("import", "--by", "root@example.org", file_of(tmp_path, RECORD))
    assert Price.objects.get().imported_by == operator


@pytest.mark.parametrize(
    ("by", "changes", "code"),
    [
        ("", {"input": "-1"}, ExitCode.BAD_INPUT),
        ("ada@example.org", {}, ExitCode.NOT_ALLOWED),
        ("nobody@example.org", {}, ExitCode.NOT_FOUND),
    ],
)
def test_what_is_refused_ends_with_a_sentence_and_a_code(
    tmp_path: Path, by: str, changes: dict[str, Any], code: ExitCode
) -> None:
    make_user("ada@example.org")
    with pytest.raises(CommandError) as refused:
        prices("import", "--by", by, file_of(tmp_path, {**RECORD, **changes}))
    assert refused.value.returncode == code
    assert not Price.objects.exists()
