"""What to do next: read and search, read around the hits, then record."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from chat.providers.extractive.gate import (
    Candidate,
    Source,
    line_candidates,
    passage_candidates,
    prose_candidates,
)
from chat.providers.extractive.seen import Call, Seen, Stretch
from chat.web.search.rendering import Hit
from chat.web.search.units import split_units

PAGE_CHARS = 40_000
MOST_READ_CHARS = 400_000
MOST_PAGES = 16
MOST_WINDOWS = 24
MOST_QUOTES = 3
MOST_COMPARED = 200
HITS_PER_SEARCH = 8
_AROUND_CHARS = 400
# Of a claim: the bullet before it and the stars of bold type. A quote keeps them.
_MARKS = re.compile(r"^[*+•-]\s+|\*\*")
_URL = re.compile(r"https?://[^\s>)\]]+")

Question = Mapping[str, Any]
Documents = Sequence[Mapping[str, Any]]


def searchable(question: Question, available: Sequence[str]) -> bool:
    """Whether this run has what the question needs, and words to search for."""
    needs = question["needs"]
    return (not needs or needs in available) and bool(question["searches"])


def survey(questions: Sequence[Question], documents: Documents) -> list[Call]:
    """The first round: the documents that can be read whole, and every search."""
    calls = [
        Call("read_document", {"uri": uri, "offset": offset, "limit": PAGE_CHARS})
        for uri, offset in _pages(questions, documents)
    ]
    queries = dict.fromkeys(query for q in questions for query in q["searches"])
    arguments = [{"query": query, "max_results": HITS_PER_SEARCH} for query in queries]
    return calls + [Call("search_documents", each) for each in arguments]


def windows(questions: Sequence[Question], seen: Seen) -> list[Call]:
    """The second round: what stands around the hits that no page holds."""
    spans: list[tuple[str, int, int]] = []
    for hit in _hits_by_place(questions, seen):
        uri, start, end = hit.uri, hit.start, hit.end
        planned = any(u == uri and a <= start and end <= b for u, a, b in spans)
        if not planned and not seen.covers(uri, start, end):
            spans.append((uri, max(0, start - _AROUND_CHARS), end + _AROUND_CHARS))
    return [
        Call("read_document", {"uri": uri, "offset": start, "limit": end - start})
        for uri, start, end in spans[:MOST_WINDOWS]
    ]


def _hits_by_place(questions: Sequence[Question], seen: Seen) -> Iterator[Hit]:
    """The best hit of every search, then the second best of every search, and so on."""
    for place in range(HITS_PER_SEARCH):
        for question in questions:
            for query in question["searches"]:
                hit = next(iter(seen.hits.get(query, [])[place:]), None)
                if hit and _may_answer(question, hit.uri, questions):
                    yield hit


def records(questions: Sequence[Question], seen: Seen) -> list[Call]:
    """The last round: the best quotes of every question, or that nothing was found."""
    sources = [_source(stretch, questions) for stretch in seen.stretches()]
    calls = []
    for question in questions:
        quotes = best_quotes(question, sources, seen)
        calls += [_cite(question, quote) for quote in quotes]
        if not quotes and _fully_searched(question, seen):
            arguments = {
                "question": question["key"],
                "searched": list(question["searches"]),
            }
            calls.append(Call("note_absence", arguments))
    return calls


def best_quotes(
    question: Question, sources: Sequence[Source], seen: Seen
) -> list[Candidate]:
    """At most MOST_QUOTES candidates, by rank, then as the searches had them."""
    found = _candidates(question, sources)
    hits = [hit for query in question["searches"] for hit in seen.hits.get(query, [])]
    places = {(hit.uri, hit.start, hit.end): at for at, hit in enumerate(hits)}

    def order(candidate: Candidate) -> tuple[float, int]:
        # In a change log the newest entry comes first; the sort keeps that order.
        if question["changelog"]:
            return candidate.rank, 0
        within = (
            place
            for (uri, start, end), place in places.items()
            if uri == candidate.uri and start <= candidate.start < end
        )
        return candidate.rank, min(within, default=len(places))

    return _distinct(sorted(found, key=order)[:MOST_COMPARED])


def _candidates(question: Question, sources: Sequence[Source]) -> list[Candidate]:
    if question["terms"]:
        passages = [
            passage
            for source in sources
            for passage in passage_candidates(question["terms"], source)
        ]
        best = min((passage.rank for passage in passages), default=0)
        # Beside a passage with more of the question's words, one with fewer is noise.
        return [passage for passage in passages if passage.rank < best + 1]
    found = list(line_candidates(question, sources))
    for source in sources:
        if not source.data:
            found += prose_candidates(question, source)
    return found


def _distinct(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The first that do not say what a better one says, or name only its URLs."""
    kept: list[Candidate] = []
    urls: set[str] = set()
    for candidate in candidates:
        if len(kept) == MOST_QUOTES:
            break
        text = candidate.folded.casefold()
        named = {url.rstrip("/.,") for url in _URL.findall(candidate.text)}
        repeats = any(
            text in other.folded.casefold() or other.folded.casefold() in text
            for other in kept
        )
        if not repeats and not (named and named <= urls):
            kept.append(candidate)
            urls |= named
    return kept


def _pages(
    questions: Sequence[Question], documents: Documents
) -> Iterator[tuple[str, int]]:
    """(uri, offset) of each page: files with lines first, then all that fits whole."""
    patterns = [cue["document"] for q in questions for cue in q["lines"]]
    structured = [d for d in documents if any(re.search(p, d["uri"]) for p in patterns)]
    pages, chars = 0, 0
    for document in structured[:MOST_PAGES]:
        yield document["uri"], 0
        pages, chars = pages + 1, chars + min(PAGE_CHARS, document["chars"])
    for document in documents:
        first = PAGE_CHARS if document in structured else 0
        if is_data(document["uri"], questions):
            continue
        offsets = range(first, document["chars"], PAGE_CHARS)
        rest = document["chars"] - first
        fits = pages + len(offsets) <= MOST_PAGES and chars + rest <= MOST_READ_CHARS
        if offsets and fits:
            yield from ((document["uri"], offset) for offset in offsets)
            pages, chars = pages + len(offsets), chars + rest


def is_data(uri: str, questions: Sequence[Question]) -> bool:
    """Whether a document holds lines of data, of which no sentence is quoted."""
    cues = [cue for question in questions for cue in question["lines"]]
    return any(cue["data"] and re.search(cue["document"], uri) for cue in cues)


def _may_answer(question: Question, uri: str, questions: Sequence[Question]) -> bool:
    """Whether the question could take a quote from the document at all."""
    if not is_data(uri, questions):
        return True
    return any(re.search(cue["document"], uri) for cue in question["lines"])


def _source(stretch: Stretch, questions: Sequence[Question]) -> Source:
    units = tuple(split_units(stretch.text))
    # What touches the edge of a stretch may be cut; a document's own edge cuts nothing.
    if stretch.offset:
        units = units[1:]
    if stretch.end < stretch.total:
        units = units[:-1]
    return Source(stretch, units, is_data(stretch.uri, questions))


def _fully_searched(question: Question, seen: Seen) -> bool:
    failed = seen.failed_searches & set(question["searches"])
    return bool(question["searches"]) and not failed and not seen.a_read_failed


def _cite(question: Question, quote: Candidate) -> Call:
    arguments = {
        "question": question["key"],
        "claim": _MARKS.sub("", quote.folded),
        "uri": quote.uri,
        "quote": quote.text,
    }
    return Call("cite", arguments)
