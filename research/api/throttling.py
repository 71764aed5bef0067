"""How often one token may call: settings.REST_FRAMEWORK, the rate `token`."""

from rest_framework.authentication import get_authorization_header
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView

from accounts.models.token import SHOWN_FORM


class TokenThrottle(SimpleRateThrottle):
    """Counts by the token's prefix, which is no secret, after it has been checked."""

    scope = "token"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        header = get_authorization_header(request).decode("latin-1")
        token = SHOWN_FORM.search(header)
        if token is None:
            return None
        return self.cache_format % {"scope": self.scope, "ident": token[1]}
