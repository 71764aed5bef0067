"""A worker's sign of life; django-q2's own heartbeats live in a cache."""

from django.db import models


class WorkerBeat(models.Model):
    """One row a worker command, beaten by its dispatcher."""

    owner = models.CharField(max_length=200, unique=True)
    started_at = models.DateTimeField(auto_now_add=True)
    beaten_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.owner
