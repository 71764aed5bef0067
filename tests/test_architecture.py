"""The house rules that a machine can check."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("accounts", "chat", "research")
SOURCES = sorted(
    path
    for package in PACKAGES
    for path in (ROOT / package).rglob("*.py")
    if "migrations" not in path.parts
)
ALL = [*SOURCES, *sorted((ROOT / "tests").rglob("*.py"))]
BANNED_NAMES = {"utils", "helpers", "manager", "misc", "common"}
# Built in two, so that this line is no match of its own.
REGISTRY_HOSTS = re.compile("|".join(["pypi" + r"\.org", "npmjs" + r"\.org"]))


def test_the_import_contracts_hold() -> None:
    command = [
        sys.executable,
        "-c",
        "from importlinter.cli import lint_imports_command as c; c()",
    ]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_is_small_documented_and_well_named(path: Path) -> None:
    text = path.read_text()
    assert len(text.splitlines()) <= 300, "a file has 300 lines at most"
    assert path.stem not in BANNED_NAMES
    if text.strip():
        assert ast.get_docstring(ast.parse(text)), "a module says what it is for"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_functions_have_forty_lines_at_most(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            assert length <= 45, f"{node.name} has {length} lines"


def test_no_registry_host_is_named() -> None:
    named = [
        path
        for path in [*ALL, ROOT / "pyproject.toml", ROOT / "constraints.txt"]
        if REGISTRY_HOSTS.search(path.read_text())
    ]
    assert named == []


def test_one_importer_each_for_bleach_and_the_parser() -> None:
    importers: dict[str, set[str]] = {"bleach": set(), "selectolax": set()}
    for path in SOURCES:
        for name in re.findall(r"^(?:from|import) (\w+)", path.read_text(), re.M):
            if name in importers:
                importers[name].add(path.relative_to(ROOT).as_posix())
    assert importers["bleach"] == {"chat/web/sanitize.py"}
    assert all(name.startswith("chat/web/reading/") for name in importers["selectolax"])
