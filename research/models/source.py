"""What a run may read, and the archived copies of it."""

from django.db import models

from accounts.models.public_id import PublicIdField
from accounts.models.tenancy import TenantQuerySet
from research.models.dossier import Dossier


class SnapshotQuerySet(TenantQuerySet["Snapshot"]):
    pass


class Snapshot(models.Model):
    """A source as archived: body bytes and readable text, each named by its SHA-256.

    Offsets of citations address the text. The bytes are in the snapshot store.
    """

    public_id = PublicIdField("snp")
    organization = models.ForeignKey(
        "accounts.Organization", on_delete=models.PROTECT, related_name="snapshots"
    )
    uri = models.CharField(max_length=2048)
    title = models.CharField(max_length=500, blank=True)
    media_type = models.CharField(max_length=100)
    body_sha256 = models.CharField(max_length=64)
    body_bytes = models.PositiveBigIntegerField()
    text_sha256 = models.CharField(max_length=64)
    text_chars = models.PositiveBigIntegerField()
    reader_version = models.CharField(max_length=40)
    text_truncated = models.BooleanField(default=False)
    # Characters that could not be decoded, and invisible ones taken out.
    replaced = models.PositiveIntegerField(default=0)
    removed = models.PositiveIntegerField(default=0)
    taken_at = models.DateTimeField()

    objects = SnapshotQuerySet.as_manager()

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return self.uri


class SourceQuerySet(TenantQuerySet["Source"]):
    organization_path = "dossier__case__organization"


class Source(models.Model):
    """A document that the dossier's runs may read, and where it came from."""

    public_id = PublicIdField("src")
    dossier = models.ForeignKey(
        Dossier, on_delete=models.PROTECT, related_name="sources"
    )
    position = models.PositiveIntegerField()
    uri = models.CharField(max_length=2048)
    # Who brought it: a collector's name, or "document" for what came with the run.
    origin = models.CharField(max_length=100)
    snapshot = models.ForeignKey(
        Snapshot, on_delete=models.PROTECT, related_name="sources"
    )

    objects = SourceQuerySet.as_manager()

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(
                fields=["dossier", "uri"], name="a_source_is_listed_once"
            ),
            models.UniqueConstraint(
                fields=["dossier", "position"], name="sources_are_in_order"
            ),
        ]

    def __str__(self) -> str:
        return self.uri
