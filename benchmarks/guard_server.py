"""The web site that the guard's benchmark fetches from, in a process of its own.

Prints the port and the authority's file as JSON, and serves until its input ends.
"""

import gzip
import json
import sys

from tests.fakes.web_server import WebServer, answer, authority_file, serving

BOMB_BYTES = 256 * 1024 * 1024


def main() -> None:
    bomb = gzip.compress(b"\n" * BOMB_BYTES, mtime=0)
    pages = {
        "page": answer("All that a page says, in words. " * 625),
        "bomb": answer(bomb, "Content-Encoding: gzip"),
    }
    hosts = ("one.weighed.net", "localhost")
    with serving(WebServer()) as server:
        port = server.listen("ok")
        for host in (*hosts, *(f"{host}:{port}" for host in hosts)):
            server.answers |= {f"{host}/{name}": page for name, page in pages.items()}
        told = {"port": port, "authority": authority_file(), "bomb": len(bomb)}
        print(json.dumps(told), flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
