"""A true quote is found under any typographic change; a changed one never."""

import unicodedata

from hypothesis import assume, given
from hypothesis import strategies as st

from chat.web.reading.folding import fold
from chat.web.reading.quotes import locate, locate_all

# Written out here rather than taken from the product's table.
VARIANTS = [
    ["'", "‘", "’", "‚", "‹", "›", "ʼ", "＇", "❜"],
    ['"', "“", "”", "„", "«", "»", "＂", "〝"],
    ["-", "‐", "\u2011", "–", "—", "−", "－", "⸺"],
    ["...", "…"],
    ["fi", "ﬁ"],
    ["fl", "ﬂ"],
    ["ff", "ﬀ"],
    ["ffi", "ﬃ"],
    ["ffl", "ﬄ"],
    ["st", "ﬅ", "ﬆ"],
    ["é", "e\u0301"],
    ["ệ", "e\u0323\u0302", "e\u0302\u0323", "ê\u0323", "ẹ\u0302"],
    ["한", "\u1112\u1161\u11ab"],
    ["Å", "A\u030a", "\u212b"],
]
BLANKS = st.text(
    " \t\n\r\u00a0\u2002\u2009\u200a\u202f\u205f\u3000", min_size=1, max_size=3
)
INVISIBLE = st.sampled_from(
    ["", "", "", "\u00ad", "\u200b", "\u200d", "\u2060", "\ufeff"]
)
LETTERS = [
    ["a"],
    ["B"],
    ["ж"],
    ["漢"],
    ["ß"],
    ["2"],
    ["²"],
    ["½"],
    ["𝟙"],
    ["ﬀ"],
    ["."],
    ["😀"],
]
PIECES = st.lists(st.sampled_from(VARIANTS + LETTERS), min_size=1, max_size=6)


