"""Take gzip and deflate apart piece by piece, never more than is kept."""

import zlib
from collections.abc import Iterable
from typing import Protocol

from chat.web.guard.refusal import FetchRefused, Reason
from chat.web.guard.transport import WireLimit

_GZIP = 31
_ZLIB = 15
_RAW = -15
# Unpacked at a time: more would be memory beside the body's own.
_TAKEN = 64 * 1024
# Each gzip member costs time even if it holds nothing.
_MAX_MEMBERS = 256


def collect(pieces: Iterable[bytes], coding: str, limit: int) -> tuple[bytes, bool]:
    """Return the decoded body, and whether a limit cut it, on the wire or unpacked.

    ``coding`` is the value of Content-Encoding. Raises FetchRefused where the coding
    was not offered, or where a body that was read to its end does not unpack.
    """
    unpacker = _unpacker(coding)
    body = bytearray()
    try:
        for piece in pieces:
            unpacker.feed(piece)
            # One byte beyond the limit tells a cut body from one that just fits.
            while data := unpacker.take(min(_TAKEN, limit + 1 - len(body))):
                body += data
                if len(body) > limit:
                    return bytes(memoryview(body)[:limit]), True
    except WireLimit:
        return bytes(body), True
    unpacker.end()
    return bytes(body), False


class _Unpacker(Protocol):
    def feed(self, piece: bytes) -> None: ...
    def take(self, room: int) -> bytes: ...
    def end(self) -> None: ...


class _Plain:
    def __init__(self) -> None:
        self._data = b""

    def feed(self, piece: bytes) -> None:
        self._data += piece

    def take(self, room: int) -> bytes:
        taken, self._data = self._data[:room], self._data[room:]
        return taken

    def end(self) -> None:
        """Plain bytes are whole at any length."""


class _Packed:
    """gzip with any number of members, or deflate with or without its wrapping."""

    def __init__(self, wbits: int | None) -> None:
        self._wbits = wbits
        self._data = b""
        self._stream = zlib.decompressobj(wbits) if wbits else None
        self._fed = False
        self._members = 1

    def feed(self, piece: bytes) -> None:
        self._data += piece
        self._fed = self._fed or bool(piece)

    def take(self, room: int) -> bytes:
        while self._data:
            stream = self._current()
            if stream is None:
                return b""
            try:
                taken = stream.decompress(self._data, room)
            except zlib.error as error:
                raise FetchRefused(Reason.DECODE, str(error)) from error
            self._data = stream.unconsumed_tail or stream.unused_data
            if taken:
                return taken
        return b""

    def end(self) -> None:
        is_whole = self._stream is not None and self._stream.eof
        if self._fed and not is_whole:
            raise FetchRefused(Reason.DECODE, "It ends early.")

    def _current(self) -> "zlib._Decompress | None":
        if self._stream is not None and not self._stream.eof:
            return self._stream
        if self._stream is None:
            if len(self._data) < 2:
                return None
            self._stream = zlib.decompressobj(_deflate_wbits(self._data))
        elif self._wbits == _GZIP and self._members < _MAX_MEMBERS:
            self._members += 1
            self._stream = zlib.decompressobj(_GZIP)
        else:
            raise FetchRefused(Reason.DECODE, "There is more after its end.")
        return self._stream


def _deflate_wbits(head: bytes) -> int:
    """Some servers leave out the zlib wrapping that the standard asks for."""
    is_wrapped = head[0] & 0x0F == 8 and (head[0] * 256 + head[1]) % 31 == 0
    return _ZLIB if is_wrapped else _RAW


def _unpacker(coding: str) -> _Unpacker:
    name = coding.strip().lower()
    if name in {"", "identity"}:
        return _Plain()
    if name in {"gzip", "x-gzip"}:
        return _Packed(_GZIP)
    if name == "deflate":
        return _Packed(None)
    raise FetchRefused(Reason.ENCODING, f"It is packed as {name[:40]!r}.")
