"""How a command says why it ended: one sentence, and a code that programs read."""

from enum import IntEnum

from accounts.errors import Conflict, NotAllowed, NotFound, ProductError


class ExitCode(IntEnum):
    """Documented in docs/commands.md; a signal ends with 128 and its number."""

    COMPLETED = 0
    RUN_FAILED = 1
    BAD_INPUT = 2
    NOT_ALLOWED = 3
    NOT_FOUND = 4
    CONFLICT = 5
    UNEXPECTED = 70


EXPLAINED = (
    "Exit codes: 0 the run completed; 1 it failed or was cancelled; 2 bad input: a"
    " subject, question, document or researcher that cannot be used, a package that"
    " is not installed, or a file that cannot be written; 3 not allowed, or a feature"
    " is switched off; 4 no such organization or user; 5 a run on this subject is under"
    " way; 70 an unexpected fault; 130 stopped by Ctrl-C."
)


def exit_code_for(refused: ProductError) -> ExitCode:
    """A subject or document that is not there is bad input, not a missing row."""
    if isinstance(refused, NotFound) and not refused.field:
        return ExitCode.NOT_FOUND
    if isinstance(refused, NotAllowed):
        return ExitCode.NOT_ALLOWED
    if isinstance(refused, Conflict):
        return ExitCode.CONFLICT
    return ExitCode.BAD_INPUT
