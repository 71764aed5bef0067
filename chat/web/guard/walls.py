"""Pages that stand in the way of the page that was asked for."""

from dataclasses import dataclass

from chat.web.guard.markup import Markup, take_apart
from chat.web.guard.page import Page
from chat.web.guard.wall_rules import RULES, Place, Rule, Sign, WallKind
from chat.web.reading.media import is_html
from chat.web.reading.values import Readable


@dataclass(frozen=True, slots=True)
class Wall:
    """What stands there, and by which signs it is known."""

    kind: WallKind
    signs: tuple[str, ...]


def wall(page: Page, readable: Readable | None) -> Wall | None:
    """Return the wall that a page is, None for any other page.

    ``readable`` is the page as it was read, None where nothing could be read on it; the
    words are then taken from between its tags. What a wall says is no evidence of
    anything: refuse it as ``blocked``. Only HTML can be a wall.
    """
    if not is_html(page.media_type):
        return None
    seen = _Seen(page, readable)
    for rule in RULES:
        if seen.length(rule) <= rule.most_chars and (signs := seen.signs(rule)):
            return Wall(rule.kind, signs)
    return None


class _Seen:
    """A page as the rules look at it."""

    def __init__(self, page: Page, readable: Readable | None) -> None:
        markup: Markup = take_apart(page.body)
        text = readable.text if readable else markup.words
        first, last = page.hops[0].url, page.final_url
        self._main_length = len(readable.main_text() if readable else text)
        self._length = len(text)
        self._first = first
        self._places: dict[Place, str] = {
            "code": markup.code,
            "title": _straight(markup.title or (readable.title if readable else "")),
            "text": _straight(text),
            "header": "\n".join(f"{k}: {v}" for k, v in page.headers.items()),
            "moved": last if last != first else "",
        }

    def length(self, rule: Rule) -> int:
        return self._main_length if rule.of_main else self._length

    def signs(self, rule: Rule) -> tuple[str, ...]:
        """Return the names of a rule's signs, none where they are not enough."""
        must = [sign.name for sign in rule.must if self._has(sign)]
        if not must:
            return ()
        signs = must + [sign.name for sign in rule.also if self._has(sign)]
        return tuple(signs) if len(signs) > 1 else ()

    def _has(self, sign: Sign) -> bool:
        if sign.place == "moved" and sign.pattern.search(self._first):
            return False
        return sign.pattern.search(self._places[sign.place]) is not None


def _straight(text: str) -> str:
    """One kind of apostrophe and blank, so that a pattern needs to know no other."""
    return " ".join(text.replace("\u2019", "'").split())
