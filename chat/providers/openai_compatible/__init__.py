"""Models behind any endpoint that speaks the OpenAI chat protocol."""

from chat.providers.openai_compatible.model import OpenAICompatibleModel

__all__ = ["OpenAICompatibleModel"]
