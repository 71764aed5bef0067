"""What a run has seen so far, told from the conversation alone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from chat.engine import Message
from chat.web.search.rendering import Hit, Page, parse_hits, parse_page


@dataclass(frozen=True, slots=True)
class Call:
    """One call that is planned or was made."""

    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Stretch:
    """A contiguous piece of a document; `total` is the whole document's length."""

    uri: str
    offset: int
    total: int
    text: str

    @property
    def end(self) -> int:
        return self.offset + len(self.text)


@dataclass(slots=True)
class Seen:
    """The calls made, the pages and hits they gave, and what failed."""

    made: list[Call] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)
    hits: dict[str, list[Hit]] = field(default_factory=dict)
    failed: list[Call] = field(default_factory=list)
    recorded: list[Call] = field(default_factory=list)

    @property
    def failed_searches(self) -> set[str]:
        return {
            str(call.arguments.get("query"))
            for call in self.failed
            if call.name == "search_documents"
        }

    @property
    def a_read_failed(self) -> bool:
        return any(call.name == "read_document" for call in self.failed)

    def covers(self, uri: str, start: int, end: int) -> bool:
        """Whether one page that was read holds the whole stretch."""
        return any(
            page.uri == uri and page.offset <= start and end <= page.end
            for page in self.pages
        )

    def stretches(self) -> list[Stretch]:
        """The pages with neighbours joined, in order of first reading."""
        by_uri: dict[str, list[Page]] = {}
        for page in self.pages:
            by_uri.setdefault(page.uri, []).append(page)
        return [stretch for pages in by_uri.values() for stretch in _joined(pages)]


def seen_in(messages: Sequence[Message]) -> Seen:
    """Everything that the calls in `messages` and their answers tell."""
    seen = Seen()
    for call, content, is_error in _answered(messages):
        seen.made.append(call)
        if is_error:
            seen.failed.append(call)
        elif call.name == "read_document":
            page = parse_page(content)
            seen.pages += [page] if page else []
        elif call.name == "search_documents":
            seen.hits[str(call.arguments.get("query"))] = parse_hits(content)
        else:
            seen.recorded.append(call)
    return seen


def _answered(messages: Sequence[Message]) -> Iterator[tuple[Call, str, bool]]:
    asked: dict[str, Call] = {}
    for message in messages:
        for call in message.calls:
            arguments = {} if isinstance(call.arguments, str) else dict(call.arguments)
            asked[call.id] = Call(call.name, arguments)
        for result in message.results:
            if result.call_id in asked:
                yield asked[result.call_id], result.content, result.is_error


def _joined(pages: Sequence[Page]) -> list[Stretch]:
    joined: list[Stretch] = []
    for page in sorted(pages, key=lambda each: (each.offset, -len(each.text))):
        last = joined[-1] if joined else None
        if last is None or page.offset > last.end:
            joined.append(Stretch(page.uri, page.offset, page.total, page.text))
        elif page.end > last.end:
            text = last.text + page.text[last.end - page.offset :]
            joined[-1] = Stretch(last.uri, last.offset, last.total, text)
    return joined
