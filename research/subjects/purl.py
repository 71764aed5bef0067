"""Package URLs: pkg:type/namespace/name@version?qualifiers#subpath."""

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote

from research.subjects.values import (
    Subject,
    SubjectKind,
    checked_key,
    clean_text,
    refusal,
    shown,
)

_TYPE = re.compile(r"[a-z][a-z0-9.+-]*\Z")
_PYPI_NAME = re.compile(r"[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?\Z")
_VERSION = re.compile(r"[^\s/?#]{1,100}\Z")
# Types whose specification folds the case of names.
_CASELESS = {"pypi", "github", "gitlab", "bitbucket", "deb", "rpm", "apk", "composer"}


@dataclass(frozen=True, slots=True)
class PackageName:
    """The parts of a package's key, decoded."""

    ecosystem: str
    namespace: str
    name: str


def package_subject(text: str) -> Subject:
    """The package that a purl names; raises BadInput if it is malformed."""
    text = clean_text(text)
    if text[:4].lower() != "pkg:":
        raise refusal(
            f"{shown(text)} is no package URL: write pkg:TYPE/NAME, such as"
            " pkg:pypi/bleach.",
            "bad_purl",
        )
    # The text is read from its end, as the specification has it.
    rest, _, subpath = text[4:].lstrip("/").partition("#")
    rest, _, qualifiers = rest.partition("?")
    if subpath or qualifiers:
        raise refusal(
            f"{shown(text)} has qualifiers or a subpath, which are not supported.",
            "bad_purl",
        )
    path, version = _split_version(rest, text)
    ecosystem, _, path = path.partition("/")
    ecosystem = ecosystem.lower()
    if not _TYPE.match(ecosystem):
        raise refusal(f"{shown(text)} names no package type.", "bad_purl")
    segments = [unquote(segment) for segment in path.split("/") if segment]
    if not segments:
        raise refusal(f"{shown(text)} names no package.", "bad_purl")
    return _subject(ecosystem, segments, version, text)


def package_name(subject: Subject) -> PackageName:
    """Ecosystem, namespace and name of a package subject, from its key."""
    ecosystem, _, path = subject.key.removeprefix("pkg:").partition("/")
    namespace, _, name = path.rpartition("/")
    return PackageName(ecosystem, unquote(namespace), unquote(name))


def _split_version(rest: str, text: str) -> tuple[str, str | None]:
    # The @ of an npm scope is the first character of a segment, a version's never is.
    path, at, version = rest.rpartition("@")
    if not at or path.endswith("/"):
        return rest, None
    version = unquote(version)
    if not _VERSION.match(version):
        raise refusal(f"{shown(text)} has an empty or malformed version.", "bad_purl")
    return path, version


def _subject(
    ecosystem: str, segments: list[str], version: str | None, text: str
) -> Subject:
    if ecosystem in _CASELESS:
        segments = [segment.lower() for segment in segments]
    if ecosystem == "pypi":
        segments = [_pypi_name(segments, text)]
    if any(segment in {".", ".."} or "/" in segment for segment in segments):
        raise refusal(f"{shown(text)} has a malformed name.", "bad_purl")
    encoded = "/".join(quote(segment, safe="+:~") for segment in segments)
    key = checked_key(f"pkg:{ecosystem}/{encoded}")
    return Subject(SubjectKind.PACKAGE, key, version, "/".join(segments))


def _pypi_name(segments: list[str], text: str) -> str:
    if len(segments) > 1:
        raise refusal(
            f"{shown(text)} has a namespace, which pypi packages do not have.",
            "bad_purl",
        )
    if not _PYPI_NAME.match(segments[0]):
        raise refusal(f"{shown(text)} is no valid pypi package name.", "bad_purl")
    return re.sub(r"[-_.]+", "-", segments[0])
