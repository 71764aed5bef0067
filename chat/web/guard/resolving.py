"""Name to addresses and address to socket: the only two ways to the network."""

import queue
import socket
import threading
from collections.abc import Callable
from ipaddress import ip_address

from chat.web.guard.addresses import check_address
from chat.web.guard.clock import Deadline
from chat.web.guard.policy import Policy
from chat.web.guard.refusal import FetchRefused, Reason

Resolver = Callable[[str, int], list[str]]
Dial = Callable[[str, int, float], socket.socket]

# A lookup cannot be stopped once it hangs; this many may hang before others wait.
_LOOKUPS = threading.BoundedSemaphore(16)


def system_resolver(host: str, port: int) -> list[str]:
    """Return the addresses of a host in the system's order; raises OSError."""
    # The final dot keeps the resolver from trying its search domains.
    found = socket.getaddrinfo(f"{host}.", port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def system_dial(ip: str, port: int, timeout_s: float) -> socket.socket:
    """Return a socket connected to exactly this address; raises OSError."""
    connected = socket.create_connection((ip, port), timeout_s)
    peer = str(connected.getpeername()[0])
    if ip_address(peer) != ip_address(ip):
        connected.close()
        raise FetchRefused(Reason.ADDRESS, f"Dialled {ip}, reached {peer}.")
    return connected


def public_addresses(
    host: str, port: int, *, resolver: Resolver, policy: Policy, deadline: Deadline
) -> list[str]:
    """Look a host up once and return its addresses, all checked.

    One address that is not public refuses the host. An IP literal is not looked up.
    """
    try:
        addresses = [str(ip_address(host))]
    except ValueError:
        addresses = _looked_up(host, port, resolver, deadline)
    if not addresses:
        raise FetchRefused(Reason.DNS, f"{host} has no address.")
    for address in addresses:
        check_address(address, policy)
    return addresses


def _looked_up(
    host: str, port: int, resolver: Resolver, deadline: Deadline
) -> list[str]:
    answers: queue.SimpleQueue[list[str] | Exception] = queue.SimpleQueue()
    if not _LOOKUPS.acquire(timeout=deadline.left()):
        raise FetchRefused(Reason.DEADLINE, "Too many lookups are waiting.")

    def look_up() -> None:
        try:
            answers.put(resolver(host, port))
        except Exception as error:  # noqa: BLE001 - judged by the waiting thread
            answers.put(error)
        finally:
            _LOOKUPS.release()

    # A daemon thread: a lookup that hangs must not keep the process from ending.
    threading.Thread(target=look_up, name="lookup", daemon=True).start()
    try:
        answer = answers.get(timeout=deadline.left())
    except queue.Empty:
        raise FetchRefused(Reason.DEADLINE, f"Looking up {host}.") from None
    if isinstance(answer, Exception):
        raise FetchRefused(Reason.DNS, f"{host}: {answer}") from answer
    return answer
