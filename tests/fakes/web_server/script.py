"""The language of tests/data/guard/cases.json: a mapping becomes pieces of bytes.

``raw``, ``raw_b64`` and ``raw_gen`` are the whole answer as it is. Otherwise there are
``status``, ``headers`` (``head_utf8`` writes them in UTF-8) and a body: ``body``,
``body_b64`` or ``body_gen`` in ``charset``, then packed by each of ``encode``.
``framing`` is length, chunked (by ``chunk``) or close; ``cut`` promises that many
bytes more than come. ``delay_s`` waits before, ``drip`` between the bytes.
"""

import base64
import gzip
import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

Answer = Mapping[str, Any]
Wait = Callable[[float], object]


def pieces_of(answer: Answer, wait: Wait) -> Iterator[bytes]:
    """Yield an answer as it is sent; ``wait`` lets so many seconds pass."""
    wait(answer.get("delay_s", 0))
    drip = answer.get("drip")
    for part in _whole(answer):
        if drip is None:
            yield part
            continue
        for start in range(0, len(part), drip["bytes"]):
            yield part[start : start + drip["bytes"]]
            wait(drip["every_s"])


def _whole(answer: Answer) -> list[bytes]:
    if "raw_b64" in answer:
        return [base64.b64decode(answer["raw_b64"])]
    if "raw" in answer:
        return [answer["raw"].encode("latin-1")]
    if "raw_gen" in answer:
        return [generated(answer["raw_gen"]).encode("latin-1")]
    body = _body(answer)
    framing, cut = answer.get("framing", "length"), answer.get("cut", 0)
    own = {
        "length": [["Content-Length", str(len(body) + cut)]],
        "chunked": [["Transfer-Encoding", "chunked"]],
        "close": [["Connection", "close"]],
    }[framing]
    if framing == "chunked":
        body = _chunked(body, answer.get("chunk", 4096)) + (b"" if cut else _LAST_CHUNK)
    return [_head(answer, own), body]


_LAST_CHUNK = b"0\r\n\r\n"


def generated(text: Mapping[str, Any]) -> str:
    """A text that is one piece many times over, with a prefix and a suffix."""
    middle: str = text["repeat"] * text["times"]
    return f"{text.get('prefix', '')}{middle}{text.get('suffix', '')}"


def _head(answer: Answer, own: list[list[str]]) -> bytes:
    fields = [*answer.get("headers", []), *own]
    lines = [f"HTTP/1.1 {answer.get('status', 200)} X"]
    lines += [f"{name}: {value}" for name, value in fields]
    charset = "utf-8" if answer.get("head_utf8") else "latin-1"
    return "\r\n".join([*lines, "", ""]).encode(charset)


def _chunked(body: bytes, size: int) -> bytes:
    chunks = (body[start : start + size] for start in range(0, len(body), size))
    return b"".join(b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in chunks)


def _body(answer: Answer) -> bytes:
    body = _unpacked_body(answer)
    for packing in answer.get("encode", []):
        body = _PACKINGS[packing](body)
    return body


def _unpacked_body(answer: Answer) -> bytes:
    if "body_b64" in answer:
        return base64.b64decode(answer["body_b64"])
    if "body_gen" in answer:
        text = answer["body_gen"]
        return generated(text).encode(text.get("charset", "utf-8"))
    charset: str = answer.get("charset", "utf-8")
    return str(answer.get("body", "")).encode(charset)


def _gzip(body: bytes) -> bytes:
    return gzip.compress(body, mtime=0)


def _two_members(body: bytes) -> bytes:
    half = len(body) // 2
    return _gzip(body[:half]) + _gzip(body[half:])


def _cut(body: bytes) -> bytes:
    packed = _gzip(body)
    return packed[: len(packed) * 2 // 3]


def _bad_checksum(body: bytes) -> bytes:
    packed = _gzip(body)
    return packed[:-8] + bytes(4) + packed[-4:]


def _raw_deflate(body: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(body) + packer.flush()


_PACKINGS: Mapping[str, Callable[[bytes], bytes]] = {
    "gzip": _gzip,
    "gzip2": _two_members,
    "gzip_cut": _cut,
    "gzip_badcrc": _bad_checksum,
    "gzip_trailing": lambda body: _gzip(body) + b"junk after the member",
    "zlib": zlib.compress,
    "deflate_raw": _raw_deflate,
    # Never offered, so nobody may unpack them: any bytes do.
    "br": lambda body: b"br:" + body,
    "zstd": lambda body: b"zstd:" + body,
}
