"""No row is forgotten: every public bug that is known has a test with its number."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROWS = range(1, 42)
NAME = re.compile(r"test_bug_(\d\d)_\w+")
ISSUE = re.compile(r"[\w./-]+ ?(PR)?#\d+")


def bugs() -> Iterator[tuple[int, ast.FunctionDef]]:
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            found = isinstance(node, ast.FunctionDef) and NAME.fullmatch(node.name)
            if found and isinstance(node, ast.FunctionDef):
                yield int(found[1]), node


def test_every_row_has_a_test_that_bears_its_number() -> None:
    assert sorted({row for row, _ in bugs()}) == list(ROWS)


def test_every_test_names_the_issue_that_it_is_about() -> None:
    for _, node in bugs():
        assert ISSUE.search(ast.get_docstring(node) or ""), node.name
