"""The nouns of chat: what operators decide about models, without a deploy."""

from chat.models.agent_settings import AgentSettings
from chat.models.model_choice import ModelChoice, Provider
from chat.models.model_policy import DataCollection, ModelPolicy

__all__ = [
    "AgentSettings",
    "DataCollection",
    "ModelChoice",
    "ModelPolicy",
    "Provider",
]
