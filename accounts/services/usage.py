"""Writing down what a call used."""

from decimal import ROUND_UP, Decimal

from django.db import transaction

from accounts.errors import BadInput
from accounts.models import Organization, UsageRecord
from accounts.services.saving import save_checked

_MICRO = Decimal("0.000001")


@transaction.atomic
def record_usage(  # noqa: PLR0913  one argument a column
    *,
    organization: Organization,
    usage_source: str,
    purpose: str,
    key_type: str,
    model: str,
    input_tokens: int,
    output_tokens: int,
    cost: Decimal | None,
    subject_ref: str = "",
) -> UsageRecord:
    """Save one priced call; `cost` is in US dollars, None where it is unknown."""
    record = UsageRecord(
        organization=organization,
        usage_source=usage_source,
        purpose=purpose,
        key_type=key_type,
        model=model,
        subject_ref=subject_ref,
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        cost=None if cost is None else _storable(cost),
    )
    save_checked(record)
    return record


def _storable(cost: Decimal) -> Decimal:
    """Millionths of a dollar, rounded up: spend is never understated."""
    if not cost.is_finite():
        raise BadInput("cost: This is no amount.", field="cost")
    return cost.quantize(_MICRO, rounding=ROUND_UP)
