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

from chat.web.reading.declarations import (
    Declarations,
    declarations,
    how_style_hides,
    settled,
)

_MOST_CSS = 1024 * 1024
_MOST_RULES = 20_000
_LONG_BODY = 500
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.S)
_PIECE = re.compile(r"([^{};]*+)(?:\{(?:([^{}]*+)\})?|[};]|\Z)")
# Most rules can be told not to hide before they are read: lengths that are next to
# nothing, or far off the screen, and inks that may be their ground's begin so.
_OFTEN_HIDES = ("clip", "scale(", "scale:", "scalex", "scaley", "scale3", "text-fill")
_SMALL = (
    r"\+?0*(?:0(?![.\d])|\.[01]|1(?:\.\d+)?p[xt]|\.\d+(?:p[xtc]|mm|ex|ch)"
    r"|(?:\d|1[0-2])(?:\.\d+)?%)"
)
_SMALL_FONT = re.compile(rf"font(?:-size)?\s*:\s*(?:[^;]*\s)?{_SMALL}")
_SMALL_BOX = re.compile(rf"(?:width|height)\s*:\s*(?:{_SMALL}|-)")
_TRANSPARENT = re.compile(r"opacity\s*[:(]\s*\+?0*(?:\.?0|[0-5](?:\.\d+)?%)")
_FAR_OFF = re.compile(
    r"-\d{3}|(?<![#\w.])\d{4}|-\d\d?(?:\.\d+)?(?![\d.]|px|pt)[a-z]"
    r"|-(?:7[89]|[89]\d)(?:\.\d+)?%"
)
_LONG_OR_NEGATIVE = re.compile(r"-\d|\d{4}")
_INK = re.compile(
    r"(?<![\w-])color\s*:\s*(?!inherit|var\()(#[0-9a-d](?:..|.....)\s*(?:[;!]|\Z))?"
)
_QUOTED = re.compile("\"[^\"]*\"|'[^']*'")
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
    hides: bool


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
        names = [tag, "*", *_names_of(attributes)]
        candidates = [rule for name in names for rule in self.rules.get(name, ())]
        if not candidates:
            return {}
        found = [
            rule
            for rule in candidates
            if rule.names.issubset(names) and rule.tag in ("", "*", tag)
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
    for selectors, declared, is_followed in _rules_that_matter(css):
        hides = how_style_hides(settled(declared)) is not None
        for selector in selectors.split(","):
            simple = _simple(selector.strip()) if is_followed else None
            if simple is not None:
                rules.append(
                    Rule(*simple, (*_weight(simple), len(rules)), declared, hides)
                )
            elif not hides:
                shown.update(_subject(selector))
    index: dict[str, list[Rule]] = {}
    for rule in rules[:_MOST_RULES]:
        key = min(rule.names, default=rule.tag)
        if key not in skipped and not _is_doubtful(rule, shown):
            index.setdefault(key, []).append(rule)
    return index


def _rules_that_matter(css: str) -> list[tuple[str, Declarations, bool]]:
    """Return the rules that hide, and those about the same tags, classes and ids."""
    rules = _style_rules(css)
    hiding: set[str] = set()
    for selectors, body, is_followed in rules:
        if is_followed and _may_hide(body):
            hiding.update(_followed_names(selectors))
    if not hiding:
        return []
    found = []
    for selectors, body, is_followed in rules:
        if "*" in hiding or not hiding.isdisjoint(_SUBJECT_NAMES.findall(selectors)):
            declared = declarations(body)
            if declared:
                found.append((selectors, declared, is_followed))
    return found


def _followed_names(selectors: str) -> Iterator[str]:
    for selector in selectors.split(","):
        simple = _simple(selector.strip())
        if simple is not None:
            yield from simple[1] or {simple[0]}


def _may_hide(body: str) -> bool:
    # Reading costs a long body less than a look for what may be in it.
    if len(body) < _LONG_BODY and not _is_worth_reading(body.lower()):
        return False
    return how_style_hides(settled(declarations(body)), on_white=True) is not None


def _is_worth_reading(body: str) -> bool:
    if "none" in body and "display" in body:
        return True
    if "visibility" in body and ("hidden" in body or "collapse" in body):
        return True
    if any(word in body for word in _OFTEN_HIDES):
        return True
    if "\\" in body and "\\" in _QUOTED.sub("", body):
        return True
    return _has_odd_measures(body) or _has_odd_ink(body)


def _has_odd_measures(body: str) -> bool:
    if _LONG_OR_NEGATIVE.search(body) and _FAR_OFF.search(body):
        return True
    if "font" in body and _SMALL_FONT.search(body):
        return True
    return "overflow" in body and _SMALL_BOX.search(body) is not None


def _has_odd_ink(body: str) -> bool:
    if "opacity" in body and _TRANSPARENT.search(body):
        return True
    ink = _INK.search(body) if "color" in body else None
    return ink is not None and (not ink[1] or "background" in body)


def _is_doubtful(rule: Rule, shown: set[str]) -> bool:
    return rule.hides and not shown.isdisjoint(rule.names or {rule.tag})


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


def _style_rules(css: str) -> list[tuple[str, str, bool]]:
    """Return selectors, declarations, and whether the rule always applies; linear.

    What stands in a rule beside rules nested in it is passed over.
    """
    css = _COMMENT.sub("", css) if "/*" in css else css
    found: list[tuple[str, str, bool]] = []
    around: list[bool] = []
    for piece in _PIECE.finditer(css):
        selectors, body = piece.groups()
        if body is not None:
            found.append((selectors.strip(), body, all(around)))
        elif piece[0][-1:] == "{":
            around.append(_ALWAYS.match(selectors.strip()) is not None)
        elif piece[0][-1:] == "}" and around:
            around.pop()
    return found
