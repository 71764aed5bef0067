"""The one way round the append-only triggers; no code of the product writes it yet."""

from django.db import models


class RetentionPermit(models.Model):
    """While a row stands here, evidence may be removed. It is gone by the commit."""

    reason = models.CharField(max_length=500)
    at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.reason
