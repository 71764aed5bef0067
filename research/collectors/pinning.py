"""Which version a new dossier is about, found out before anything is written."""

from accounts.errors import NotFound
from research.collectors.installed_distribution import find_installed, installed_version
from research.subjects.purl import package_name
from research.subjects.values import Subject, SubjectKind


def pin_version(subject: Subject, *, has_documents: bool) -> str:
    """The version to pin, "" where there is none to know.

    Raises NotFound or BadInput as the collectors do, unless the subject brings its own
    documents: then what cannot be collected becomes a named gap of the dossier.
    """
    if subject.kind is not SubjectKind.PACKAGE:
        return ""
    package = package_name(subject)
    if package.ecosystem != "pypi":
        return subject.version or ""
    try:
        return installed_version(find_installed(package.name, subject.version))
    except NotFound:
        if has_documents:
            return subject.version or ""
        raise
