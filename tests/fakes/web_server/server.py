"""The sockets: one listener for sound TLS, one more for each way of failing early."""

import socket
import ssl
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from tests.fakes.web_server.answers import answer
from tests.fakes.web_server.certificates import OLD_VERSIONS, context_for
from tests.fakes.web_server.script import pieces_of

PUBLIC_IP = "93.184.216.34"

Scripted = bytes | Callable[[], Iterable[bytes]] | Mapping[str, Any]

# The first bytes of a TLS record that never becomes whole.
_UNFINISHED_RECORD = b"\x16\x03\x03\x40\x00" + b"\x02" * 4_000


@dataclass
class Seen:
    """One request as it arrived."""

    server_name: str | None
    start_line: str
    headers: dict[str, str]
    body: bytes


@dataclass
class WebServer:
    """Answers by host and path.

    ``tls`` says by host what is wrong with its TLS: a mode of certificates.py, or
    ``silent`` or ``drip``. A ``deaf`` host reads no request. ``names`` are what DNS
    says, ``name_sequences`` one lookup after the other; a host that only has answers
    has one public address.
    """

    answers: dict[str, Scripted] = field(default_factory=dict)
    tls: dict[str, str] = field(default_factory=dict)
    deaf: set[str] = field(default_factory=set)
    names: dict[str, list[str]] = field(default_factory=dict)
    name_sequences: dict[str, list[list[str]]] = field(default_factory=dict)
    seen: list[Seen] = field(default_factory=list)
    dialled: list[tuple[str, int]] = field(default_factory=list)
    looked_up: list[str] = field(default_factory=list)
    stopped: threading.Event = field(default_factory=threading.Event)
    ports: dict[str, int] = field(default_factory=dict)
    _listeners: list[socket.socket] = field(default_factory=list)
    _threads: list[threading.Thread] = field(default_factory=list)

    def resolve(self, host: str, port: int) -> list[str]:
        """Stand in for DNS."""
        self.looked_up.append(host)
        if self.name_sequences.get(host):
            return self.name_sequences[host].pop(0)
        known = {where.partition("/")[0] for where in self.answers}
        default = [PUBLIC_IP] if host in known | set(self.tls) else None
        found = self.names.get(host, default)
        if found is None:
            raise socket.gaierror(-2, "Name or service not known")
        return found

    def dial(self, ip: str, port: int, timeout_s: float) -> socket.socket:
        """Stand in for the internet: every address leads here."""
        self.dialled.append((ip, port))
        mode = self.tls.get(self.looked_up[-1], "ok") if self.looked_up else "ok"
        fails_early = mode in OLD_VERSIONS or mode in {"silent", "drip"}
        place = self.listen(mode if fails_early else "ok")
        return socket.create_connection(("127.0.0.1", place), timeout_s)

    def listen(self, kind: str) -> int:
        """Return the port of a listener, opened if it is not yet."""
        if kind not in self.ports:
            listener = socket.create_server(("127.0.0.1", 0))
            self.ports[kind] = listener.getsockname()[1]
            self._listeners.append(listener)
            self._start(partial(self._accept, listener, kind))
        return self.ports[kind]

    def close(self) -> None:
        """End all listeners and connections, and wait for their threads."""
        self.stopped.set()
        for listener in self._listeners:
            listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        for thread in self._threads:
            thread.join()

    def _start(self, work: Callable[[], None]) -> None:
        thread = threading.Thread(target=work)
        self._threads.append(thread)
        thread.start()

    def _accept(self, listener: socket.socket, kind: str) -> None:
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                self._start(partial(self._serve, connection, kind))

    def _serve(self, connection: socket.socket, kind: str) -> None:
        connection.settimeout(10)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with suppress(OSError), connection:
            if kind in {"silent", "drip"}:
                self._fail_slowly(connection, kind)
                return
            host = PUBLIC_IP if kind == "ok" else self.looked_up[-1]
            context = self._context(host, kind)
            with context.wrap_socket(connection, server_side=True) as tls:
                if tls.asked_name in self.deaf:  # type: ignore[attr-defined]
                    self.stopped.wait()
                self._answer(tls)

    def _fail_slowly(self, connection: socket.socket, kind: str) -> None:
        while kind == "silent" and connection.recv(65536):
            pass
        for byte in _UNFINISHED_RECORD:
            connection.sendall(bytes((byte,)))
            if self.stopped.wait(0.02):
                return

    def _context(self, host: str, mode: str) -> ssl.SSLContext:
        context = context_for(host, mode)

        def choose(tls: ssl.SSLSocket, name: str | None, _: ssl.SSLContext) -> None:
            tls.asked_name = name  # type: ignore[attr-defined]
            if name is not None and mode == "ok":
                tls.context = context_for(name, self.tls.get(name, "ok"))

        context.sni_callback = choose
        return context

    def _answer(self, tls: ssl.SSLSocket) -> None:
        request = _read(tls)
        self.seen.append(request)
        path = request.start_line.split(" ")[1]
        scripted = self.answers.get(request.headers["host"] + path)
        for piece in self._pieces(scripted):
            tls.sendall(piece)
        if not (isinstance(scripted, Mapping) and scripted.get("ragged")):
            tls.unwrap()

    def _pieces(self, scripted: Scripted | None) -> Iterable[bytes]:
        if scripted is None:
            return [answer("not scripted", status=404)]
        if isinstance(scripted, bytes):
            return [scripted]
        if isinstance(scripted, Mapping):
            return pieces_of(scripted, self.stopped.wait)
        return scripted()


@contextmanager
def serving(server: WebServer) -> Iterator[WebServer]:
    """Run a server until the end of the block."""
    try:
        yield server
    finally:
        server.close()


def _read(tls: ssl.SSLSocket) -> Seen:
    received = b""
    while b"\r\n\r\n" not in received:
        received += _more(tls)
    head, _, body = received.partition(b"\r\n\r\n")
    start_line, *lines = head.decode("latin-1").split("\r\n")
    fields = (line.split(": ", 1) for line in lines)
    headers = {field_name.lower(): value for field_name, value in fields}
    while len(body) < int(headers.get("content-length", 0)):
        body += _more(tls)
    return Seen(getattr(tls, "asked_name", None), start_line, headers, body)


def _more(tls: ssl.SSLSocket) -> bytes:
    piece = tls.recv(65536)
    if not piece:
        raise OSError("closed before the request ended")
    return piece
