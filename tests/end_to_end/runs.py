"""Runs for real workers, started as a reviewer would, and what became of them."""

from research.models import Run
from research.services.bring_documents import Document
from research.services.start_run import start_run
from research.subjects.identity import question_subject
from tests.factories.accounts import Cast, enable, make_cast

DOCUMENTS = (
    Document("retention.md", b"# Logs\n\nThe service keeps access logs for 30 days.\n"),
    Document("support.md", b"# Help\n\nThe service answers mail within two days.\n"),
)


def make_ready_cast() -> Cast:
    cast = make_cast()
    enable(cast.organization, "mcp_approval", "mcp_research")
    return cast


def ask_for_run(cast: Cast, question: str = "How long are access logs kept?") -> Run:
    return start_run(
        by=cast.actor(cast.ben), subject=question_subject(question), documents=DOCUMENTS
    )


def status_of(run: Run) -> str:
    run.refresh_from_db()
    return run.status


def claims_of(run: Run) -> list[str]:
    """Who claimed it, attempt by attempt."""
    return list(
        run.events.filter(kind="run.claimed")
        .order_by("seq")
        .values_list("payload", flat=True)
    )


def journal_of(run: Run) -> list[str]:
    """The hashes of its journal, oldest first."""
    return list(run.events.order_by("seq").values_list("hash", flat=True))
