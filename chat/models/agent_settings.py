"""How every agentic route asks a model; an operator changes it without a deploy."""

from decimal import Decimal

from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q

from chat.engine import ConfigurationError
from chat.engine.limits import CHAT_ITERATIONS, CHAT_OUTPUT
from chat.models.changed import Changed
from chat.providers.server_search import BASIC, MAX_USES, ServerSearch

ONLY = 1


class AgentSettings(Changed):
    """The one row of the installation; without it the defaults hold."""

    id = models.PositiveSmallIntegerField(
        primary_key=True, default=ONLY, editable=False
    )
    search_version = models.CharField(
        max_length=40,
        default=BASIC,
        help_text="The web search tool of the Messages API: web_search_ and a date.",
    )
    search_max_uses = models.PositiveSmallIntegerField(
        default=MAX_USES,
        validators=[MinValueValidator(1)],
        help_text="Web searches of one request at most.",
    )
    dynamic_filtering = models.BooleanField(
        default=False,
        help_text="Code that the model writes may call the search, in newer versions.",
    )
    disable_parallel_tool_use = models.BooleanField(
        default=False,
        help_text="A stopgap: one tool call a turn. The search then goes back to"
        f" {BASIC}, unless dynamic filtering is chosen.",
    )
    iterations = models.PositiveSmallIntegerField(
        default=CHAT_ITERATIONS,
        validators=[MinValueValidator(1)],
        help_text="Turns of one run before its closing turn.",
    )
    max_output_tokens = models.PositiveIntegerField(
        default=CHAT_OUTPUT,
        validators=[MinValueValidator(1)],
        help_text="Tokens of one reply; less where the model writes or holds less.",
    )
    cost_cap = models.DecimalField(
        max_digits=10,
        decimal_places=4,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal("0.0001"))],
        help_text="US dollars that one run may spend; empty for no cap. A model whose"
        " price is unknown ends a run that has a cap: import its prices first.",
    )

    class Meta:
        verbose_name_plural = "agent settings"
        constraints = [
            models.CheckConstraint(
                condition=Q(id=ONLY),
                name="agent_settings_one_row",
                violation_error_message="There is one row of settings.",
            ),
            models.CheckConstraint(
                condition=Q(
                    search_max_uses__gte=1, iterations__gte=1, max_output_tokens__gte=1
                ),
                name="agent_settings_in_range",
            ),
            models.CheckConstraint(
                condition=Q(cost_cap__isnull=True) | Q(cost_cap__gt=0),
                name="agent_settings_cap_above_zero",
            ),
        ]

    def __str__(self) -> str:
        return "How every model is asked"

    @classmethod
    def current(cls) -> "AgentSettings":
        """The row, or the defaults, not saved, where there is none."""
        return cls.objects.filter(pk=ONLY).first() or cls()

    def server_search(self) -> ServerSearch:
        """The search as providers take it; ConfigurationError for what none has."""
        return ServerSearch(
            version=self.search_version,
            max_uses=self.search_max_uses,
            dynamic_filtering=self.dynamic_filtering,
        )

    def clean(self) -> None:
        try:
            self.server_search()
        except ConfigurationError as refused:
            words = str(refused).removeprefix("ServerSearch: ")
            raise ValidationError({"search_version": words}) from refused
