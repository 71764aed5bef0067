"""What every view of an organization's things has in common."""

from typing import Any

from django.utils.http import parse_header_parameters
from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.permissions import SAFE_METHODS, AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.actor import Actor, require
from accounts.authentication import actor_of
from accounts.errors import NotFound
from accounts.permissions import Action
from research.api.parsers import JSONBodyParser
from research.api.problems import LengthRequired
from research.api.throttling import TokenThrottle


class TenantView(APIView):
    """Called with one organization's token; to read takes the right to view."""

    parser_classes = [JSONBodyParser]
    throttle_classes = [TokenThrottle]

    @property
    def actor(self) -> Actor:
        return actor_of(self.request)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        _refuse_odd_body(request)
        super().initial(request, *args, **kwargs)
        if request.method in SAFE_METHODS:
            require(self.actor, Action.VIEW, self.actor.organization)

    def finalize_response(
        self, request: Request, response: Any, *args: Any, **kwargs: Any
    ) -> Any:
        final = super().finalize_response(request, response, *args, **kwargs)
        final.headers.setdefault("Cache-Control", "private, no-cache")
        return final


class NoSuchAddress(APIView):
    """Every address under /api/ that is not another view's."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise NotFound("There is no such address in this API.")


def _refuse_odd_body(request: Request) -> None:
    """A body of unknown length would be taken for none; bodies are UTF-8."""
    if "HTTP_TRANSFER_ENCODING" in request.META and not request.META.get(
        "CONTENT_LENGTH"
    ):
        raise LengthRequired
    try:
        _, parameters = parse_header_parameters(request.content_type)
    except ValueError:  # longer than any content type is
        parameters = {"charset": ""}
    if parameters.get("charset", "utf-8").lower() not in {"utf-8", "utf8"}:
        raise UnsupportedMediaType(request.content_type, "Send the body in UTF-8.")
