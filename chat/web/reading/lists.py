"""The numbers and bullets that lists are drawn with."""

from collections.abc import Iterator, Mapping

from selectolax.lexbor import LexborNode

_BULLET = "- "
_MOST_INDENTED = 4
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
    (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_MOST_DIGITS = 9


class ListNumbers:
    """Where the lists that are open have got to."""

    def __init__(self) -> None:
        self._open: list[_List] = []

    def start(self, node: LexborNode, attributes: Mapping[str, str | None]) -> None:
        numbered = node.tag == "ol"
        self._open.append(_numbered(node, attributes) if numbered else _List(""))

    def end(self) -> None:
        self._open.pop()

    def item(self, attributes: Mapping[str, str | None]) -> str:
        """Return what is drawn before the next item, indented by its depth."""
        if not self._open:
            return _BULLET
        indent = "  " * min(len(self._open) - 1, _MOST_INDENTED)
        return indent + self._open[-1].next_mark(_whole(attributes.get("value")))


class _List:
    def __init__(self, kind: str, at: int = 1, step: int = 1) -> None:
        self._kind = kind
        self._at = at
        self._step = step

    def next_mark(self, value: int | None) -> str:
        if not self._kind:
            return _BULLET
        at = self._at if value is None else value
        self._at = at + self._step
        return f"{_worded(at, self._kind)}. "


def _numbered(node: LexborNode, attributes: Mapping[str, str | None]) -> _List:
    kind = attributes.get("type") or "1"
    start = _whole(attributes.get("start"))
    if "reversed" not in attributes:
        return _List(kind, 1 if start is None else start)
    return _List(kind, sum(1 for _ in _items(node)) if start is None else start, -1)


def _items(node: LexborNode) -> Iterator[LexborNode]:
    child = node.child
    while child is not None:
        if child.tag == "li":
            yield child
        child = child.next


def _worded(number: int, kind: str) -> str:
    if kind in {"a", "A"} and number > 0:
        letters = _letters(number)
    elif kind in {"i", "I"} and 0 < number < 4_000:
        letters = _roman(number)
    else:
        return str(number)
    return letters if kind.islower() else letters.upper()


def _letters(number: int) -> str:
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return letters


def _roman(number: int) -> str:
    letters = ""
    for value, letter in _ROMAN:
        count, number = divmod(number, value)
        letters += letter * count
    return letters


def _whole(value: str | None) -> int | None:
    """Read a whole number as an attribute gives it."""
    digits = (value or "").strip().removeprefix("+")
    bare = digits.removeprefix("-")
    if not bare.isascii() or not bare.isdigit() or len(bare) > _MOST_DIGITS:
        return None
    return int(digits)
