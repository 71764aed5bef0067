"""Facts as people read them; their stored names and values stay as they are."""

from collections.abc import Mapping

FACT_NAMES: Mapping[str, str] = {
    "author_email": "author’s e-mail",
    "entry_point_groups": "groups of entry points",
    "file_count": "number of files",
    "generator": "built with",
    "license": "licence",
    "license_classifiers": "licence classifiers",
    "license_expression": "licence expression",
    "license_files": "licence files",
    "maintainer_email": "maintainer’s e-mail",
    "native_file_count": "number of native files",
    "path_files": "path files (.pth)",
    "project_urls": "project URLs",
    "provides_extra": "extras",
    "requires_dist": "requires packages",
    "requires_external": "requires outside of Python",
    "requires_python": "requires Python",
    "root_is_purelib": "installs as pure Python",
    "top_level": "importable names",
}


def fact_name(name: str) -> str:
    return FACT_NAMES.get(name, name.replace("_", " "))


def fact_value(value: str) -> str:
    """One entry a line; an empty list is `none`."""
    return value if value.strip() else "none"


def fact_line(value: str) -> str:
    """The same on one line."""
    return fact_value(value).replace("\n", "; ")
