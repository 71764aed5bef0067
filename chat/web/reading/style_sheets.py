"""The simple rules of a page's own style elements, for what they hide.

Followed are rules for a tag, a class, an id or all of these on one element. What
depends on more (other elements, a state, the width of the window) is not followed; but
where such a rule shows what a simple one hides, the simple one is not believed, since
the page as it is drawn may well show it. Style sheets elsewhere are never fetched.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser

from chat.web.reading.declarations import Declarations, declarations, how_style_hides

_MOST_CSS = 1024 * 1024
_MOST_RULES = 20_000
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.S)
_TOKEN = re.compile(r""""(?:[^"\\\n]|\\.)*+"?|'(?:[^'\\\n]|\\.)*+'?|[{};]""", re.S)
_ALWAYS = re.compile(
    r"@(?:media\s+(?:only\s+)?(?:all|screen)\s*$|layer\b|supports\b)", re.I
)
_SIMPLE = re.compile(r"(\*|[a-zA-Z][\w-]*)?((?:[.#][\w\\-][\w-]*)*)")
_NAME = re.compile(r"([.#])([\w-]+)")
_SUBJECT_NAMES = re.compile(r"[.#]?[a-zA-Z_][\w-]*")
# A page may be held back as a whole until a script has run.
_WHOLE_PAGE = frozenset(("html", "body"))
_OTHER_GROUNDS = (
    'link[rel~="stylesheet"], [bgcolor], [background], [style*="background"]'
)


@dataclass(frozen=True, slots=True)
class Rule:
    """One simple selector and its declarations; heavier rules win."""

    tag: str
    names: frozenset[str]
    weight: tuple[int, int, int]
    declared: Declarations


@dataclass(slots=True)
class StyleSheet:
    """The rules of one page's style elements, found by tag, class and id."""

    rules: dict[str, list[Rule]] = field(default_factory=dict)
    on_white: bool = False

    @classmethod
    def of(cls, parser: LexborHTMLParser) -> "StyleSheet":
        """Read the style elements of a page, up to a size beyond which none is read."""
        css = "\n".join(node.text() for node in parser.css("style"))[:_MOST_CSS]
        is_plain = "background" not in css and parser.css_first(_OTHER_GROUNDS) is None
        skipped = _WHOLE_PAGE if parser.css_first("script") else frozenset[str]()
        return cls(_indexed(css, skipped), is_plain)

    def declared(self, tag: str, attributes: Mapping[str, str | None]) -> Declarations:
        """Return what the rules say of an element, those of more weight last."""
        if not self.rules:
            return {}
        names = frozenset(_names_of(attributes))
        found = [
            rule
            for key in (tag, "*", *names)
            for rule in self.rules.get(key, ())
            if rule.names <= names and rule.tag in ("", "*", tag)
        ]
        merged: dict[str, str] = {}
        for rule in sorted(found, key=lambda rule: rule.weight):
            merged.update(rule.declared)
        return merged


def _names_of(attributes: Mapping[str, str | None]) -> Iterator[str]:
    for name in (attributes.get("class") or "").split():
        yield "." + name
    if attributes.get("id"):
        yield f"#{attributes['id']}"


def _indexed(css: str, skipped: frozenset[str]) -> dict[str, list[Rule]]:
    """Return the rules that can be followed, each under one of its names or its tag."""
    rules: list[Rule] = []
    shown: set[str] = set()
    for prelude, body, is_followed in _style_rules(css):
        declared = declarations(body)
        if not declared or len(rules) >= _MOST_RULES:
            continue
        for selector in prelude.split(","):
            simple = _simple(selector.strip()) if is_followed else None
            if simple is not None:
                rules.append(Rule(*simple, (*_weight(simple), len(rules)), declared))
            elif how_style_hides(declared) is None:
                shown.update(_subject(selector))
    index: dict[str, list[Rule]] = {}
    for rule in rules:
        key = min(rule.names, default=rule.tag)
        if key not in skipped and not _is_doubtful(rule, shown):
            index.setdefault(key, []).append(rule)
    return index


def _is_doubtful(rule: Rule, shown: set[str]) -> bool:
    names = rule.names or {rule.tag}
    return not shown.isdisjoint(names) and how_style_hides(rule.declared) is not None


def _simple(selector: str) -> tuple[str, frozenset[str]] | None:
    found = _SIMPLE.fullmatch(selector)
    if found is None or not selector:
        return None
    names = frozenset(mark + name for mark, name in _NAME.findall(found[2]))
    return (found[1] or "").lower(), names


def _weight(simple: tuple[str, frozenset[str]]) -> tuple[int, int]:
    tag, names = simple
    ids = sum(name[0] == "#" for name in names)
    return ids, (len(names) - ids) * 2 + (tag not in ("", "*"))


def _subject(selector: str) -> list[str]:
    """Return the names of the element that a selector of any kind is about."""
    words = re.split(r"[\s>+~]+", selector.strip())
    return _SUBJECT_NAMES.findall(words[-1].partition(":")[0] if words else "")


def _style_rules(css: str) -> Iterator[tuple[str, str, bool]]:
    """Yield selectors, declarations, and whether the rule always applies; linear."""
    css = _COMMENT.sub("", css) if "/*" in css else css
    around: list[bool] = []
    start = 0
    for token in _TOKEN.finditer(css):
        mark, place = token[0], token.start()
        if place < start or mark[0] in "\"'":
            continue
        if mark == "{" and css[start:place].lstrip().startswith("@"):
            around.append(_ALWAYS.match(css[start:place].strip()) is not None)
        elif mark == "{":
            end = _end_of_block(css, place + 1)
            yield css[start:place].strip(), css[place + 1 : end], all(around)
            start = end + 1
            continue
        elif mark == "}" and around:
            around.pop()
        start = place + 1


def _end_of_block(css: str, start: int) -> int:
    """Return where the block that begins here ends; rules nested in it are its own."""
    depth = 1
    for token in _TOKEN.finditer(css, start):
        depth += (token[0] == "{") - (token[0] == "}")
        if not depth:
            return token.start()
    return len(css)
