"""Web sites on loopback over TLS, scripted answer by answer.

A guard is given the server's ``resolve`` and ``dial``, so that every host name and
every public address leads here. Answers are bytes, functions that make pieces of
bytes, or the mappings that tests/data/guard/cases.json is written in.
"""

from tests.fakes.web_server.answers import answer, packed, redirect
from tests.fakes.web_server.certificates import authority_file
from tests.fakes.web_server.server import PUBLIC_IP, Seen, WebServer, serving

__all__ = [
    "PUBLIC_IP",
    "Seen",
    "WebServer",
    "answer",
    "authority_file",
    "packed",
    "redirect",
    "serving",
]
