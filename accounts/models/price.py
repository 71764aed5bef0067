"""What models cost, as operators imported it; a correction is a new row."""

from decimal import Decimal
from typing import Any

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models.append_only import AppendOnly
from accounts.price_row import (
    AMOUNTS,
    CLIFF_RATES,
    COLUMNS,
    DECIMALS,
    MODEL_ID,
    WHOLE_DIGITS,
    PriceRow,
    Speed,
    row_from,
)

_FIGURE: dict[str, Any] = {
    "max_digits": WHOLE_DIGITS + DECIMALS,
    "decimal_places": DECIMALS,
    "validators": [MinValueValidator(Decimal(0))],
}
_MAYBE: dict[str, Any] = {**_FIGURE, "null": True, "blank": True}
_NO_CLIFF = {f"{name}__isnull": True for name in ("cliff_above", *CLIFF_RATES)}
_NOT_NEGATIVE = {f"{name}__gte": 0 for name in AMOUNTS}


class Price(AppendOnly):
    """The columns are those of accounts.price_row: US dollars per million tokens.

    It belongs to the platform, to no organization. Of the revisions for one model,
    speed and day the last one counts.
    """

    model = models.CharField(
        max_length=120, validators=[RegexValidator(rf"\A{MODEL_ID}\Z")]
    )
    speed = models.CharField(
        max_length=20,
        choices=[(speed.value, speed.value.title()) for speed in Speed],
        default=Speed.STANDARD.value,
    )
    valid_from = models.DateField()
    revision = models.PositiveIntegerField(
        default=1, editable=False, validators=[MinValueValidator(1)]
    )
    input = models.DecimalField(**_FIGURE)
    output = models.DecimalField(**_FIGURE)
    cache_write_5m = models.DecimalField(**_MAYBE)
    cache_write_1h = models.DecimalField(**_MAYBE)
    cache_read = models.DecimalField(**_MAYBE)
    cliff_above = models.PositiveBigIntegerField(null=True, blank=True)
    cliff_input = models.DecimalField(**_MAYBE)
    cliff_output = models.DecimalField(**_MAYBE)
    cliff_cache_write_5m = models.DecimalField(**_MAYBE)
    cliff_cache_write_1h = models.DecimalField(**_MAYBE)
    cliff_cache_read = models.DecimalField(**_MAYBE)
    batch_factor = models.DecimalField(
        **{**_MAYBE, "validators": [*_FIGURE["validators"], MaxValueValidator(1)]}
    )
    searches_per_1000 = models.DecimalField(**_MAYBE)
    source = models.CharField(max_length=200, help_text="Where the figures were read.")
    imported_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="Nobody: whoever may run commands on the machine.",
    )
    imported_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["model", "speed", "-valid_from", "-revision"]
        constraints = [
            models.UniqueConstraint(
                fields=["model", "speed", "valid_from", "revision"],
                name="price_revision_once",
            ),
            models.CheckConstraint(
                condition=Q(speed__in=["standard", "fast"]), name="price_speed_known"
            ),
            models.CheckConstraint(
                condition=Q(revision__gte=1), name="price_revision_from_one"
            ),
            models.CheckConstraint(
                condition=Q(**_NOT_NEGATIVE, batch_factor__lte=1),
                name="price_in_range",
            ),
            models.CheckConstraint(
                condition=Q(**_NO_CLIFF)
                | Q(
                    cliff_above__isnull=False,  # or the comparison below is unknown
                    cliff_above__gte=1,
                    cliff_input__isnull=False,
                    cliff_output__isnull=False,
                ),
                name="price_cliff_whole",
                violation_error_message="A cliff has an input and an output price.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.as_row()}, revision {self.revision}"

    def as_row(self) -> PriceRow:
        """The value that prices replies, wherever it is needed."""
        return row_from(
            {name: getattr(self, name) for name in COLUMNS}, revision=self.revision
        )
