"""What the run is asked to do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from chat.engine.errors import ConfigurationError
from chat.engine.messages import Message


@dataclass(frozen=True, slots=True)
class Task:
    """One objective, with what the model should know before it starts.

    system: the system prompt. messages: an earlier conversation, put before the
    objective. context: JSON for models that are no language models; it is not rendered.
    resources: carried to the model with the request. attachments: the same, for a model
    whose profile says that it reads them; another is not run. output_schema: what the
    answer must be: a Pydantic model, a dataclass, a TypedDict or a JSON Schema as a
    dict. id: names the task in events.
    """

    objective: str
    system: str = field(default="", kw_only=True)
    messages: Sequence[Message] = field(default=(), kw_only=True)
    context: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    resources: Sequence[str] = field(default=(), kw_only=True)
    attachments: Sequence[Any] = field(default=(), kw_only=True)
    output_schema: Any = field(default=None, kw_only=True)
    id: str | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        if not isinstance(self.objective, str) or not self.objective.strip():
            msg = "Task.objective is empty; say what the run should do."
            raise ConfigurationError(msg)
        for name in ("messages", "resources", "attachments"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
