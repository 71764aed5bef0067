"""A model that an operator offers as a researcher, on whatever server."""

from urllib.parse import SplitResult, urlsplit

from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q

from accounts.models.organization import valid_slug
from chat.models.changed import Changed

# What names the researcher that is no language model, in runs and in addresses.
TAKEN = "extractive"
# OpenRouter searches the web for a model of such a name, closing turns included, and
# whether the organization has the feature for it or not.
ONLINE = ":online"


class Provider(models.TextChoices):
    """Whose protocol is spoken; all but the first are OpenAI-compatible."""

    ANTHROPIC = "anthropic", "Anthropic"
    OPENROUTER = "openrouter", "OpenRouter"
    OLLAMA = "ollama", "Ollama"
    VLLM = "vllm", "vLLM"
    LM_STUDIO = "lm_studio", "LM Studio"
    LLAMA_CPP = "llama_cpp", "llama.cpp"
    OPENAI_COMPATIBLE = "openai_compatible", "Another OpenAI-compatible endpoint"


# Policies on who may keep data are sent to it, and by its own protocol alone.
ROUTER_HOST = "openrouter.ai"
# The providers whose models have one window whoever runs them.
HOSTED = frozenset({Provider.ANTHROPIC, Provider.OPENROUTER})


class ModelChoice(Changed):
    """Offered to every organization whose policy allows it; never deleted, disabled."""

    name = models.CharField(
        max_length=60,
        unique=True,
        validators=[valid_slug],
        help_text="What people choose and runs carry. anthropic and openrouter are"
        " built in; a row of that name takes their place.",
        error_messages={"unique": "A model of this name is offered already."},
    )
    provider = models.CharField(max_length=20, choices=Provider)
    model = models.CharField(max_length=120, help_text="The provider's id of it.")
    base_url = models.CharField(
        max_length=300,
        blank=True,
        help_text="Empty for the provider's own. Otherwise http or https, up to and"
        " with /v1 but for Anthropic; it is sent the platform's key of its provider.",
    )
    window = models.PositiveIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text="Tokens of a request with its reply, as the server is run with;"
        " empty for what is known of the model.",
    )
    max_output = models.PositiveIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text="Tokens of the longest reply; empty for what is known of the model.",
    )
    enabled = models.BooleanField(default=True)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(
                condition=~Q(name=TAKEN),
                name="model_choice_name_free",
                violation_error_message=f"{TAKEN} is the researcher without a model.",
            ),
            models.CheckConstraint(
                condition=Q(provider__in=Provider.values),
                name="model_choice_provider_known",
            ),
            models.CheckConstraint(
                condition=~Q(provider=Provider.OPENAI_COMPATIBLE, base_url=""),
                name="model_choice_address_known",
                violation_error_message="Say where this endpoint is, in base_url.",
            ),
            models.CheckConstraint(
                condition=~Q(provider=Provider.OPENROUTER, model__endswith=ONLINE),
                name="model_choice_offline",
                violation_error_message=f"A model with {ONLINE} searches the web"
                " unasked; leave it out: the feature server_web_search does that.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.get_provider_display()}, {self.model})"

    def clean(self) -> None:
        self.model = self.model.strip()
        self.base_url = self.base_url.strip()
        wrong = {
            "model": "" if self.model else "Name the model.",
            "base_url": self._base_url_problem(),
            "window": self._window_problem(),
            "max_output": self._output_problem(),
        }
        problems = {field: words for field, words in wrong.items() if words}
        if problems:
            raise ValidationError(problems)

    def _base_url_problem(self) -> str:
        twice = self.base_url.rstrip("/").endswith("/v1")
        if self.provider == Provider.ANTHROPIC and twice:
            return "Leave out /v1 at its end: of this provider it is added."
        problem = _address_problem(self.base_url) if self.base_url else ""
        if problem or self.provider == Provider.OPENROUTER:
            return problem
        host = f".{urlsplit(self.base_url).hostname or ''}".rstrip(".")
        routed = host.endswith(f".{ROUTER_HOST}")
        return "Choose OpenRouter as its provider, or no policy holds." * routed

    def _window_problem(self) -> str:
        if self.window is None and self.provider not in HOSTED:
            return "Say how many tokens this server holds: nobody else can."
        return ""

    def _output_problem(self) -> str:
        if self.window and self.max_output and self.max_output >= self.window:
            return "A reply must be shorter than the window."
        return ""


def _address_problem(address: str) -> str:
    """What is wrong with it; a private address is right, as local servers have one."""
    try:
        parts = urlsplit(address)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname)
        sound = sound and (parts.port is None or parts.port > 0)
    except ValueError:
        sound = False
    if not sound or not address.isprintable() or " " in address:
        return "This is no http or https address."
    if _has_more(parts):
        return "Leave out user, password, query and fragment: keys are never kept here."
    return ""


def _has_more(parts: SplitResult) -> bool:
    return "@" in parts.netloc or bool(parts.query or parts.fragment)
