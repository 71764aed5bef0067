"""What a run found: the ledger of questions, claims, and the quotes that prove them."""

from django.db import models

from accounts.models.public_id import PublicIdField
from accounts.models.tenancy import TenantQuerySet
from research.models.run import Run
from research.models.source import Snapshot


class QuestionOutcome(models.TextChoices):
    ANSWERED = "answered"
    SEARCHED_NOT_FOUND = "searched_not_found"
    NOT_CHECKED = "not_checked"


class Grade(models.TextChoices):
    """How the quote stands in the snapshot's text."""

    EXACT = "exact"
    TYPOGRAPHIC = "typographic"
    MISSING = "missing"


class ClaimTier(models.TextChoices):
    """Whose word it is: the publisher's, nobody's but ours, or who brought it."""

    PUBLISHER = "publisher"
    OBSERVED = "observed"
    PROVIDED = "provided"


class QuestionQuerySet(TenantQuerySet["Question"]):
    organization_path = "run__organization"


class Question(models.Model):
    """One line of the ledger of what was looked for."""

    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="questions")
    position = models.PositiveIntegerField()
    key = models.CharField(max_length=60)
    wording = models.CharField(max_length=2000)
    outcome = models.CharField(max_length=20, choices=QuestionOutcome.choices)
    reason = models.CharField(max_length=500, blank=True)
    # JSON list of the searches made for it, and how many documents were read.
    searches = models.TextField(default="[]")
    sources_read = models.PositiveIntegerField(default=0)

    objects = QuestionQuerySet.as_manager()

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(
                fields=["run", "key"], name="a_question_is_asked_once"
            ),
            models.CheckConstraint(
                condition=models.Q(outcome__in=QuestionOutcome.values),
                name="question_outcome_is_known",
            ),
            models.CheckConstraint(
                condition=~models.Q(outcome=QuestionOutcome.NOT_CHECKED)
                | ~models.Q(reason=""),
                name="not_checked_has_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return self.wording


class ClaimQuerySet(TenantQuerySet["Claim"]):
    organization_path = "run__organization"


class Claim(models.Model):
    """One statement of the agent. A rejected one is counted, and is no evidence."""

    public_id = PublicIdField("clm")
    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="claims")
    question = models.ForeignKey(
        Question, on_delete=models.PROTECT, related_name="claims"
    )
    position = models.PositiveIntegerField()
    statement = models.TextField()
    tier = models.CharField(max_length=20, choices=ClaimTier.choices)
    rejected_reason = models.CharField(max_length=60, blank=True)

    objects = ClaimQuerySet.as_manager()

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(
                fields=["run", "position"], name="claims_are_in_order"
            ),
        ]

    def __str__(self) -> str:
        return self.statement[:80]


class CitationQuerySet(TenantQuerySet["Citation"]):
    organization_path = "claim__run__organization"


class Citation(models.Model):
    """A verbatim quote of an archived text, with its offsets in that text."""

    public_id = PublicIdField("cit")
    claim = models.ForeignKey(Claim, on_delete=models.PROTECT, related_name="citations")
    snapshot = models.ForeignKey(
        Snapshot, on_delete=models.PROTECT, related_name="citations"
    )
    position = models.PositiveIntegerField()
    quote = models.TextField()
    grade = models.CharField(max_length=20, choices=Grade.choices)
    start = models.PositiveBigIntegerField(null=True)
    end = models.PositiveBigIntegerField(null=True)
    byte_start = models.PositiveBigIntegerField(null=True)
    byte_end = models.PositiveBigIntegerField(null=True)
    crosses_blocks = models.BooleanField(default=False)

    objects = CitationQuerySet.as_manager()

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(
                fields=["claim", "position"], name="citations_are_in_order"
            ),
            models.CheckConstraint(
                condition=models.Q(grade=Grade.MISSING, start=None, end=None)
                | (
                    models.Q(grade__in=[Grade.EXACT, Grade.TYPOGRAPHIC])
                    & models.Q(start__lt=models.F("end"))
                    & models.Q(byte_start__lt=models.F("byte_end"))
                ),
                name="a_proven_quote_has_offsets",
            ),
        ]

    def __str__(self) -> str:
        return self.quote[:80]
