"""A robots.txt as RFC 9309 reads it, in time that grows with its length alone.

Parsers at hand are no match for a hostile file: the standard library's knows no wild
cards, and others take minutes where many names share many rules.
"""

import re
from dataclasses import dataclass, field
from urllib.parse import quote

_LINE_END = re.compile(r"\r\n?|\n")
_TOKEN = re.compile(r"[A-Za-z_-]+")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")
_DELAY = re.compile(r"[0-9]{1,6}(?:\.[0-9]{0,6})?")
_ANYONE = "*"


@dataclass(slots=True)
class RobotsRules:
    """What one file says to one name; rules are patterns and whether they allow."""

    rules: list[tuple[str, bool]] = field(default_factory=list)
    delay_s: float = 0.0

    def allow(self, target: str) -> bool:
        """Whether a path with its query may be read: the longest rule that fits says.

        Of rules as long as each other an allowing one wins; without a rule, it may.
        """
        path = _normal(target).replace("*", "%2A").replace("$", "%24")
        fitting = [
            (len(pattern), allows)
            for pattern, allows in self.rules
            if _fits(pattern, path)
        ]
        return max(fitting, default=(0, True))[1]


def rules_for(name: str, text: str) -> RobotsRules:
    """Return the rules for a product's name: of its own groups, else of anyone's."""
    groups: dict[str, RobotsRules] = {}
    current: set[str] = set()
    is_among_names = False
    for line in _LINE_END.split(text.removeprefix("\ufeff")):
        key, colon, value = line.partition("#")[0].partition(":")
        key, value = key.strip().lower(), value.strip()
        if not colon:
            continue
        if key == "user-agent":
            current = (current if is_among_names else set()) | _names(value, name)
            is_among_names = True
            for group in current:
                groups.setdefault(group, RobotsRules())
        elif key in {"allow", "disallow", "crawl-delay"}:
            is_among_names = False
            for group in current:
                _add(groups[group], key, value)
    own = groups.get(name.lower())
    return own or groups.get(_ANYONE) or RobotsRules()


def _names(value: str, name: str) -> set[str]:
    """Of the names in a file only two matter: the product's own, and anyone."""
    if value == _ANYONE:
        return {_ANYONE}
    token = _TOKEN.match(value)
    return {token[0].lower()} & {name.lower()} if token else set()


def _add(group: RobotsRules, key: str, value: str) -> None:
    if key == "crawl-delay":
        if _DELAY.fullmatch(value):
            group.delay_s = max(group.delay_s, float(value))
    elif value:
        group.rules.append((_normal(value), key == "allow"))


def _normal(text: str) -> str:
    """Write every octet in one way; RFC 9309, section 2.2.2."""
    ascii_only = "".join(char if char.isascii() else quote(char) for char in text)
    return _ESCAPE.sub(_one_escape, ascii_only)


def _one_escape(found: re.Match[str]) -> str:
    char = chr(int(found[1], 16))
    return char if _UNRESERVED.fullmatch(char) else found[0].upper()


def _fits(pattern: str, path: str) -> bool:
    to_the_end = pattern.endswith("$")
    first, *others = pattern.removesuffix("$").replace("$", "%24").split("*")
    if not path.startswith(first):
        return False
    if not others:
        return not to_the_end or path == first
    at = len(first)
    last = others.pop() if to_the_end else ""
    for part in others:
        found = path.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return len(path) - len(last) >= at and path.endswith(last)
