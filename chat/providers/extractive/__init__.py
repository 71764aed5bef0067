"""The researcher that is no language model."""

from chat.providers.extractive.model import ExtractiveModel

__all__ = ["ExtractiveModel"]
