"""The server on a real socket of this machine, for whole clients and browsers."""

import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.fakes.model_server.handler import ModelServer
from tests.fakes.model_server.values import Response

# Closing with this option resets the connection instead of ending it in good order.
RESET = struct.pack("ii", 1, 0)


@contextmanager
def serving(server: ModelServer, port: int = 0) -> Iterator[ModelServer]:
    """Serve on 127.0.0.1 until the end of the block; the address is `base_url`."""
    listener = _Listener(("127.0.0.1", port), _handler_for(server))
    server.base_url = f"http://127.0.0.1:{listener.server_address[1]}"
    thread = threading.Thread(target=listener.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server
    finally:
        server.base_url = ""
        listener.stopping.set()
        listener.shutdown()
        listener.server_close()
        thread.join()


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, address: tuple[str, int], handler: type[Any]) -> None:
        self.stopping = threading.Event()
        super().__init__(address, handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is no error of ours."""


def _handler_for(server: ModelServer) -> type[BaseHTTPRequestHandler]:
    return type("Handler", (_Handler,), {"model_server": server})


class _Handler(BaseHTTPRequestHandler):
    """One connection: hands requests to the server, and sends its answers."""

    protocol_version = "HTTP/1.1"
    server_version = "model-server"
    model_server: ModelServer

    def do_POST(self) -> None:
        """Answer a request with a body."""
        length = int(self.headers.get("content-length") or 0)
        self._answer("POST", self.rfile.read(length))

    def do_GET(self) -> None:
        """Answer a request without one."""
        self._answer("GET", b"")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nothing is written to the terminal."""

    def _answer(self, method: str, body: bytes) -> None:
        headers = dict(self.headers)
        answer = self.model_server.handle(method, self.path, headers, body)
        with suppress(OSError):
            self._pause(answer.delay_s)
            if answer.status:
                self._head(answer)
                self._body(answer)
            if answer.cut:
                self._break_off()

    def _head(self, answer: Response) -> None:
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        if answer.frames is not None:
            self.send_header("transfer-encoding", "chunked")
        else:
            # A body that is cut claims more than it sends.
            self.send_header("content-length", str(len(answer.body) + answer.cut))
        self.end_headers()

    def _body(self, answer: Response) -> None:
        self.wfile.write(answer.body)
        for frame in answer.frames or ():
            self._pause(frame.delay_s)
            self._chunk(frame.data)
        if answer.frames is not None and not answer.cut:
            self._chunk(b"")
        self.wfile.flush()

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def _break_off(self) -> None:
        time.sleep(0.02)  # lets the client read what was sent before the reset
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        self.close_connection = True

    def _pause(self, seconds: float) -> None:
        if seconds:
            stopping: threading.Event = self.server.stopping  # type: ignore[attr-defined]
            stopping.wait(seconds)
