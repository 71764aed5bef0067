"""What the engine raises; everything else that goes wrong is a stop or a result.

ConfigurationError   raised by constructors and by run() itself, before any call
Halt                 a plugin raises it to end the run with stop `plugin_halt`
RequireApproval      a plugin's before_tool raises it to let a person decide on a call
Abandon              a plugin raises a subclass to leave the run where it stands
Stopped              between the parts of the loop, never outside
"""

from chat.engine.stops import StopReason


class ConfigurationError(ValueError):
    """The run cannot be started as it was described; the message says why."""


class Halt(Exception):
    """Ends the run: its message becomes the result's detail, if nothing else had
    stopped the run before."""


class RequireApproval(Exception):
    """A person must decide on the call; the message says why, for that person."""


class Abandon(Exception):
    """Passes through the loop untouched, without a terminal event.

    For a caller that no longer owns the run, such as a worker whose lease was lost.
    """


class Stopped(Exception):
    """Inside the loop: the run cannot go on as before, for a named reason."""

    def __init__(self, stop: StopReason, detail: str) -> None:
        super().__init__(detail)
        self.stop = stop
        self.detail = detail
