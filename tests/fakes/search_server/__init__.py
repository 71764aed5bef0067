"""Search backends on loopback: recorded-style answers, and each one's own failures.

The server answers by host and path, whatever the query; a guard is given its resolver
and dial, so that a backend reaches nothing else.
"""

from tests.fakes.search_server.recorded import RECORDED
from tests.fakes.search_server.recording import Failure, Recorded
from tests.fakes.search_server.server import SearchServer, guard_of, searching

__all__ = [
    "RECORDED",
    "Failure",
    "Recorded",
    "SearchServer",
    "guard_of",
    "searching",
]
