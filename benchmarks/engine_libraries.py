"""The libraries that are compared, and an environment of its own for each."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INSTALL_S = 300


class NotAvailable(Exception):
    """Why a library cannot be measured here."""


@dataclass(frozen=True, slots=True)
class Library:
    """One row of the table.

    requirement: what pip installs, pinned; empty for the standard library alone.
    workload: module of benchmarks.engine_workloads. imports: the import statement of
    what the workload needs of the library.
    """

    title: str
    requirement: str
    workload: str
    variant: str
    imports: str


_NUCLEUS = (
    "from nucleusiq.agents import Agent;"
    " from nucleusiq.agents.config import AgentConfig"
)
OURS = Library("chat.engine", "", "weighhouse", "execute", "import chat.engine")
PEERS = (
    Library("NucleusIQ", "nucleusiq==0.7.14", "nucleusiq", "default", _NUCLEUS),
    Library(
        "NucleusIQ, context off",
        "nucleusiq==0.7.14",
        "nucleusiq",
        "no-context",
        _NUCLEUS,
    ),
    Library(
        "pydantic-ai, bare Model",
        "pydantic-ai-slim==2.68.0",
        "pydantic_ai",
        "default",
        "from pydantic_ai import Agent",
    ),
    Library(
        "langgraph, react agent",
        "langgraph==1.2.24",
        "langgraph",
        "default",
        "from langgraph.prebuilt import create_react_agent;"
        " from langchain_core.language_models.chat_models import BaseChatModel",
    ),
)


def default_folder() -> Path:
    """Return where environments are kept between calls, private to this user."""
    version = ".".join(map(str, sys.version_info[:2]))
    name = f"weighhouse-bench-{os.getuid()}-python{version}"
    return Path(tempfile.gettempdir()) / name


def interpreters(
    folder: Path, libraries: Iterable[Library]
) -> dict[Library, Path | NotAvailable]:
    """Return each library's Python, or why there is none; one for a requirement."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        sys.exit(f"{folder} belongs to somebody else; name another with --venvs.")
    made: dict[str, Path | NotAvailable] = {}
    for library in libraries:
        if library.requirement not in made:
            made[library.requirement] = _interpreter(folder, library.requirement)
    return {library: made[library.requirement] for library in libraries}


def _interpreter(folder: Path, requirement: str) -> Path | NotAvailable:
    home = folder / (requirement.replace("==", "-") or "standard-library")
    python, done, log = home / "bin" / "python", home / "installed", home / "pip.log"
    if done.exists():
        return python
    bare = [] if requirement else ["--without-pip"]
    try:
        _call([sys.executable, "-m", "venv", "--clear", *bare, str(home)], None)
        if requirement:
            _call([str(python), "-m", "pip", "install", requirement], log)
    except (OSError, subprocess.SubprocessError):
        return NotAvailable(f"{requirement or 'an environment'} cannot be made: {log}")
    done.touch()
    return python


def _call(command: list[str], log: Path | None) -> None:
    done = subprocess.run(
        command, check=False, timeout=INSTALL_S, capture_output=True, text=True
    )
    if log:
        log.write_text(done.stdout + done.stderr)
    done.check_returncode()