@st.composite
def two_writings(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """One sequence of words, each unique by its number, written in two ways."""
    first, second = [], []
    for number in range(draw(st.integers(2, 8))):
        pieces = draw(PIECES)
        writings = [
            "".join(draw(st.sampled_from(piece)) + draw(INVISIBLE) for piece in pieces)
            for _ in range(2)
        ]
        first.append(f"n{number}x{writings[0]}e")
        second.append(f"n{number}x{writings[1]}e")
    return first, second


@given(data=st.data(), writings=two_writings())
def test_a_true_quote_is_found_at_its_offsets(
    data: st.DataObject, writings: tuple[list[str], list[str]]
) -> None:
    written, quoted = writings
    first = data.draw(st.integers(0, len(written) - 1))
    last = data.draw(st.integers(first, len(written) - 1))
    offsets, text = [], ""
    for word in written:
        start = len(text)
        text += word
        offsets.append((start, len(text)))
        text += data.draw(BLANKS)
    quote = quoted[first]
    for word in quoted[first + 1 : last + 1]:
        quote += data.draw(BLANKS) + word

    match = locate(quote, text)

    assert match is not None
    assert (match.start, match.end) == (offsets[first][0], offsets[last][1])
    encoded = text.encode()
    sliced = encoded[match.byte_start : match.byte_end].decode()
    assert sliced == text[match.start : match.end]


@given(data=st.data(), writings=two_writings())
def test_a_changed_character_is_never_found(
    data: st.DataObject, writings: tuple[list[str], list[str]]
) -> None:
    written, quoted = writings
    text, quote = " ".join(written), " ".join(quoted)
    places = [i for i, char in enumerate(quote) if char.isalnum()]
    place = data.draw(st.sampled_from(places))
    other = data.draw(st.characters(categories=["Lu", "Ll", "Lo", "Nd", "No"]))
    changed = quote[:place] + other + quote[place + 1 :]
    assume(unicodedata.normalize("NFD", fold(changed).text) != fold(quote).text)

    assert locate(changed, text) is None


# What makes another number or another statement of it, though it looks much the same.
SIGNS = [*"0123456789²³¹⁵½¼٣४３+-±<>≤≥=≠~%‰°$€£.,:/×x·"]


@given(data=st.data(), writings=two_writings())
def test_a_changed_digit_sign_or_superscript_is_never_found(
    data: st.DataObject, writings: tuple[list[str], list[str]]
) -> None:
    figure = "".join(
        data.draw(st.lists(st.sampled_from(SIGNS), min_size=1, max_size=6))
    )
    place = data.draw(st.integers(0, len(figure) - 1))
    other = figure[:place] + data.draw(st.sampled_from(SIGNS)) + figure[place + 1 :]
    written, quoted = (" ".join(words) for words in writings)
    assume(fold(other).text != fold(figure).text)

    assert locate(f"{quoted} {figure} m", f"{written} {figure} m") is not None
    assert locate(f"{quoted} {other} m", f"{written} {figure} m") is None


@given(data=st.data(), writings=two_writings())
def test_a_character_left_out_inside_is_never_found(
    data: st.DataObject, writings: tuple[list[str], list[str]]
) -> None:
    written, quoted = (" ".join(words) for words in writings)
    place = data.draw(st.integers(1, len(quoted) - 2))
    shorter = quoted[:place] + quoted[place + 1 :]
    assume(fold(shorter).text != fold(quoted).text)

    assert locate(shorter, written) is None


@given(data=st.data(), pieces=PIECES, times=st.integers(1, 6))
def test_every_occurrence_is_found_at_its_offsets(
    data: st.DataObject, pieces: list[list[str]], times: int
) -> None:
    text, offsets = "", []
    for _ in range(times):
        writing = "".join(data.draw(st.sampled_from(piece)) for piece in pieces)
        text += data.draw(st.sampled_from(["<other> ", "\n\n<> ", "<😀>\u00a0"]))
        offsets.append((len(text) + 1, len(text) + 1 + len(writing)))
        text += f"|{writing}| "
    quote = "".join(data.draw(st.sampled_from(piece)) for piece in pieces)

    found = locate_all(f"|{quote}|", text)

    assert [(match.start + 1, match.end - 1) for match in found] == offsets
    for match in found:
        sliced = text.encode()[match.byte_start : match.byte_end].decode()
        assert sliced == text[match.start : match.end]
        assert (match.grade == "exact") == (sliced == f"|{quote}|")


@given(data=st.data(), writings=two_writings())
def test_a_dropped_doubled_or_moved_word_is_never_found(
    data: st.DataObject, writings: tuple[list[str], list[str]]
) -> None:
    written, quoted = writings
    place = data.draw(st.integers(0, len(quoted) - 2))
    doubled = [*quoted[: place + 1], *quoted[place:]]
    moved = [*quoted[:place], quoted[place + 1], quoted[place], *quoted[place + 2 :]]

    assert locate(" ".join(doubled), " ".join(written)) is None
    assert locate(" ".join(moved), " ".join(written)) is None


AWKWARD = st.text("aef i\n.\u0301\u0323éﬁ…\u00ad-–", max_size=9)


@given(text=AWKWARD, quote=AWKWARD)
def test_the_search_agrees_with_trying_every_slice(text: str, quote: str) -> None:
    wanted = fold(quote).text.strip()
    slices = {
        (start, end)
        for start in range(len(text))
        for end in range(start + 1, len(text) + 1)
        if fold(text[start:end]).text == wanted
        and not _splits(text, start)
        and not _splits(text, end)
    }

    match = locate(quote, text)

    if match is None:
        assert not wanted or not slices
    elif match.grade == "exact":
        assert text[match.start : match.end] == quote
    else:
        assert (match.start, match.end) in slices
        assert match.start == min(s for s, _ in slices if text[s] != "\u00ad")


def _splits(text: str, position: int) -> bool:
    """Say whether an accent that belongs to what is before follows here."""
    if position == 0:
        return False
    rest = text[position:].lstrip("\u00ad")
    return rest[:1] in {"\u0301", "\u0323"}
