"""The price that a server puts on a usage, beside its counts."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from chat.providers.openai_compatible.parts import an_object
from chat.providers.price_usage import BilledUsage, billed, subset_usage


def read_usage(reported: object) -> BilledUsage | None:
    """Read `usage` of a completion; None where it tells no tokens."""
    usage = subset_usage(reported)
    if usage is None:
        return None
    return billed(usage, _cost(an_object(reported)))


def _cost(usage: Mapping[str, Any]) -> Decimal | None:
    """With a key of one's own, the provider's part is billed apart and comes on top."""
    cost = _money(usage.get("cost"))
    if cost is None or usage.get("is_byok") is not True:
        return cost
    upstream = an_object(usage.get("cost_details")).get("upstream_inference_cost")
    part = _money(upstream)
    return None if part is None else cost + part


def _money(value: object) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    amount = Decimal(str(value))
    return amount if amount.is_finite() and amount >= 0 else None
