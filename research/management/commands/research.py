"""`manage.py research`: one run, executed here and now, and its dossier."""

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import DatabaseError
from rich.console import Console

from accounts.errors import BadInput, ProductError
from research.evidence import Evidence, load_evidence
from research.exports import (
    check_writable,
    dossier_as_json,
    export_html,
    export_markdown,
    print_dossier,
    write_whole,
)
from research.management.caller import find_actor
from research.management.consoles import message_console, result_console
from research.management.exit_codes import EXPLAINED, ExitCode, exit_code_for
from research.management.inline_run import see_through
from research.management.interruption import Interruption
from research.management.reporting import Reporter
from research.presentation.visible import one_line
from research.queries import dossier_by_id
from research.services.bring_documents import documents_from_paths
from research.services.researchers import EXTRACTIVE
from research.services.start_run import start_run
from research.states import RunStatus
from research.subjects.identity import parse_subject, question_subject
from research.subjects.values import Subject, SubjectKind

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Exports:
    """Where the dossier goes beside standard output; None where it does not."""

    html: Path | None
    markdown: Path | None

    def check(self) -> None:
        """Raises BadInput before the work begins rather than after it."""
        if (
            self.html
            and self.markdown
            and self.html.resolve() == self.markdown.resolve()
        ):
            raise BadInput("--html and --markdown name the same file.")
        for path in (self.html, self.markdown):
            if path:
                check_writable(path)

    def write(self, evidence: Evidence) -> None:
        if self.html:
            write_whole(self.html, export_html(evidence))
        if self.markdown:
            write_whole(self.markdown, export_markdown(evidence))


class Command(BaseCommand):
    help = f"Research a subject or a question here and now. {EXPLAINED}"
    requires_system_checks: tuple[str, ...] = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "subject",
            nargs="?",
            help="A purl such as pkg:pypi/bleach, a URL, a domain, a launch command.",
        )
        parser.add_argument("--question", help="Ask this of the documents instead.")
        parser.add_argument(
            "--document",
            dest="documents",
            metavar="PATH",
            type=Path,
            nargs="+",
            action="extend",
            default=[],
            help="Files and folders to read; may be given more than once.",
        )
        parser.add_argument(
            "--kind", help=f"What the subject is: {', '.join(SubjectKind)}."
        )
        parser.add_argument(
            "--researcher",
            default=EXTRACTIVE,
            metavar="NAME",
            help="Who reads; `manage.py researchers` lists them. Default: extractive.",
        )
        parser.add_argument("--organization", default="", help="Default: the only one.")
        parser.add_argument("--user", default="", help="Default: the first owner.")
        parser.add_argument("--json", action="store_true", help="Print JSON instead.")
        parser.add_argument(
            "--html", type=Path, metavar="FILE", help="Also write HTML."
        )
        parser.add_argument(
            "--markdown", type=Path, metavar="FILE", help="Also write Markdown."
        )
        parser.add_argument(
            "--quiet", action="store_true", help="Show no progress, only the dossier."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        messages = message_console(options)
        try:
            code = research(options, messages)
        except ProductError as refused:
            code = _say(messages, refused.message, exit_code_for(refused))
        except DatabaseError as error:
            sentence = f"The database cannot be used: {error}. Try `manage.py migrate`."
            code = _say(messages, sentence, ExitCode.UNEXPECTED)
        except KeyboardInterrupt:
            code = _say(messages, "Stopped; no run is left under way.", 130)
        except Exception:
            logger.exception("An unexpected fault")
            sentence = "An unexpected fault stopped the command; see above."
            code = _say(messages, sentence, ExitCode.UNEXPECTED)
        if code:
            raise SystemExit(code)


def research(options: Mapping[str, Any], messages: Console) -> int:
    """Checks everything that can be checked, runs, prints; returns the exit code."""
    subject = _subject(options)
    exports = Exports(options["html"], options["markdown"])
    exports.check()
    by = find_actor(options["organization"], options["user"])
    documents = documents_from_paths(options["documents"])
    reporter = Reporter(messages, quiet=options["quiet"])
    with Interruption() as interruption:
        run = start_run(
            by=by,
            subject=subject,
            documents=documents,
            researcher=options["researcher"],
            ring_bell=False,
        )
        see_through(run, by, reporter, interruption)
    if interruption.signal and run.status == RunStatus.CANCELLED:
        return _say(messages, "The run was cancelled.", interruption.exit_code)
    evidence = load_evidence(dossier_by_id(by.organization, run.dossier.public_id))
    reporter.finished(run, evidence)
    if run.dossier.collected_at or evidence.questions:
        exports.write(evidence)
        _print(evidence, options)
    if run.status == RunStatus.COMPLETED:
        return ExitCode.COMPLETED
    sentence = f"The run {run.status}: {run.error or run.stop_reason}"
    return _say(messages, sentence, ExitCode.RUN_FAILED)


def _subject(options: Mapping[str, Any]) -> Subject:
    subject, question = options["subject"], options["question"]
    if (subject is None) == (question is None):
        raise BadInput("Name one subject, or ask one --question.")
    try:
        (subject or question or "").encode()
    except UnicodeEncodeError:
        raise BadInput("The subject or question is not valid UTF-8.") from None
    if question is None:
        return parse_subject(subject, options["kind"])
    if options["kind"]:
        raise BadInput("--kind goes with a subject; a --question is its own kind.")
    if not question.strip():
        raise BadInput("The question is empty.")
    return question_subject(question)


def _print(evidence: Evidence, options: Mapping[str, Any]) -> None:
    console = result_console(options)
    if options["json"]:
        console.write_whole(f"{json.dumps(dossier_as_json(evidence), indent=2)}\n")
    else:
        print_dossier(evidence, console)


def _say(messages: Console, sentence: str, code: int) -> int:
    """The one sentence that says why there is no dossier, or why it is partial."""
    line = one_line(sentence)
    messages.print(f"research: {line}", soft_wrap=True)
    return code
