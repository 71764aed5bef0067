"""The encoding of bytes that nobody declared and that are not UTF-8, by their look."""

import re

_SAMPLE_BYTES = 64 * 1024
_BEFORE_SAMPLE = 1024
_LANES_BYTES = 512
_UNSEEN = re.compile(
    rb"<(script|style)\b[^>]*>.*?(?:</\1|\Z)|<!--.*?(?:-->|\Z)|<[^<>]*>|[ \t\r\n]+",
    re.I | re.S,
)
_HIGH = re.compile(rb"[\x80-\xff]")
_ESCAPED_JAPANESE = b"\x1b$"
# What undeclared pages are written in; of two that look alike the earlier is taken.
_CANDIDATES = [
    *("cp1252", "iso8859_2", "cp1257", "cp1250", "cp1254"),
    *("cp1251", "koi8_r", "cp1253", "cp1255", "cp1256", "cp874"),
    *("cp932", "euc_jp", "gb18030", "big5", "cp949"),
]
_SUPERSETS = {"big5": "big5hkscs"}
# Differences of the detector's figures that say nothing.
_LOOKS_ALIKE = 0.06


def wide_codec(body: bytes) -> str | None:
    """Return the UTF-16 whose plain letters leave one byte of each pair empty."""
    head = body[:_LANES_BYTES]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if not even and odd * 4 > len(head):
        return "utf-16-le"
    return "utf-16-be" if not odd and even * 4 > len(head) else None


def guessed_codec(body: bytes) -> str | None:
    """Return the most likely codec of the web's common ones, None where none is."""
    if _ESCAPED_JAPANESE in body and _HIGH.search(body) is None:
        return "iso2022_jp"
    # Hardly a page needs it, and every process that reads one would load it.
    import charset_normalizer

    found = charset_normalizer.from_bytes(
        _sample(body), cp_isolation=_CANDIDATES, preemptive_behaviour=False
    )
    best = found.best()
    if best is None:
        return None
    alike = [
        name
        for match in found
        if match.chaos - best.chaos < _LOOKS_ALIKE
        and best.coherence - match.coherence < _LOOKS_ALIKE
        for name in match.could_be_from_charset
    ]
    codec = min(alike, key=_CANDIDATES.index)
    return _SUPERSETS.get(codec, codec)


def _sample(body: bytes) -> bytes:
    """Return some text without its tags, from where it stops to be ASCII."""
    found = _HIGH.search(body)
    start = max(0, found.start() - _BEFORE_SAMPLE) if found else 0
    return _UNSEEN.sub(b" ", body[start : start + 4 * _SAMPLE_BYTES])[:_SAMPLE_BYTES]
