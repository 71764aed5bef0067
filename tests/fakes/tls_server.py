"""A web site on loopback over TLS, scripted answer by answer."""

import gzip
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

CERTIFICATES = Path(__file__).parent / "tls"
AUTHORITY = str(CERTIFICATES / "authority.pem")

Pieces = Iterator[bytes] | list[bytes]


@dataclass
class Seen:
    """One request as it arrived."""

    server_name: str | None
    start_line: str
    headers: dict[str, str]
    body: bytes


@dataclass
class TlsServer:
    """Answers by host and path; an answer is the bytes to send, or makes them."""

    certificate: str = "valid"
    maximum_version: ssl.TLSVersion = ssl.TLSVersion.TLSv1_3
    answers: dict[str, bytes | Callable[[], Pieces]] = field(default_factory=dict)
    seen: list[Seen] = field(default_factory=list)
    dialled: list[tuple[str, int]] = field(default_factory=list)
    looked_up: list[str] = field(default_factory=list)
    names: dict[str, list[str]] = field(default_factory=dict)
    port: int = 0

    def resolve(self, host: str, port: int) -> list[str]:
        """Stand in for DNS: hosts not in ``names`` have one public address."""
        self.looked_up.append(host)
        return self.names.get(host, ["93.184.216.34"])

    def dial(self, ip: str, port: int, timeout_s: float) -> socket.socket:
        """Stand in for the internet: every address leads here."""
        self.dialled.append((ip, port))
        return socket.create_connection(("127.0.0.1", self.port), timeout_s)


@contextmanager
def serving(server: TlsServer) -> Iterator[TlsServer]:
    """Run a server until the end of the block."""
    listener = socket.create_server(("127.0.0.1", 0))
    server.port = listener.getsockname()[1]
    context = _context(server)
    threads: list[threading.Thread] = []

    def accept() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            thread = threading.Thread(target=_serve, args=(server, context, connection))
            thread.start()
            threads.append(thread)

    acceptor = threading.Thread(target=accept)
    acceptor.start()
    try:
        yield server
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        acceptor.join()
        for thread in threads:
            thread.join()


def _context(server: TlsServer) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.maximum_version = server.maximum_version
    context.load_cert_chain(CERTIFICATES / f"{server.certificate}.pem")

    def remember(tls: ssl.SSLSocket, name: str | None, _: ssl.SSLContext) -> None:
        tls.asked_name = name  # type: ignore[attr-defined]

    context.sni_callback = remember
    return context


def _serve(
    server: TlsServer, context: ssl.SSLContext, connection: socket.socket
) -> None:
    connection.settimeout(10)
    with (
        suppress(OSError),
        connection,
        context.wrap_socket(connection, server_side=True) as tls,
    ):
        request = _read(tls)
        server.seen.append(request)
        path = request.start_line.split(" ")[1]
        for piece in _pieces(server, request.headers["host"] + path):
            tls.sendall(piece)


def _read(tls: ssl.SSLSocket) -> Seen:
    received = b""
    while b"\r\n\r\n" not in received:
        piece = tls.recv(65536)
        if not piece:
            raise OSError("closed before the request ended")
        received += piece
    head, _, body = received.partition(b"\r\n\r\n")
    start_line, *lines = head.decode("latin-1").split("\r\n")
    fields = (line.split(": ", 1) for line in lines)
    headers = {field_name.lower(): value for field_name, value in fields}
    while len(body) < int(headers.get("content-length", 0)):
        body += tls.recv(65536)
    return Seen(getattr(tls, "asked_name", None), start_line, headers, body)


def _pieces(server: TlsServer, where: str) -> Pieces:
    scripted = server.answers.get(where)
    if scripted is None:
        return [answer("not scripted", status=404)]
    return [scripted] if isinstance(scripted, bytes) else scripted()


def answer(
    body: str | bytes = b"",
    *headers: str,
    status: int = 200,
    media_type: str | None = "text/plain; charset=utf-8",
) -> bytes:
    """A whole answer with its length; ``headers`` are further lines."""
    content = body.encode() if isinstance(body, str) else body
    lines = [f"HTTP/1.1 {status} Said", *headers, f"Content-Length: {len(content)}"]
    if media_type is not None:
        lines.append(f"Content-Type: {media_type}")
    return "\r\n".join([*lines, "", ""]).encode() + content


def packed(body: bytes) -> bytes:
    """An answer whose body is gzip."""
    return answer(gzip.compress(body), "Content-Encoding: gzip")


def redirect(location: str, status: int = 302) -> bytes:
    """An answer that leads elsewhere."""
    return answer("elsewhere", f"Location: {location}", status=status)
