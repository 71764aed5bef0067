"""The server inside the client: transports that call `handle`, without a socket.

Time does not pass here: a silence longer than the client's read timeout is a timeout,
every other is skipped.
"""

from collections.abc import Iterator
from typing import Any, cast

import httpx
import httpx2

from tests.fakes.model_server.handler import ModelServer
from tests.fakes.model_server.values import Response

CUT = "peer closed connection without sending complete message body"


def sdk_transport(server: ModelServer) -> httpx2.MockTransport:
    """For the client of the anthropic SDK."""
    return httpx2.MockTransport(lambda request: _answer(httpx2, server, request))


def plain_transport(server: ModelServer) -> httpx.MockTransport:
    """For users of httpx."""
    return httpx.MockTransport(lambda request: _answer(httpx, server, request))


def sdk_client(server: ModelServer) -> httpx2.Client:
    """An http client to hand to the SDK as `http_client`."""
    return httpx2.Client(transport=sdk_transport(server))


def plain_client(server: ModelServer) -> httpx.Client:
    """An httpx client."""
    return httpx.Client(transport=plain_transport(server))


def _answer(library: Any, server: ModelServer, request: Any) -> Any:
    path = request.url.raw_path.decode()
    answer = server.handle(request.method, path, dict(request.headers), request.content)
    patience = request.extensions.get("timeout", {}).get("read")
    if _too_long(answer.delay_s, patience):
        raise library.ReadTimeout("timed out", request=request)
    if answer.status == 0:
        raise library.RemoteProtocolError(
            "Server disconnected without sending a response.", request=request
        )
    return library.Response(
        answer.status,
        headers=dict(answer.headers),
        stream=_stream(library, answer, patience),
        request=request,
    )


def _too_long(delay_s: float, patience: float | None) -> bool:
    return patience is not None and delay_s > patience


def _stream(library: Any, answer: Response, patience: float | None) -> Any:
    """A stream of the library's own kind: the frames, or the body in one piece."""

    def pieces(_: Any) -> Iterator[bytes]:
        for frame in answer.frames or ():
            if _too_long(frame.delay_s, patience):
                raise cast("Exception", library.ReadTimeout("timed out"))
            yield frame.data
        if answer.body:
            yield answer.body
        if answer.cut:
            raise cast("Exception", library.RemoteProtocolError(CUT))

    return type("Pieces", (library.SyncByteStream,), {"__iter__": pieces})()
