"""Writing down what a call used."""

from dataclasses import asdict, dataclass
from decimal import ROUND_UP, Decimal

from django.db import transaction

from accounts.errors import BadInput
from accounts.models import Organization, UsageRecord
from accounts.services.saving import save_checked

_MICRO = Decimal("0.000001")


@dataclass(frozen=True, slots=True)
class Counts:
    """What a call used: tokens, and web searches that are billed.

    input_tokens: those that no cache served or took. cache_write_1h_tokens: the part of
    cache_write_tokens that is kept for an hour.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cache_write_1h_tokens: int = 0
    searches: int = 0


@transaction.atomic
def record_usage(  # noqa: PLR0913  one argument a column
    *,
    organization: Organization,
    usage_source: str,
    purpose: str,
    key_type: str,
    model: str,
    counts: Counts | None,
    cost: Decimal | None,
    subject_ref: str = "",
    failed: bool = False,
) -> UsageRecord:
    """Save one priced call; `cost` is in US dollars.

    counts and cost are None where they are unknown; without counts no cost is known.
    failed: it was paid for and gave no reply.
    """
    record = UsageRecord(
        organization=organization,
        usage_source=usage_source,
        purpose=purpose,
        key_type=key_type,
        model=model,
        subject_ref=subject_ref,
        failed=failed,
        **(asdict(counts) if counts else {}),
        cost=None if cost is None else _storable(cost),
    )
    save_checked(record)
    return record


def _storable(cost: Decimal) -> Decimal:
    """Millionths of a dollar, rounded up: spend is never understated."""
    if not cost.is_finite():
        raise BadInput("cost: This is no amount.", field="cost")
    return cost.quantize(_MICRO, rounding=ROUND_UP)
