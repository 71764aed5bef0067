"""What is tried when the API refuses its own web search: one step down at a time.

    code may not call it beside another switch    the model calls it directly
    that is refused too, or the version unknown   the basic version
    search is not enabled                         no search, which is said

A step is remembered for every later request of the same model object.
"""

import logging
import re
from threading import Lock

from chat.providers.server_search import BASIC, ServerSearch

DIRECT = "server_search_direct"
BASIC_VERSION = "server_search_basic_version"
NOT_ENABLED = "server_search_not_enabled"

_log = logging.getLogger(__name__)
_CONFLICT = re.compile(r"programmatic tool calling", re.IGNORECASE)
_UNABLE = r"not (?:enabled|available|supported)"
_VERSION = re.compile(
    rf"Input tag 'web_search_\d+'.*does not match|web_search_\d+\W? is {_UNABLE}",
    re.IGNORECASE | re.DOTALL,
)
_OFF = re.compile(rf"web[ _]search.{{0,40}}{_UNABLE}", re.IGNORECASE)


class Fallbacks:
    """The search that works, as far as it is known; shared by threads and runs."""

    def __init__(self, search: ServerSearch | None) -> None:
        self._search = search
        self._filters = search is not None and search.dynamic_filtering
        self._steps: tuple[str, ...] = ()
        self._told = 0
        self._lock = Lock()

    def search(self, *, one_call: bool = False) -> ServerSearch | None:
        """Return what is to be attached.

        one_call: the model is kept to one call a turn. That goes with the basic version
        in any case, and where filtering was chosen the API is to say.
        """
        with self._lock:
            search = self._search
        if search is None or not one_call or self._filters:
            return search
        return search.basic()

    def to_say(self, *, anew: bool) -> tuple[str, ...]:
        """Return a word for every step that no reply has told of; anew: for all."""
        with self._lock:
            told, self._told = self._told, len(self._steps)
            return self._steps if anew else self._steps[told:]

    def step_down(self, refused: ServerSearch | None, text: str) -> bool:
        """Take the step that the API's words ask for; False where there is none."""
        step = _step(refused, text) if refused else None
        if step is None:
            return False
        search, word = step
        with self._lock:
            # Another thread may have gone as far, or further.
            if _height(search) < _height(self._search):
                self._search = search
                self._steps = (*self._steps, word)
                # Not what the API said: it may quote the prompt.
                _log.warning("Web search falls back: %s.", word)
        return True


def _step(refused: ServerSearch, text: str) -> tuple[ServerSearch | None, str] | None:
    """Return the next lower search; that one is off is read last, of what is left."""
    basic = refused.basic(), BASIC_VERSION
    unknown = _VERSION.search(text) is not None
    if _CONFLICT.search(text) and not unknown:
        if refused.dynamic_filtering:
            return refused.direct(), DIRECT
        return basic if refused.version != BASIC else None
    if unknown and refused.version != BASIC:
        return basic
    return (None, NOT_ENABLED) if unknown or _OFF.search(text) else None


def _height(search: ServerSearch | None) -> int:
    if search is None:
        return 0
    if search.version == BASIC:
        return 1
    return 3 if search.dynamic_filtering else 2
