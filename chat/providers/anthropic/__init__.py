"""Anthropic's models, over the Messages API."""

from chat.providers.anthropic.model import AnthropicModel

__all__ = ["AnthropicModel"]
