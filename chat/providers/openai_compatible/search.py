"""Web search as OpenRouter runs it: what is asked, and the sources that come back.

Only cited sources are results. The text that a model writes around them is no source.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from chat.engine import Citation, ConfigurationError, ModelReply
from chat.engine.json_value import Json
from chat.providers.openai_compatible.parts import a_text, an_object, mended

MOST_RESULTS = 25
URL_CITATION = "url_citation"
SERVER_TOOL = "openrouter:web_search"
# A server tool answers to this name too, so that no tool of ours may have it.
SERVER_TOOL_NAME = "web_search"

Engine = Literal["auto", "native", "exa", "firecrawl", "parallel", "perplexity"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WebPlugin:
    """One search before every request, its results put before the model.

    max_results: 1 to 25. engine: None leaves it to OpenRouter, which has no "auto"
    here. Of include_domains and exclude_domains, at most one.
    """

    max_results: int = 5
    engine: Engine | None = None
    search_prompt: str | None = None
    include_domains: Sequence[str] = ()
    exclude_domains: Sequence[str] = ()

    def __post_init__(self) -> None:
        _check_results("max_results", self.max_results)
        _check_domains(self.include_domains, self.exclude_domains)
        if self.engine == "auto":
            msg = "The web plugin has no engine 'auto'; leave it out."
            raise ConfigurationError(msg)

    def to_json(self) -> dict[str, Any]:
        """Return the entry of `plugins`."""
        return _filled(
            id="web",
            max_results=self.max_results,
            engine=self.engine,
            search_prompt=self.search_prompt,
            include_domains=list(self.include_domains),
            exclude_domains=list(self.exclude_domains),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSearchTool:
    """A search tool that OpenRouter runs whenever the model asks for it.

    max_results: of one search, 1 to 25; max_total_results: of all in one request.
    max_characters: of each result. Of allowed_domains and excluded_domains, at most
    one.
    """

    engine: Engine | None = None
    max_results: int = 5
    max_total_results: int | None = None
    max_characters: int | None = None
    search_context_size: Literal["low", "medium", "high"] | None = None
    allowed_domains: Sequence[str] = ()
    excluded_domains: Sequence[str] = ()
    user_location: Mapping[str, str] | None = None

    def __post_init__(self) -> None:
        _check_results("max_results", self.max_results)
        _check_domains(self.allowed_domains, self.excluded_domains)

    def to_json(self) -> dict[str, Any]:
        """Return the entry of `tools`."""
        location = dict(self.user_location) if self.user_location else None
        parameters = _filled(
            engine=self.engine,
            max_results=self.max_results,
            max_total_results=self.max_total_results,
            max_characters=self.max_characters,
            search_context_size=self.search_context_size,
            allowed_domains=list(self.allowed_domains),
            excluded_domains=list(self.excluded_domains),
            user_location=location,
        )
        return {"type": SERVER_TOOL, "parameters": parameters}


class CitedResult(NamedTuple):
    """One source that an answer cites; the snippet is the provider's excerpt."""

    title: str
    url: str
    snippet: str


def cited_results(cited: ModelReply | Sequence[Json]) -> list[CitedResult]:
    """The sources that a reply cites, or of a list of raw annotations.

    Each address once, in the order of first citation; only http and https. Prose is
    discarded: what is not cited is not there.
    """
    if isinstance(cited, ModelReply):
        citations: Sequence[Citation] = cited.citations
    else:
        citations = url_citations(cited, "")
    results: dict[str, CitedResult] = {}
    for each in citations:
        if each.kind != URL_CITATION or not _is_web(each.source):
            continue
        known = results.get(each.source)
        # The same page is cited again and again, at times without its excerpt.
        if known is None or (each.cited and not known.snippet):
            result = CitedResult(each.title, each.source, each.cited)
            results[each.source] = result
    return list(results.values())


def url_citations(annotations: Sequence[Json], text: str) -> tuple[Citation, ...]:
    """Read the annotations of a message, nested (chat) or flat (Responses).

    Offsets are in code points of `text` and never beyond it; they mark the link in it.
    """
    return tuple(
        _citation(each, text)
        for each in annotations
        if isinstance(each, dict) and each.get("type") == URL_CITATION
    )


def _citation(annotation: Json, text: str) -> Citation:
    body = an_object(annotation.get(URL_CITATION)) or annotation
    start = min(_offset(body, "start_index"), len(text))
    return Citation(
        kind=URL_CITATION,
        start=start,
        end=max(start, min(_offset(body, "end_index"), len(text))),
        source=a_text(body.get("url")),
        title=mended(a_text(body.get("title"))),
        cited=mended(a_text(body.get("content"))),
        raw=annotation,
    )


def _offset(body: Mapping[str, Any], name: str) -> int:
    value = body.get(name)
    return value if type(value) is int and value > 0 else 0


def _is_web(url: str) -> bool:
    return url.lower().startswith(("https://", "http://"))


def _filled(**values: Any) -> dict[str, Any]:
    """What is set; an empty list of domains is refused by some, and means nothing."""
    return {name: value for name, value in values.items() if value not in (None, [])}


def _check_results(name: str, value: int) -> None:
    if type(value) is not int or not 1 <= value <= MOST_RESULTS:
        msg = f"{name} must be 1 to {MOST_RESULTS}, not {value!r}."
        raise ConfigurationError(msg)


def _check_domains(wanted: Sequence[str], unwanted: Sequence[str]) -> None:
    if isinstance(wanted, str) or isinstance(unwanted, str):
        msg = "Domains are a list, not one text."
        raise ConfigurationError(msg)
    if wanted and unwanted:
        msg = "Name the domains to search or those to leave out, not both."
        raise ConfigurationError(msg)
