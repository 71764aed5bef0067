"""Connect to the checked address, prove the checked name, count what comes in."""

import socket
import ssl
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import certifi
import httpcore

from chat.web.guard.clock import Deadline
from chat.web.guard.policy import FetchLimits, Policy
from chat.web.guard.refusal import FetchRefused, Reason
from chat.web.guard.resolving import Dial, Resolver, public_addresses
from chat.web.guard.urls import CheckedUrl

_TLS_VERSIONS = frozenset(("TLSv1.2", "TLSv1.3"))


class WireLimit(Exception):
    """The body took as many bytes on the wire as it may."""


@lru_cache(maxsize=8)
def tls_context(ca_file: str | None) -> ssl.SSLContext:
    """Return the context shared by all fetches; no environment variable changes it."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.hostname_checks_common_name = False
    context.set_alpn_protocols(["http/1.1"])
    context.load_verify_locations(ca_file or certifi.where())
    return context


class GuardedBackend(httpcore.NetworkBackend):
    """Opens one connection, to the one address that was checked for this hop."""

    def __init__(
        self,
        url: CheckedUrl,
        *,
        resolver: Resolver,
        dial: Dial,
        policy: Policy,
        limits: FetchLimits,
        deadline: Deadline,
    ) -> None:
        self.peer = ""
        self.stream: GuardedStream | None = None
        self._url = url
        self._resolver = resolver
        self._dial = dial
        self._policy = policy
        self._limits = limits
        self._deadline = deadline

    @property
    def ended_unsaid(self) -> bool:
        """Whether the answer ended without the farewell of TLS."""
        return self.stream is not None and self.stream.ended_unsaid

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        if (host, port) != (self._url.host, self._url.port):
            raise FetchRefused(Reason.HOST, "Another host than the one checked.")
        addresses = public_addresses(
            host,
            port,
            resolver=self._resolver,
            policy=self._policy,
            deadline=self._deadline,
        )
        connected = self._connected(addresses, port)
        self.stream = GuardedStream(connected, self._url, self._limits, self._deadline)
        return self.stream

    def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        raise FetchRefused(Reason.CONNECT)

    def _connected(self, addresses: list[str], port: int) -> socket.socket:
        failure = ""
        for address in addresses:
            timeout_s = min(self._limits.dial_s, self._deadline.left())
            try:
                connected = self._dial(address, port, timeout_s)
            except OSError as error:
                failure = f"{address}: {error}"
                continue
            # Else the request waits until the end of the handshake is acknowledged.
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.peer = address
            return connected
        self._deadline.left()
        raise FetchRefused(Reason.CONNECT, failure)


class GuardedStream(httpcore.NetworkStream):
    """A socket whose every wait ends at the deadline and whose bytes are counted.

    ``ended_unsaid``: the other side closed without the farewell of TLS.
    """

    def __init__(
        self,
        connected: socket.socket,
        url: CheckedUrl,
        limits: FetchLimits,
        deadline: Deadline,
    ) -> None:
        self._socket = connected
        self._url = url
        self._limits = limits
        self._deadline = deadline
        self._received = 0
        self._in_head = True
        self.ended_unsaid = False

    def begin_body(self) -> None:
        """From here on the cap of the whole answer counts, not that of its head."""
        self._in_head = False

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        room = min(max_bytes, self._room())
        self._socket.settimeout(self._deadline.left())
        try:
            data = self._socket.recv(room)
        except TimeoutError:
            self._deadline.left()
            raise FetchRefused(Reason.DEADLINE) from None
        except ssl.SSLEOFError:
            # Without the farewell of TLS. Framing by length or chunks still shows
            # whether the answer is whole; without framing nothing does.
            self.ended_unsaid = True
            return b""
        except OSError as error:
            raise FetchRefused(Reason.PROTOCOL, str(error)) from error
        self._received += len(data)
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        # Piece by piece: a single sendall would begin its wait anew with each record.
        unsent = memoryview(buffer)
        try:
            while unsent:
                self._socket.settimeout(self._deadline.left())
                unsent = unsent[self._socket.send(unsent) :]
        except TimeoutError:
            raise FetchRefused(Reason.DEADLINE) from None
        except OSError as error:
            # The server may have answered early; httpcore goes on to read that.
            raise httpcore.WriteError(str(error)) from error

    def close(self) -> None:
        self._socket.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        try:
            if server_hostname != self._url.host:
                raise FetchRefused(Reason.TLS, "Another name than the one checked.")
            self._socket = self._proven(ssl_context)
        except BaseException:
            self.close()
            raise
        return self

    def get_extra_info(self, info: str) -> Any:
        if info == "ssl_object" and isinstance(self._socket, ssl.SSLSocket):
            return self._socket
        return None

    def _proven(self, context: ssl.SSLContext) -> ssl.SSLSocket:
        self._socket.settimeout(self._deadline.left())
        try:
            proven = context.wrap_socket(
                self._socket,
                server_hostname=self._url.host,
                suppress_ragged_eofs=False,
            )
        except TimeoutError:
            self._deadline.left()
            raise FetchRefused(Reason.DEADLINE) from None
        except OSError as error:
            raise FetchRefused(Reason.TLS, str(error)) from error
        protocol = proven.selected_alpn_protocol()
        if proven.version() not in _TLS_VERSIONS or protocol not in {None, "http/1.1"}:
            proven.close()
            raise FetchRefused(Reason.TLS, f"{proven.version()} {protocol}")
        return proven

    def _room(self) -> int:
        """Return how many bytes may still come in, at least one."""
        limit = self._limits.max_head_bytes
        if self._in_head and self._received >= limit:
            raise FetchRefused(Reason.HEADERS, f"The limit is {limit} bytes.")
        if not self._in_head:
            limit = self._limits.max_wire_bytes
            if self._received >= limit:
                raise WireLimit
        return limit - self._received
