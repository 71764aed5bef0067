"""Which of OpenRouter's providers may serve a request, and what they may keep of it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from decimal import Decimal
from typing import Any, Literal

from chat.engine import ConfigurationError


@dataclass(frozen=True, slots=True, kw_only=True)
class Routing:
    """An organization's policy; what is None is left to OpenRouter.

    order, only, ignore: names of providers. allow_fallbacks: to others than `order`.
    require_parameters: only providers that know every parameter of the request.
    data_collection: whether a provider may keep the data. zdr: only those that retain
    nothing. max_price: per million tokens in US dollars, by `prompt` and `completion`.
    models: asked in this order where the model itself fails. allowed_models: the only
    ones that may be asked at all, None for any.
    """

    order: Sequence[str] | None = None
    only: Sequence[str] | None = None
    ignore: Sequence[str] | None = None
    allow_fallbacks: bool | None = None
    require_parameters: bool | None = None
    data_collection: Literal["allow", "deny"] | None = None
    zdr: bool | None = None
    quantizations: Sequence[str] | None = None
    sort: Literal["price", "throughput", "latency"] | None = None
    max_price: Mapping[str, Decimal] | None = None
    models: Sequence[str] = ()
    allowed_models: Collection[str] | None = None

    def check(self, model: str) -> None:
        """Raise ConfigurationError where a model is named that may not be asked."""
        if self.allowed_models is None:
            return
        for each in (model, *self.models):
            if each not in self.allowed_models:
                msg = f"The model {each!r} is not among those that are allowed."
                raise ConfigurationError(msg)

    def to_json(self) -> dict[str, Any]:
        """Return what goes into the body of a request: `provider` and `models`."""
        provider = {
            part.name: _plain(getattr(self, part.name))
            for part in fields(self)
            if part.name not in ("models", "allowed_models")
            and getattr(self, part.name) is not None
        }
        body: dict[str, Any] = {"provider": provider} if provider else {}
        if self.models:
            body["models"] = list(self.models)
        return body


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: float(price) for name, price in value.items()}
    return value if isinstance(value, str | bool) else list(value)
