"""Why a search has no answer. None of these is ever "no results"."""

from typing import ClassVar


class SearchMisconfigured(ValueError):
    """A backend cannot be made as it was described; the message says what is missing.

    Of a missing credential it names the environment variable.
    """


class SearchError(Exception):
    """A search got no answer. ``kind`` is one word, the message is for people."""

    kind: ClassVar[str] = "failed"


class SearchLimited(SearchError):
    """Too many searches, or none left in the plan.

    ``retry_after_s``: seconds after which the backend says to ask again, None where it
    does not say.
    """

    kind = "limited"

    def __init__(self, message: str, retry_after_s: float | None = None) -> None:
        self.retry_after_s = retry_after_s
        super().__init__(message)


class SearchUnavailable(SearchError):
    """The backend is away, too slow, or answers what cannot be read."""

    kind = "unavailable"


class SearchRefused(SearchError):
    """The backend does not accept the credentials."""

    kind = "refused"


class SearchUncited(SearchError):
    """A provider wrote an answer and named no source for it."""

    kind = "uncited"
