"""Reads an exported page back as a browser's parser would."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset({"meta", "link", "br", "img", "input", "hr", "rect", "path"})


@dataclass
class Page:
    tags: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    marked: list[str] = field(default_factory=list)
    text: str = ""

    def named(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.tags if name == tag]

    @property
    def ids(self) -> list[str]:
        return [attributes["id"] for _, attributes in self.tags if "id" in attributes]

    @property
    def hrefs(self) -> list[str]:
        return [attributes.get("href", "") for attributes in self.named("a")]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.page = Page()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.page.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "mark":
            self.page.marked.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        self.page.text += data
        if "mark" in self.open:
            self.page.marked[-1] += data


def read_page(html: str) -> Page:
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert not reader.open, reader.open
    return reader.page
