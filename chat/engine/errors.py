"""What the engine raises; everything else that goes wrong is a stop or a result.

ConfigurationError   raised by constructors and by run() itself, before any call
Halt                 a plugin raises it to end the run with stop `plugin_halt`
Abandon              a plugin raises a subclass to leave the run where it stands
"""


class ConfigurationError(ValueError):
    """The run cannot be started as it was described; the message says why."""


class Halt(Exception):  # noqa: N818, it is an order and no error
    """Ends the run: its message becomes the result's detail."""


class Abandon(Exception):  # noqa: N818, it is an order and no error
    """Passes through the loop untouched, without a terminal event.

    For a caller that no longer owns the run, such as a worker whose lease was lost.
    """
