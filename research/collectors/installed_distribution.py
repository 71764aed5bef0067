"""Collects a distribution that is installed in the running environment.

Nothing is imported or run, nothing is fetched: importlib.metadata finds the folder and
its files are read as they lie there.
"""

import json
import time
from collections.abc import Callable
from functools import partial
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from urllib.parse import quote

from accounts.errors import BadInput, NotFound
from research.collectors.declared_facts import declared_facts
from research.collectors.distribution_files import (
    InstalledFiles,
    UnreadableError,
    installed_files,
)
from research.collectors.observed_facts import (
    entry_point_facts,
    file_facts,
    wheel_facts,
)
from research.collectors.values import (
    Collected,
    FactResult,
    LookupResult,
    Outcome,
    RawDocument,
    Tier,
)

MOST_LICENCES = 20

Facts = tuple[FactResult, ...]


def collect_installed(name: str, version: str | None = None) -> Collected:
    """The facts and files of an installed distribution.

    Raises NotFound if it is not installed, BadInput if another version is.
    """
    found = find_installed(name, version)
    try:
        files = installed_files(found)
    except UnreadableError as error:
        reason = f"{name} is installed, but {error}."
        lookup = LookupResult(
            "distribution metadata", f"dist:{name}", Outcome.UNKNOWN, reason
        )
        return Collected(found.version, (lookup,))
    return _Collector(name, found.version, files).collect()


def find_installed(name: str, version: str | None = None) -> Distribution:
    """The distribution as installed; raises NotFound, or BadInput for another version.

    Only its folder is found and its version read.
    """
    try:
        found = distribution(name)
    except PackageNotFoundError:
        raise NotFound(
            f"{name} is not installed in this environment, and no other source for"
            " packages is set up.",
            code="not_installed",
            field="subject",
        ) from None
    if version and version != found.version:
        raise BadInput(
            f"{name} {version} was asked for, but {found.version} is installed in this"
            " environment; leave the version out to review that one.",
            code="version_differs",
            field="subject",
        )
    return found


class _Collector:
    """Gathers lookups and documents file by file."""

    def __init__(self, name: str, version: str, files: InstalledFiles) -> None:
        self.prefix = f"dist:{name}=={version}/"
        self.title = f"{name} {version}"
        self.version = version
        self.files = files
        self.lookups: list[LookupResult] = []
        self.documents: list[RawDocument] = []

    def collect(self) -> Collected:
        metadata = "METADATA" if self.files.info.suffix == ".dist-info" else "PKG-INFO"
        self._info("distribution metadata", metadata, declared_facts)
        self._info("wheel", "WHEEL", wheel_facts)
        self._record()
        self._info("entry points", "entry_points.txt", entry_point_facts)
        # These two speak of this machine: facts, but no documents to quote from.
        self._info("installer", "INSTALLER", _installer_facts, keep=False)
        self._info("origin", "direct_url.json", _origin_facts, keep=False)
        self._licences()
        self._path_files()
        return Collected(self.version, tuple(self.lookups), tuple(self.documents))

    def _info(
        self,
        source: str,
        name: str,
        facts: Callable[[bytes, str], Facts],
        *,
        keep: bool = True,
    ) -> None:
        read = self.files.read_info
        self._look_up(source, name, partial(read, name), facts, keep=keep)

    def _record(self) -> None:
        listed = self.files.listed
        if listed is None:
            self._add(
                "installed files",
                "RECORD",
                Outcome.UNKNOWN,
                "RECORD is absent, so that the installed files cannot be listed.",
            )
            return
        self._info("installed files", "RECORD", lambda _, uri: file_facts(listed, uri))

    def _licences(self) -> None:
        names = self.files.licence_names()
        if not names:
            reason = "No licence file lies beside the metadata."
            self._add("licence files", "licenses/", Outcome.ABSENT, reason)
        for name in names[:MOST_LICENCES]:
            self._info("licence files", name, _no_facts)
        left_out = len(names) - MOST_LICENCES
        if left_out > 0:
            reason = f"{left_out} more licence files were left out."
            self._add("licence files", "licenses/", Outcome.UNKNOWN, reason)

    def _path_files(self) -> None:
        if self.files.listed is None:
            reason = "RECORD is absent, so that .pth files cannot be told."
            self._add("path files", "*.pth", Outcome.UNKNOWN, reason)
            return
        names = self.files.path_file_names()
        if not names:
            reason = "RECORD lists no .pth file at the top of the environment."
            self._add("path files", "*.pth", Outcome.ABSENT, reason)
        read = self.files.read_listed
        for name in names:
            self._look_up("path files", name, partial(read, name), _no_facts)

    def _look_up(
        self,
        source: str,
        name: str,
        read: Callable[[], bytes | None],
        facts: Callable[[bytes, str], Facts],
        *,
        keep: bool = True,
    ) -> None:
        """One file: its lookup, its facts, and the document if it is to be read."""
        began = time.monotonic()
        try:
            body = read()
            found = facts(body, self.prefix + name) if body is not None else ()
        except (UnreadableError, ValueError) as error:
            self._add(source, name, Outcome.UNKNOWN, f"{name}: {error}.")
            return
        latency = round((time.monotonic() - began) * 1000)
        if body is None:
            reason = f"{name} is not among the installed files."
            self._add(source, name, Outcome.ABSENT, reason, latency=latency)
            return
        self._add(source, name, Outcome.FOUND, "", latency=latency, facts=found)
        if keep and body.strip():
            title = f"{self.title}: {name}"
            uri = self._uri(name)
            self.documents.append(RawDocument(uri, title, "text/plain", body))

    def _add(
        self,
        source: str,
        name: str,
        outcome: Outcome,
        reason: str,
        *,
        latency: int = 0,
        facts: Facts = (),
    ) -> None:
        uri = self._uri(name)
        self.lookups.append(LookupResult(source, uri, outcome, reason, latency, facts))

    def _uri(self, name: str) -> str:
        return self.prefix + quote(name, safe="/.+-_~=,@*")


def _no_facts(_body: bytes, _uri: str) -> Facts:
    return ()


def _installer_facts(body: bytes, uri: str) -> Facts:
    name = body.decode("utf-8", errors="replace").strip()
    return (FactResult("installer", name, Tier.OBSERVED, uri),) if name else ()


def _origin_facts(body: bytes, uri: str) -> Facts:
    """Where a distribution came from, when it is not from an index."""
    origin = json.loads(body)
    if not isinstance(origin, dict):
        raise ValueError("direct_url.json holds no object")
    folder = origin.get("dir_info")
    editable = isinstance(folder, dict) and folder.get("editable") is True
    scheme = str(origin.get("url", "")).partition("://")[0]
    return (
        FactResult("installed_from", scheme, Tier.OBSERVED, uri),
        FactResult("editable", editable, Tier.OBSERVED, uri),
    )
