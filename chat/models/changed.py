"""Who changed a row last, and when."""

from django.conf import settings
from django.db import models
from django.utils import timezone


class Changed(models.Model):
    """Every change is in the audit trail too; this is its end, beside the values."""

    changed_at = models.DateTimeField(default=timezone.now, editable=False)
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        editable=False,
    )

    class Meta:
        abstract = True
