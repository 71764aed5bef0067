"""What a run does, told in one line a step."""

from dataclasses import dataclass, field

from chat import engine
from research.presentation.steps import Steps

TOLD = (
    engine.ToolAnswered | engine.ModelFailed | engine.RetryScheduled | engine.Stopping
)


@dataclass
class Progress:
    """Turns the engine's events into lines; those of little interest into none."""

    steps: Steps = field(default_factory=Steps)

    def line(self, event: engine.Event) -> str:
        """The sentence as a line of a log, or an empty one."""
        if not isinstance(event, engine.ToolCalled | TOLD):
            return ""
        sentence = self.steps.sentence(event.kind, engine.event_to_json(event))
        if isinstance(event, engine.ToolCalled):
            return ""
        return f"{sentence[:1].lower()}{sentence[1:]}".removesuffix(".")
