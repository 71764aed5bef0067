"""What operators decide about models, changed as the admin site changes it."""

from accounts.models import Organization, User
from chat.models import AgentSettings, ModelChoice, ModelPolicy, Provider
from chat.services.change_row import change_row
from tests.factories.accounts import make_user

OPERATOR = "root@models.example.org"


def operator() -> User:
    """The one who changes these rows."""
    known = User.objects.filter(email=OPERATOR).first()
    return known or make_user(OPERATOR, superuser=True)


def change_settings(**changes: object) -> AgentSettings:
    row = AgentSettings.current()
    for name, value in changes.items():
        setattr(row, name, value)
    change_row(by=operator(), row=row)
    return row


def offer_model(name: str, **fields: object) -> ModelChoice:
    """A row of that name, made or changed: one of Anthropic's unless told otherwise."""
    usual = {"provider": Provider.ANTHROPIC, "model": "claude-sonnet-5-5"}
    row = ModelChoice.objects.filter(name=name).first()
    row = row or ModelChoice(name=name, **usual)
    for field, value in fields.items():
        setattr(row, field, value)
    change_row(by=operator(), row=row)
    return row


def offer_local_model(name: str, **fields: object) -> ModelChoice:
    """A row of that name for a server of one's own, which needs no key."""
    usual = {"provider": Provider.OLLAMA, "model": "tide:8b", "window": 32_000}
    return offer_model(name, **{**usual, **fields})


def set_policy(organization: Organization, **fields: object) -> ModelPolicy:
    row = ModelPolicy.of(organization)
    for field, value in fields.items():
        setattr(row, field, value)
    change_row(by=operator(), row=row)
    return row
