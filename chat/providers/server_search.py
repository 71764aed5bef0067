"""The web search that a provider runs itself, as trusted code describes it.

This is the one place that makes the tool block for it. Nothing a model says gets here:
a ServerSearch is handed to a model's constructor and to nothing else.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, NotRequired, TypedDict

from chat.engine import ConfigurationError

NAME: Final = "web_search"
CODE: Final = "code_execution"
BASIC: Final = "web_search_20250305"
MAX_USES: Final = 5

_VERSION = re.compile(r"web_search_\d{8}")
_CODE_VERSION = re.compile(r"code_execution_\d{8}")
_DOMAIN = re.compile(r"[^\s/:]+\.[^\s/:]+(/\S*)?")


class LocationBlock(TypedDict):
    """Where the person is, roughly."""

    type: Literal["approximate"]
    city: NotRequired[str]
    region: NotRequired[str]
    country: NotRequired[str]
    timezone: NotRequired[str]


class SearchBlock(TypedDict):
    """The tool as the Messages API takes it."""

    type: str
    name: Literal["web_search"]
    max_uses: NotRequired[int]
    allowed_domains: NotRequired[list[str]]
    blocked_domains: NotRequired[list[str]]
    user_location: NotRequired[LocationBlock]
    allowed_callers: NotRequired[list[str]]


class CodeBlock(TypedDict):
    """The tool that runs the model's code, as the Messages API takes it."""

    type: str
    name: Literal["code_execution"]


@dataclass(frozen=True, slots=True, kw_only=True)
class UserLocation:
    """Where results should be near to; at least one part is given.

    country: two letters. timezone: an IANA name.
    """

    city: str = ""
    region: str = ""
    country: str = ""
    timezone: str = ""

    def __post_init__(self) -> None:
        if not any((self.city, self.region, self.country, self.timezone)):
            msg = "UserLocation names neither city, region, country nor timezone."
            raise ConfigurationError(msg)

    def block(self) -> LocationBlock:
        """Return the parts that are known."""
        block: LocationBlock = {"type": "approximate"}
        if self.city:
            block["city"] = self.city
        if self.region:
            block["region"] = self.region
        if self.country:
            block["country"] = self.country
        if self.timezone:
            block["timezone"] = self.timezone
        return block


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSearch:
    """The provider's own web search, attached to every turn that may call tools.

    version: of the tool, web_search_YYYYMMDD. max_uses: searches of one request, not of
    a run; None leaves it to the provider. allowed_domains, blocked_domains: without a
    scheme, sub-domains included; one of the two at most. dynamic_filtering: code that
    the model writes may call the search, which newer versions do by default; without it
    the model calls it directly. code_execution: the version of the tool that runs such
    code, where it is to be attached as well. code_tools: names of client tools that the
    code may call, too.
    """

    version: str = BASIC
    max_uses: int | None = MAX_USES
    allowed_domains: Sequence[str] = ()
    blocked_domains: Sequence[str] = ()
    user_location: UserLocation | None = None
    dynamic_filtering: bool = False
    code_execution: str | None = None
    code_tools: Sequence[str] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "code_tools", tuple(self.code_tools))
        for name in ("allowed_domains", "blocked_domains"):
            object.__setattr__(self, name, _domains(name, getattr(self, name)))
        problem = self._problem()
        if problem:
            msg = f"ServerSearch: {problem}."
            raise ConfigurationError(msg)

    def block(self) -> SearchBlock:
        """Return the tool block; what is not set is left out."""
        block: SearchBlock = {"type": self.version, "name": NAME}
        if self.max_uses is not None:
            block["max_uses"] = self.max_uses
        if self.allowed_domains:
            block["allowed_domains"] = list(self.allowed_domains)
        if self.blocked_domains:
            block["blocked_domains"] = list(self.blocked_domains)
        if self.user_location is not None:
            block["user_location"] = self.user_location.block()
        if self.version != BASIC and not self.dynamic_filtering:
            block["allowed_callers"] = ["direct"]
        return block

    def code_block(self) -> CodeBlock | None:
        """Return the tool that runs the model's code, None without one."""
        if self.code_execution is None:
            return None
        return {"type": self.code_execution, "name": CODE}

    def callers(self, tool: str) -> list[str]:
        """Return who may call a client tool besides the model; nobody as a rule."""
        known = self.code_execution is not None and tool in self.code_tools
        return [str(self.code_execution)] if known else []

    @property
    def tool_names(self) -> frozenset[str]:
        """Names that no other tool may have beside it."""
        return frozenset({NAME, CODE} if self.dynamic_filtering else {NAME})

    def direct(self) -> "ServerSearch":
        """The same, called by the model alone."""
        return replace(
            self, dynamic_filtering=False, code_execution=None, code_tools=()
        )

    def basic(self) -> "ServerSearch":
        """The same in the version that every model and switch goes with."""
        uses = self.max_uses or MAX_USES
        return replace(self.direct(), version=BASIC, max_uses=uses)

    def _problem(self) -> str | None:
        uses: Any = self.max_uses
        if not _VERSION.fullmatch(str(self.version)):
            return f"version {self.version!r} is not web_search_ and a date"
        if uses is not None and (type(uses) is not int or uses < 1):
            return f"max_uses must be 1 or more, not {uses!r}"
        if self.allowed_domains and self.blocked_domains:
            return "allowed_domains and blocked_domains exclude each other"
        if self.dynamic_filtering and self.version == BASIC:
            return f"{BASIC} has no dynamic filtering"
        return self._code_problem()

    def _code_problem(self) -> str | None:
        code = self.code_execution
        if code is None:
            return "code_tools without code_execution" if self.code_tools else None
        if not _CODE_VERSION.fullmatch(str(code)):
            return f"code_execution {code!r} is not code_execution_ and a date"
        if not self.dynamic_filtering:
            return "code_execution without dynamic_filtering"
        return None


def _domains(name: str, domains: Any) -> tuple[str, ...]:
    if isinstance(domains, str):
        msg = f"ServerSearch: {name} is one text; give a list of domains."
        raise ConfigurationError(msg)
    for domain in domains:
        if not isinstance(domain, str) or not _DOMAIN.fullmatch(domain):
            msg = f"ServerSearch: {name} has {domain!r}; give it as example.org or"
            raise ConfigurationError(f"{msg} example.org/path, without a scheme.")
    return tuple(domains)
