"""A run over one document: asked for, and carried to its end."""

from django.utils import timezone

from accounts.actor import Actor
from research.models import (
    Run,
)
from research.services.bring_documents import Document
from research.services.execute_run import execute_run
from research.services.start_run import start_run
from research.subjects.identity import parse_subject

POLICY = b"Access logs are kept for 30 days. After that they are deleted.\n"
QUESTION = "For how many days are access logs kept?"


def ask(by: Actor, **options: object) -> Run:
    return start_run(
        by=by,
        subject=parse_subject(QUESTION, "question"),
        documents=[Document("policy.txt", POLICY)],
        ring_bell=False,
        **options,
    )


def execute(run: Run) -> Run:
    execute_run(run.public_id, owner="worker")
    run.refresh_from_db()
    return run


def fall_silent(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(lease_expires_at=timezone.now())
