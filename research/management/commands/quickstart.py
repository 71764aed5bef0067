"""`manage.py quickstart`: from nothing to a dossier to review, in one command."""

import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.text import Text

from accounts.actor import Actor
from accounts.errors import ProductError
from research.collectors.pinning import pin_version
from research.evidence import Evidence, load_evidence
from research.exports import check_writable, export_html, print_dossier, write_whole
from research.management.consoles import message_console, result_console
from research.management.demonstration import (
    EMAIL,
    Demonstration,
    open_run,
    reviewable_dossier,
    serves_others,
    set_up_demonstration,
)
from research.management.exit_codes import exit_code_for
from research.management.inline_run import see_through
from research.management.interruption import Interruption
from research.management.reporting import Reporter
from research.models import Dossier
from research.presentation.counts import denominators
from research.queries import dossier_by_id
from research.states import RunStatus
from research.subjects.purl import package_subject
from research.subjects.values import Subject

PACKAGES = ("bleach",)


class Command(BaseCommand):
    help = (
        "Prepare the database, make the organization Demo and the user"
        f" {EMAIL}, review packages installed here and write their dossiers as HTML."
        " A second call makes nothing twice."
    )
    requires_system_checks: tuple[str, ...] = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--packages",
            nargs="+",
            metavar="NAME",
            default=PACKAGES,
            help="Installed Python packages; the first one's dossier is printed whole.",
        )
        parser.add_argument(
            "--out",
            type=Path,
            metavar="DIR",
            default=Path("demo"),
            help="Where the HTML goes; default: demo.",
        )
        parser.add_argument(
            "--yes",
            action="store_true",
            help="Do not ask, even where the database serves other organizations.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            subjects = _installed(options["packages"])
            _prepare(options["out"])
            _confirm(yes=options["yes"])
            call_command("migrate", verbosity=0, interactive=False)
            _demonstrate(subjects, options)
        except ProductError as refused:
            code = exit_code_for(refused)
            raise CommandError(refused.message, returncode=code) from refused
        except KeyboardInterrupt:
            sentence = "Stopped; call it again to go on."
            raise CommandError(sentence, returncode=130) from None


def _installed(packages: Sequence[str]) -> list[Subject]:
    """Raises BadInput or NotFound before anything is made."""
    subjects = [package_subject(f"pkg:pypi/{name}") for name in packages]
    for subject in subjects:
        pin_version(subject, has_documents=False)
    return subjects


def _demonstrate(subjects: Sequence[Subject], options: Mapping[str, Any]) -> None:
    console = result_console(options)
    demo = set_up_demonstration()
    try:
        evidence = _review(demo.actor, subjects, message_console(options))
        _show(evidence, options["out"], console)
    finally:
        # The password is told whatever happens: nobody can read it again.
        _say_how_to_go_on(demo, console)


def _prepare(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError(f"{folder} cannot be made: {error.strerror}.") from error
    check_writable(folder / "dossier.html")


def _confirm(*, yes: bool) -> None:
    """A database that serves others gets no demonstration unasked."""
    if yes or not serves_others():
        return
    question = "This database serves other organizations. Add the demonstration? [y/N] "
    if sys.stdin.isatty() and input(question).strip().lower() in {"y", "yes"}:
        return
    raise CommandError(
        "This database serves other organizations; nothing was changed. Say --yes to"
        " add the demonstration all the same."
    )


def _review(
    by: Actor, subjects: Sequence[Subject], messages: Console
) -> list[Evidence]:
    found = []
    with Interruption() as interruption:
        for subject in subjects:
            dossier = reviewable_dossier(by, subject)
            dossier = dossier or _run(by, subject, messages, interruption)
            found.append(
                load_evidence(dossier_by_id(by.organization, dossier.public_id))
            )
    return found


def _run(
    by: Actor, subject: Subject, messages: Console, interruption: Interruption
) -> Dossier:
    run = open_run(by, subject)
    see_through(run, by, Reporter(messages, quiet=False), interruption)
    if interruption.signal:
        raise KeyboardInterrupt
    if run.status != RunStatus.COMPLETED:
        message = f"The run on {subject.title} {run.status}: {run.error}"
        raise CommandError(message)
    return run.dossier


def _show(found: Sequence[Evidence], folder: Path, console: Console) -> None:
    print_dossier(found[0], console)
    console.print()
    for evidence in found:
        path = folder / _file_name(evidence.dossier)
        write_whole(path, export_html(evidence))
        counts = denominators(evidence)
        line = f"{path}: {counts.questions} {counts.quotes}"
        console.print(line, soft_wrap=True)


def _file_name(dossier: Dossier) -> str:
    """A version is the publisher's word, so it names no folder."""
    name = f"{dossier.case.title}-{dossier.subject_version}"
    return f"{re.sub(r'[^A-Za-z0-9._+-]', '_', name)}.html"


def _say_how_to_go_on(demo: Demonstration, console: Console) -> None:
    if demo.password:
        password = f"password {demo.password} (shown this once)"
    else:
        password = (
            "the password you were shown; `manage.py changepassword"
            f" {EMAIL}` sets another"
        )
    console.print()
    for line in (
        f"Review it in the browser: run `make serve` and open {settings.PUBLIC_URL}",
        f"Sign in as {EMAIL}, {password}.",
    ):
        console.print(Text(line), soft_wrap=True)
