"""Scenario files: the exchanges of a correct client, and requests to be refused."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.fakes.model_server.replies import Reply
from tests.fakes.model_server.sse import frames_of_file
from tests.fakes.model_server.values import Json

FOLDER = Path(__file__).resolve().parents[2] / "data" / "wire"


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request as a correct client sends it, and what is answered.

    expected: {method, path, headers, body}; None where any request will do.
    """

    reply: Reply
    expected: Json = None
    title: str = ""
    unchecked: bool = False


@dataclass(frozen=True, slots=True)
class Scenario:
    """One file; `expect` is for the test of the client. `after` has been played."""

    id: str
    title: str
    provider: str
    exchanges: tuple[Exchange, ...]
    negatives: tuple[Exchange, ...]
    expect: dict[str, Any]
    after: str | None = None


def names() -> list[str]:
    """Every scenario, in the order of their numbers."""
    return sorted(path.stem for path in FOLDER.glob("*.json"))


def load(name: str | Path) -> Scenario:
    """Read a scenario by its name, or from a path."""
    path = Path(name) if str(name).endswith(".json") else FOLDER / f"{name}.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    return Scenario(
        id=data["id"],
        title=data["title"],
        provider=data["provider"],
        exchanges=_exchanges(data, "exchanges", path),
        negatives=_exchanges(data, "negatives", path),
        expect=data.get("expect", {}),
        after=data.get("after"),
    )


def _exchanges(data: Json, part: str, path: Path) -> tuple[Exchange, ...]:
    listed = data.get(part, [])
    return tuple(
        Exchange(
            _reply(exchange["response"], path.parent),
            exchange["request"],
            f"{data['id']}, {part[:-1]} {n} of {len(listed)}",
            data.get("skip_contract", False),
        )
        for n, exchange in enumerate(listed, 1)
    )


def _reply(response: Json, folder: Path) -> Reply:
    frames = None
    if "sse" in response:
        frames = frames_of_file((folder / response["sse"]).read_text(encoding="utf-8"))
    return Reply(response.get("body"), response["status"], response["headers"], frames)
