"""Facts that are seen in a distribution's installed files, whatever it declares."""

from collections.abc import Sequence
from configparser import ConfigParser
from configparser import Error as ConfigError
from email.parser import HeaderParser
from pathlib import PurePosixPath
from typing import Any

from research.collectors.values import FactResult, Tier

MOST_NAMES = 50
_NATIVE = (".so", ".pyd", ".dylib", ".dll")


def file_facts(listed: Sequence[str], uri: str) -> tuple[FactResult, ...]:
    """What RECORD's list of paths shows; lists end after MOST_NAMES names.

    Compiled byte code is left out: it depends on the machine, not on the publisher.
    """
    listed = [name for name in listed if not name.endswith(".pyc")]
    native = [name for name in listed if _is_native(name)]
    paths = [name for name in listed if name.endswith(".pth")]
    outside = [name for name in listed if name.startswith(("../", "/"))]
    values: dict[str, Any] = {
        "file_count": len(listed),
        "native_file_count": len(native),
        "native_files": native[:MOST_NAMES],
        "path_files": paths[:MOST_NAMES],
        "files_outside_packages": outside[:MOST_NAMES],
        "top_level": _top_level(listed),
    }
    return _observed(values, uri)


def wheel_facts(wheel: bytes, uri: str) -> tuple[FactResult, ...]:
    """What WHEEL says of how the distribution was built and where it goes."""
    headers = HeaderParser().parsestr(wheel.decode("utf-8", errors="replace"))
    values: dict[str, Any] = {}
    if headers.get("Root-Is-Purelib"):
        values["root_is_purelib"] = headers["Root-Is-Purelib"].strip() == "true"
    if headers.get("Generator"):
        values["generator"] = headers["Generator"].strip()
    if headers.get_all("Tag"):
        values["wheel_tags"] = [tag.strip() for tag in headers.get_all("Tag", [])]
    return _observed(values, uri)


def entry_point_facts(body: bytes, uri: str) -> tuple[FactResult, ...]:
    """Console scripts and the groups of other entry points; ValueError if malformed."""
    parser = ConfigParser(delimiters=("=",), interpolation=None, strict=False)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    try:
        parser.read_string(body.decode("utf-8"))
    except (ConfigError, UnicodeDecodeError) as error:
        raise ValueError("entry_points.txt is malformed") from error
    scripts = [
        f"{name} = {target}"
        for group in ("console_scripts", "gui_scripts")
        if parser.has_section(group)
        for name, target in parser.items(group)
    ]
    groups = [name for name in parser.sections() if not name.endswith("_scripts")]
    values = {
        "console_scripts": scripts[:MOST_NAMES],
        "entry_point_groups": groups[:MOST_NAMES],
    }
    return _observed(values, uri)


def _is_native(name: str) -> bool:
    base = PurePosixPath(name).name
    return base.endswith(_NATIVE) or ".so." in base


def _top_level(listed: Sequence[str]) -> list[str]:
    """The names that become importable, from the paths themselves."""
    names = set()
    for name in listed:
        path = PurePosixPath(name)
        first = path.parts[0] if path.parts else ""
        importable = path.suffix in {".py", ".so", ".pyd"}
        if importable and first not in {"..", "/", "__pycache__"}:
            names.add(first if len(path.parts) > 1 else path.name.partition(".")[0])
    return sorted(names)[:MOST_NAMES]


def _observed(values: dict[str, Any], uri: str) -> tuple[FactResult, ...]:
    return tuple(
        FactResult(name, value, Tier.OBSERVED, uri) for name, value in values.items()
    )
