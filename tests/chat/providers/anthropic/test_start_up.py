"""The SDK is thousands of modules: only a process that asks the API loads it."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]
PAGES = (
    "import os; os.environ['DJANGO_SETTINGS_MODULE'] = 'tests.settings';"
    " import django; django.setup(); import research.urls, research.tasks"
)


@pytest.mark.parametrize(
    "statement",
    [
        "import chat.providers.prices, chat.providers.server_search",
        "import chat.providers.openai_compatible",
        PAGES,
    ],
    ids=["neutral", "other", "pages"],
)
def test_nothing_else_loads_the_sdk(statement: str) -> None:
    found = "print([name for name in ('anthropic', 'httpx2') if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; {statement}; {found}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "[]"
