"""Chooses the collectors for a subject and puts together what they bring."""

from research.collectors.installed_distribution import collect_installed
from research.collectors.values import Collected, LookupResult, Outcome
from research.subjects.purl import package_name
from research.subjects.values import Subject, SubjectKind


def collect(subject: Subject) -> Collected:
    """All that deterministic sources know of the subject; raises ProductError.

    A kind without a collector gives a Collected without lookups.
    """
    if subject.kind is not SubjectKind.PACKAGE:
        return Collected(subject.version)
    package = package_name(subject)
    if package.ecosystem == "pypi":
        return collect_installed(package.name, subject.version)
    reason = f"There is no collector for {package.ecosystem} packages yet."
    lookup = LookupResult("package", subject.key, Outcome.UNKNOWN, reason)
    return Collected(subject.version, (lookup,))
