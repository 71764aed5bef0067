"""One version of a case's evidence: what collectors looked up, and what they found."""

from django.conf import settings
from django.db import models

from accounts.models.public_id import PublicIdField
from accounts.models.tenancy import TenantQuerySet
from research.models.case import Case


class Outcome(models.TextChoices):
    """Three answers, never two."""

    FOUND = "found"
    ABSENT = "absent"
    UNKNOWN = "unknown"


class FactTier(models.TextChoices):
    """Who says so: the publisher, or we who looked."""

    DECLARED = "declared"
    OBSERVED = "observed"


class DossierQuerySet(TenantQuerySet["Dossier"]):
    organization_path = "case__organization"


class Dossier(models.Model):
    """Pins the subject's version. Findings are the claims of the runs made on it."""

    public_id = PublicIdField("dos")
    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="dossiers")
    number = models.PositiveIntegerField()
    subject_version = models.CharField(max_length=200, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    collected_at = models.DateTimeField(null=True, blank=True)

    objects = DossierQuerySet.as_manager()

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(
                fields=["case", "number"], name="dossiers_are_numbered_per_case"
            ),
        ]

    def __str__(self) -> str:
        return f"Dossier {self.number} of {self.case}"


class LookupQuerySet(TenantQuerySet["Lookup"]):
    organization_path = "dossier__case__organization"


class Lookup(models.Model):
    """One source consulted by a collector, whatever came of it."""

    dossier = models.ForeignKey(
        Dossier, on_delete=models.PROTECT, related_name="lookups"
    )
    position = models.PositiveIntegerField()
    source = models.CharField(max_length=200)
    uri = models.CharField(max_length=2048, blank=True)
    outcome = models.CharField(max_length=10, choices=Outcome.choices)
    reason = models.CharField(max_length=500, blank=True)
    latency_ms = models.PositiveIntegerField(default=0)
    at = models.DateTimeField(auto_now_add=True)

    objects = LookupQuerySet.as_manager()

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(
                fields=["dossier", "position"], name="lookups_are_in_order"
            ),
            models.CheckConstraint(
                condition=models.Q(outcome__in=Outcome.values),
                name="lookup_outcome_is_known",
            ),
            # A failed lookup is a named gap, never a silent one.
            models.CheckConstraint(
                condition=~models.Q(outcome=Outcome.UNKNOWN) | ~models.Q(reason=""),
                name="an_unknown_lookup_has_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.source}: {self.outcome}"


class FactQuerySet(TenantQuerySet["Fact"]):
    organization_path = "lookup__dossier__case__organization"


class Fact(models.Model):
    """One thing a lookup found, with the document that shows it."""

    lookup = models.ForeignKey(Lookup, on_delete=models.PROTECT, related_name="facts")
    position = models.PositiveIntegerField()
    name = models.CharField(max_length=100)
    value = models.TextField()
    tier = models.CharField(max_length=10, choices=FactTier.choices)
    uri = models.CharField(max_length=2048, blank=True)

    objects = FactQuerySet.as_manager()

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(
                fields=["lookup", "position"], name="facts_are_in_order"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.value[:80]}"
