"""Facts that a distribution's METADATA declares about itself."""

from email.message import Message
from email.parser import HeaderParser

from research.collectors.values import FactResult, Tier

_ONE = {
    "Name": "name",
    "Version": "version",
    "Summary": "summary",
    "License-Expression": "license_expression",
    "Requires-Python": "requires_python",
    "Author": "author",
    "Author-email": "author_email",
    "Maintainer": "maintainer",
    "Maintainer-email": "maintainer_email",
    "Home-page": "home_page",
}
_MANY = {
    "Requires-Dist": "requires_dist",
    "Requires-External": "requires_external",
    "Provides-Extra": "provides_extra",
    "License-File": "license_files",
}
_FIRST_LINE_CHARS = 200


def declared_facts(metadata: bytes, uri: str) -> tuple[FactResult, ...]:
    """The headers of METADATA as facts of the tier `declared`, in a fixed order."""
    headers = HeaderParser().parsestr(metadata.decode("utf-8", errors="replace"))
    facts: list[tuple[str, str | list[str]]] = []
    for header, name in _ONE.items():
        value = _folded(headers.get(header))
        if value:
            facts.append((name, value))
    licence = _first_line(headers.get("License"))
    if licence:
        facts.append(("license", licence))
    for header, name in _MANY.items():
        values = [_folded(value) for value in headers.get_all(header, [])]
        if values:
            facts.append((name, values))
    facts += _classifiers(headers)
    urls = [_folded(value) for value in headers.get_all("Project-URL", [])]
    if urls:
        facts.append(("project_urls", urls))
    return tuple(FactResult(name, value, Tier.DECLARED, uri) for name, value in facts)


def declared_version(metadata: bytes) -> str:
    """The version that METADATA declares, or "" if it declares none."""
    headers = HeaderParser().parsestr(metadata.decode("utf-8", errors="replace"))
    return _folded(headers.get("Version"))


def _classifiers(headers: Message) -> list[tuple[str, str | list[str]]]:
    values = [_folded(value) for value in headers.get_all("Classifier", [])]
    licences = [value for value in values if value.startswith("License ::")]
    status = [value for value in values if value.startswith("Development Status ::")]
    facts: list[tuple[str, str | list[str]]] = []
    if licences:
        facts.append(("license_classifiers", licences))
    if status:
        facts.append(("development_status", status[0].partition(":: ")[2]))
    return facts


def _folded(value: object) -> str:
    return " ".join(str(value).split()) if value else ""


def _first_line(value: object) -> str:
    """Old metadata holds whole licence texts: the first line names the licence."""
    lines = str(value).strip().splitlines() if value else []
    return lines[0].strip()[:_FIRST_LINE_CHARS] if lines else ""
