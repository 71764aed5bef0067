"""The platform's keys, as a test sets them."""

from tests.fakes.model_server import KEY, ROUTER_KEY

NO_KEYS = {"anthropic": "", "openrouter": "", "endpoint": ""}
ALL_KEYS = {"anthropic": KEY, "openrouter": ROUTER_KEY, "endpoint": "token-of-ours"}
