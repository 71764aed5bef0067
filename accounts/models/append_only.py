"""Rows that are written once. Triggers in the database hold what this only says."""

from typing import Any, NoReturn

from django.db import models


class ImmutableRowError(Exception):
    """Code tried to change or delete a row that must stay as it was written."""


class AppendOnly(models.Model):
    """A row without an update path: saved once, never deleted one by one."""

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise ImmutableRowError(f"{self._meta.label} rows are never changed.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise ImmutableRowError(f"{self._meta.label} rows are never deleted.")
