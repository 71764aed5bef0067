"""One POST and its answer over httpx: bounded in time and size, nothing followed."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Lock
from time import monotonic

import httpx

from chat.engine import ErrorKind, ModelError

MOST_BYTES = 64 * 1024 * 1024
# Of an error nobody reads more than the beginning.
MOST_ERROR_BYTES = 64 * 1024
# Where the loop sets no limit. A server that does not stream is silent until the end.
LONGEST_S = 600.0
CONNECT_S = 10.0
USER_AGENT = "Weighhouse/0.1"


class Answer:
    """The answer to a request, its body still to be read."""

    def __init__(self, response: httpx.Response, end: float) -> None:
        self._response = response
        self._end = end
        self.status = response.status_code
        self.headers: Mapping[str, str] = dict(response.headers)

    @property
    def ok(self) -> bool:
        """Whether it is an answer at all, and neither an error nor a redirect."""
        return 200 <= self.status < 300

    @property
    def streams(self) -> bool:
        """Whether events follow; some servers answer with the whole all the same."""
        return "json" not in self._media_type and "html" not in self._media_type

    def chunks(self) -> Iterator[bytes]:
        """Yield the body; ModelError where it is too large or too slow."""
        size = 0
        with _failures():
            for chunk in self._response.iter_bytes():
                size += len(chunk)
                if size > MOST_BYTES:
                    msg = f"The answer has more than {MOST_BYTES} bytes."
                    raise ModelError(ErrorKind.UNAVAILABLE, msg)
                if monotonic() > self._end:
                    raise ModelError(ErrorKind.TIMEOUT, "The answer took too long.")
                yield chunk

    def text(self) -> str:
        """Return the body, of an error only the beginning."""
        parts, size = [], 0
        for chunk in self.chunks():
            parts.append(chunk)
            size += len(chunk)
            if not self.ok and size > MOST_ERROR_BYTES:
                break
        return b"".join(parts).decode("utf-8", "replace")

    @property
    def _media_type(self) -> str:
        return str(self._response.headers.get("content-type", "")).lower()


class Endpoint:
    """One address, with the headers that it wants; safe in several threads."""

    def __init__(
        self, url: str, headers: Mapping[str, str], client: httpx.Client | None
    ) -> None:
        self._url = url
        self._headers = {
            "accept-encoding": "identity",
            "content-type": "application/json",
            "user-agent": USER_AGENT,
            **headers,
        }
        self._client = client
        self._owned = client is None
        self._lock = Lock()

    @contextmanager
    def post(self, body: bytes, timeout_s: float | None) -> Iterator[Answer]:
        """Send `body`; whatever goes wrong on the way is a ModelError."""
        allowed = LONGEST_S if timeout_s is None else _a_little_less(timeout_s)
        end = monotonic() + allowed
        with _failures():
            response = self._send(body, allowed)
        try:
            yield Answer(response, end)
        finally:
            response.close()

    def close(self) -> None:
        """Close the connections, unless the client was given."""
        with self._lock:
            if self._owned and self._client is not None:
                self._client.close()
                self._client = None

    def _send(self, body: bytes, allowed: float) -> httpx.Response:
        client = self._open()
        timeout = httpx.Timeout(allowed, connect=min(CONNECT_S, allowed))
        request = client.build_request(
            "POST", self._url, content=body, headers=self._headers, timeout=timeout
        )
        return client.send(request, stream=True, auth=None, follow_redirects=False)

    def _open(self) -> httpx.Client:
        """Make a client when it is needed: it loads all authorities, which is slow."""
        with self._lock:
            if self._client is None:
                # Neither proxies nor certificates nor passwords from the environment.
                self._client = httpx.Client(trust_env=False, follow_redirects=False)
            return self._client


@contextmanager
def _failures() -> Iterator[None]:
    """Turn what goes wrong on the way into a ModelError."""
    try:
        yield
    except httpx.ConnectTimeout:
        raise ModelError(
            ErrorKind.UNAVAILABLE, "The server does not accept connections."
        ) from None
    except httpx.TimeoutException as error:
        msg = f"No answer in time ({type(error).__name__})."
        raise ModelError(ErrorKind.TIMEOUT, msg) from None
    except httpx.HTTPError as error:
        msg = f"The connection failed: {type(error).__name__}: {error}"
        raise ModelError(ErrorKind.UNAVAILABLE, msg) from None


def _a_little_less(timeout_s: float) -> float:
    """The loop stops listening then; an answer that it still hears is better."""
    return max(0.05, timeout_s - min(1.0, timeout_s / 20))
