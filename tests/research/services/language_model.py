"""Runs whose researcher is a language model, asked over a real socket."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.utils import timezone

from accounts.actor import Actor
from chat import engine
from research.models import Run
from research.services.bring_documents import Document
from research.services.execute_run import execute_run
from research.services.start_run import start_run
from research.subjects.identity import parse_subject
from tests.factories.accounts import Cast, enable, make_cast
from tests.factories.chat import offer_model
from tests.fakes.model_server import KEY, ModelServer, Reply, call, say, wire
from tests.fakes.model_server.replies import hit, search

NAME = "sonnet"
LICENCE = "This project is licensed under the MIT licence."
README = f"# Weir\n\n{LICENCE}\n\nIt needs Python 3.11.\n".encode()
URI = "document:README.md"
KEYS = {"anthropic": KEY, "openrouter": "", "endpoint": ""}
# claude-sonnet-5-5 at 2, 10, 2.5 and 0.10 dollars a million, a search for a cent:
# 0.002 + 0.002 + 0.001 + 0.001 + 0.02
USAGE: dict[str, Any] = {
    "input_tokens": 1_000,
    "output_tokens": 200,
    "cache_creation_input_tokens": 400,
    "cache_read_input_tokens": 10_000,
    "cache_creation": {
        "ephemeral_5m_input_tokens": 400,
        "ephemeral_1h_input_tokens": 0,
    },
    "server_tool_use": {"web_search_requests": 2, "web_fetch_requests": 0},
}
SEARCH = call("search_documents", query="licence")
REPORTING = call("search_documents", query="report security")
READ = call("read_document", uri=URI)
CITE = call(
    "cite", question="licence", claim="It is under MIT.", uri=URI, quote=LICENCE
)
ABSENT = call("note_absence", question="security_contact", searched=["report security"])


def researching(*, on_the_web: bool = False) -> list[Reply]:
    """Looks, reads, records a claim and an absence, and ends."""
    looked = search("weir licence", hit("https://weir.example.org")) * on_the_web
    return [
        say(*looked, "I look it up.", SEARCH, REPORTING, usage=USAGE),
        say(READ, usage=USAGE),
        say(CITE, ABSENT, usage=USAGE),
        say("The licence is recorded.", usage=USAGE),
    ]


def world() -> Cast:
    """An organization with research and with the provider's search."""
    cast = make_cast()
    enable(cast.organization, "mcp_approval", "mcp_research", "server_web_search")
    return cast


@contextmanager
def offered(script: Any, **fields: Any) -> Iterator[ModelServer]:
    """A server that plays the script, offered as the researcher NAME."""
    with wire(script) as server:
        offer_model(NAME, base_url=server.base_url, **fields)
        yield server


def ask(by: Actor, researcher: str = NAME) -> Run:
    return start_run(
        by=by,
        subject=parse_subject("pkg:pypi/no-such-distribution"),
        documents=[Document("README.md", README)],
        researcher=researcher,
        ring_bell=False,
    )


def execute(run: Run, **options: Any) -> Run:
    execute_run(run.public_id, owner="worker", **options)
    run.refresh_from_db()
    return run


class Killed(BaseException):
    """What SIGKILL would be, if it could be caught: nothing cleans up."""


def killer(cut: int) -> Callable[[engine.Event], None]:
    """Kills when so many events have been journaled."""
    seen = 0

    def on_event(event: engine.Event) -> None:
        nonlocal seen
        seen += engine.is_journaled(event)
        if seen >= cut:
            raise Killed

    return on_event


def fall_silent(run: Run) -> None:
    """Its worker is gone: the lease has run out."""
    Run.objects.filter(pk=run.pk).update(lease_expires_at=timezone.now())
