"""Which version a new dossier is about, found out before anything is written."""

from accounts.errors import NotFound
from research.collectors.assembler import collect
from research.subjects.values import Subject


def pin_version(subject: Subject, *, has_documents: bool) -> str:
    """The version to pin, "" where there is none to know.

    Raises NotFound or BadInput as the collectors do, unless the subject brings its own
    documents: then what cannot be collected becomes a named gap of the dossier.
    """
    try:
        return collect(subject).version or ""
    except NotFound:
        if has_documents:
            return subject.version or ""
        raise
