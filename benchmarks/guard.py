"""What guarding a fetch costs beside httpx, and how much memory a bomb gets.

python -m benchmarks guard [--fetches N]
"""

import argparse
import json
import resource
import socket
import ssl
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import httpx

from chat.web.guard import Guard

RATIO = 1.15
BOMB_MIB = 8.0
MIB = 1024 * 1024
PUBLIC_IP = "93.184.216.34"
URL = "https://one.weighed.net"

Told = Mapping[str, str]
Fetch = Callable[[], object]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="guard", description=__doc__)
    parser.add_argument("--fetches", type=int, default=500)
    parser.add_argument("--bomb", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.bomb:
        _drop_bomb(json.loads(options.bomb))
        return 0
    with _server() as told:
        guarded, plain = _times(told, options.fetches)
        peak, growth = _bomb(told)
    ratio = guarded / plain
    print(
        f"guard: a guarded fetch of 20 kB takes {guarded * 1000:.2f} ms,"
        f" {ratio:.2f} times httpx.Client on a new connection"
        f" ({plain * 1000:.2f} ms); the target is {RATIO}"
    )
    print(
        f"guard: a bomb of {int(told['bomb']) // 1000} kB that unpacks to 256 MiB"
        f" allocates {peak:.1f} MiB, the process grows by {growth:.1f} MiB;"
        f" the target is {BOMB_MIB:.0f} MiB"
    )
    return 0


@contextmanager
def _server() -> Iterator[Told]:
    with subprocess.Popen(
        [sys.executable, "-m", "benchmarks.guard_server"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("The server has no pipes.")
        yield json.loads(process.stdout.readline())
        process.stdin.close()


def _times(told: Told, fetches: int) -> list[float]:
    """Seconds of a fetch, guarded and by httpx, which take turns at every fetch.

    Of each the first decile: another load on the machine lengthens the rest.
    """
    guard = guard_for(told)
    clients: list[Fetch] = [lambda: guard.fetch(f"{URL}/page"), _httpx_fetch(told)]
    taken = [[_seconds(client) for client in clients] for _ in range(fetches + 10)]
    return [sorted(times)[fetches // 10] for times in zip(*taken[10:], strict=True)]


def _seconds(fetch: Fetch) -> float:
    start = time.perf_counter()
    fetch()
    return time.perf_counter() - start


def guard_for(told: Told) -> Guard:
    """A guard whose internet is the local server; it looks up what httpx looks up."""
    port = int(told["port"])

    def resolve(host: str, _: int) -> list[str]:
        socket.getaddrinfo("localhost", port, type=socket.SOCK_STREAM)
        return [PUBLIC_IP]

    def dial(ip: str, _: int, timeout_s: float) -> socket.socket:
        return socket.create_connection(("127.0.0.1", port), timeout_s)

    return Guard(resolver=resolve, dial=dial, ca_file=told["authority"])


def _httpx_fetch(told: Told) -> Fetch:
    """One client for all, which keeps no connection: each fetch makes a new one."""
    context = ssl.create_default_context(cafile=told["authority"])
    limits = httpx.Limits(max_keepalive_connections=0)
    client = httpx.Client(verify=context, trust_env=False, limits=limits)
    url = f"https://localhost:{told['port']}/page"
    return lambda: client.get(url).raise_for_status().content


def _bomb(told: Told) -> tuple[float, float]:
    """MiB that a fetch of the bomb allocates, and by which its process grows."""
    command = [sys.executable, "-m", "benchmarks.guard", "--bomb", json.dumps(told)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    peak, growth = json.loads(done.stdout)
    return float(peak), float(growth)


def _drop_bomb(told: Told) -> None:
    guard = guard_for(told)
    guard.fetch(f"{URL}/page")
    before = _resident()
    page = guard.fetch(f"{URL}/bomb")
    growth = _resident() - before
    tracemalloc.start()
    guard.fetch(f"{URL}/bomb")
    _, peak = tracemalloc.get_traced_memory()
    if not page.body_truncated:
        raise RuntimeError("The bomb was not cut.")
    print(json.dumps([peak / MIB, growth]))


def _resident() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
