"""Collects a distribution that is installed in the running environment.

Nothing is imported or run, nothing is fetched: importlib.metadata finds the folder and
its files are read as they lie there.
"""

import json
import logging
import time
from collections.abc import Callable
from functools import partial
from importlib.metadata import Distribution, distributions
from itertools import chain, count
from urllib.parse import quote

from accounts.errors import BadInput, NotFound
from research.collectors.cleaning import (
    MOST_TITLE,
    MOST_URI,
    MOST_VERSION,
    bounded,
    clean,
    cut,
)
from research.collectors.declared_facts import declared_facts, declared_version
from research.collectors.distribution_files import (
    InstalledFiles,
    UnreadableError,
    installed_files,
    metadata_name,
    read_metadata,
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
MOST_PATH_FILES = 50
_SHOWN_CHARS = 200
_SAFE = "/.+-_~=,@*"

logger = logging.getLogger(__name__)

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
        return Collected(installed_version(found), (lookup,))
    return _Collector(name, installed_version(found), files).collect()


def find_installed(name: str, version: str | None = None) -> Distribution:
    """The distribution as installed; raises NotFound, or BadInput for another version.

    Only its folder is found and its version read.
    """
    # A source tree on the path has metadata of its own; what is installed comes first.
    copies = sorted(distributions(name=name), key=_is_source_tree)
    if not copies:
        raise NotFound(
            f"{name} is not installed in this environment, and no other source for"
            " packages is set up.",
            code="not_installed",
            field="subject",
        )
    found = copies[0]
    if version and version != (have := installed_version(found)):
        raise BadInput(
            f"{name} {version} was asked for, but {have or 'another'} is installed in"
            " this environment; leave the version out to review that one.",
            code="version_differs",
            field="subject",
        )
    return found


def installed_version(found: Distribution) -> str:
    """The version that a distribution declares, cut to what can be kept; "" if none."""
    try:
        metadata = read_metadata(found)
    except UnreadableError:
        return ""
    return cut(clean(declared_version(metadata or b"")), MOST_VERSION)


def _is_source_tree(found: Distribution) -> bool:
    """An installed wheel has a WHEEL file, which a tree that was only built lacks."""
    try:
        return found.read_text("WHEEL") is None
    except (OSError, ValueError):
        # It is there, and it is nothing that can be read.
        return False


class _Collector:
    """Gathers lookups and documents file by file."""

    def __init__(self, name: str, version: str, files: InstalledFiles) -> None:
        self.prefix = f"dist:{name}=={quote(version, safe=_SAFE + '!')}/"
        self.title = f"{name} {version}"
        self.version = version
        self.files = files
        self.lookups: list[LookupResult] = []
        self.documents: list[RawDocument] = []
        self.taken: set[str] = set()

    def collect(self) -> Collected:
        metadata = metadata_name(self.files.info)
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
                self._uri("RECORD"),
                Outcome.UNKNOWN,
                "RECORD is absent, so that the installed files cannot be listed.",
            )
            return
        self._info("installed files", "RECORD", lambda _, uri: file_facts(listed, uri))

    def _licences(self) -> None:
        try:
            names = self.files.licence_names()
        except (OSError, RecursionError):
            reason = "The folder of the metadata cannot be listed."
            self._add("licence files", self._uri("licenses/"), Outcome.UNKNOWN, reason)
            return
        if not names:
            reason = "No licence file lies beside the metadata."
            self._add("licence files", self._uri("licenses/"), Outcome.ABSENT, reason)
        for name in names[:MOST_LICENCES]:
            self._info("licence files", name, _no_facts)
        self._say_left_out("licence files", "licenses/", len(names) - MOST_LICENCES)

    def _path_files(self) -> None:
        if self.files.listed is None:
            reason = "RECORD is absent, so that .pth files cannot be told."
            self._add("path files", self._uri("*.pth"), Outcome.UNKNOWN, reason)
            return
        names = self.files.path_file_names()
        if not names:
            reason = "RECORD lists no .pth file at the top of the environment."
            self._add("path files", self._uri("*.pth"), Outcome.ABSENT, reason)
        read = self.files.read_listed
        for name in names[:MOST_PATH_FILES]:
            self._look_up("path files", name, partial(read, name), _no_facts)
        self._say_left_out("path files", "*.pth", len(names) - MOST_PATH_FILES)

    def _say_left_out(self, source: str, name: str, left_out: int) -> None:
        if left_out > 0:
            reason = f"{left_out:,} more {source} were left out."
            self._add(source, self._uri(name), Outcome.UNKNOWN, reason)

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
        uri, shown = self._unused(self._uri(name)), cut(clean(name), _SHOWN_CHARS)
        if len(uri) > MOST_URI:
            reason = f"{shown}: its name is too long to be kept."
            self._add(source, cut(uri, MOST_URI), Outcome.UNKNOWN, reason)
            return
        began = time.monotonic()
        try:
            body = read()
            found = facts(body, uri) if body is not None else ()
        except (UnreadableError, ValueError) as error:
            reason = cut(clean(str(error)), _SHOWN_CHARS)
            self._add(source, uri, Outcome.UNKNOWN, f"{shown}: {reason}.")
            return
        except Exception as error:
            # A publisher's file may be anything, such as brackets ten thousand deep.
            logger.warning("%s cannot be parsed", uri, exc_info=True)
            reason = f"{shown}: it cannot be parsed ({type(error).__name__})."
            self._add(source, uri, Outcome.UNKNOWN, reason)
            return
        latency = round((time.monotonic() - began) * 1000)
        if body is None:
            reason = f"{shown} is not among the installed files."
            self._add(source, uri, Outcome.ABSENT, reason, latency=latency)
            return
        self._add(source, uri, Outcome.FOUND, "", latency=latency, facts=found)
        if keep and body.strip():
            title = cut(f"{self.title}: {clean(name)}", MOST_TITLE)
            self.documents.append(RawDocument(uri, title, "text/plain", body))
            self.taken.add(uri)

    def _add(
        self,
        source: str,
        uri: str,
        outcome: Outcome,
        reason: str,
        *,
        latency: int = 0,
        facts: Facts = (),
    ) -> None:
        facts = tuple(map(bounded, facts))
        self.lookups.append(LookupResult(source, uri, outcome, reason, latency, facts))

    def _uri(self, name: str) -> str:
        return self.prefix + quote(name, safe=_SAFE, errors="replace")

    def _unused(self, uri: str) -> str:
        """`uri`, numbered if it is another document's: neither may hide the other."""
        numbered = (f"{uri}~{number}" for number in count(2))
        return next(each for each in chain([uri], numbered) if each not in self.taken)


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
    scheme, separator, _ = str(origin.get("url", "")).partition("://")
    return (
        FactResult(
            "installed_from", scheme if separator else "unknown", Tier.OBSERVED, uri
        ),
        FactResult("editable", editable, Tier.OBSERVED, uri),
    )
