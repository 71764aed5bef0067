"""Pages with known main text, from a folder outside the project.

Two layouts are read: one ground-truth.json with articleBody by name, and a folder
ground-truth with one file a page that holds ground_truth.main_content. Beside either is
html/NAME.html.gz.
"""

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class KnownPage:
    """A page's bytes and address, the main text it should give, and its kind."""

    html: bytes
    url: str
    truth: str
    kind: str

    def site(self) -> str:
        """Return the last two labels of the host: pages of a site stay together."""
        return ".".join((urlsplit(self.url).hostname or "").split(".")[-2:])


def sets_in(folder: Path) -> dict[str, list[KnownPage]]:
    """Return every set of pages in a folder or right below it, by the folder's name."""
    found = {}
    for place in (folder, *sorted(path for path in folder.iterdir() if path.is_dir())):
        pages = list(_pages(place))
        if pages:
            found[place.name] = pages
    return found


def halves(pages: list[KnownPage]) -> tuple[list[KnownPage], list[KnownPage]]:
    """Split pages by site, so that no site is in both halves."""
    sites = sorted({page.site() for page in pages})
    first = set(sites[::2])
    return (
        [page for page in pages if page.site() in first],
        [page for page in pages if page.site() not in first],
    )


def _pages(folder: Path) -> Iterator[KnownPage]:
    one, many = folder / "ground-truth.json", folder / "ground-truth"
    if one.is_file():
        for name, page in json.loads(one.read_text("utf-8")).items():
            truth = page.get("articleBody") or ""
            yield KnownPage(_html(folder, name), page.get("url", ""), truth, "article")
    elif many.is_dir():
        for path in sorted(many.glob("*.json")):
            page = json.loads(path.read_text("utf-8"))
            kind = page.get("_internal", {}).get("page_type", {}).get("primary", "")
            truth = page["ground_truth"].get("main_content") or ""
            yield KnownPage(_html(folder, path.stem), page.get("url", ""), truth, kind)


def _html(folder: Path, name: str) -> bytes:
    return gzip.decompress((folder / "html" / f"{name}.html.gz").read_bytes())
