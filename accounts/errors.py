"""What a person or a program can be told when something is refused.

    ProductError            one sentence, a stable code, an HTTP status
      BadInput              400  what was sent cannot be used; `field` says which part
      NotAllowed            403  known, but the role, scope or feature does not allow it
        FeatureOff          403  the organization or the platform has it switched off
      NotFound              404  absent, or another organization's: never told apart
      Conflict              409  the state of things does not allow it now
      PreconditionFailed    412  the evidence moved on since it was shown
      TooLarge              413  more or bigger than the documented limits

Entrances translate these once: research/api/problems.py, the commands, the views.
"""


class ProductError(Exception):
    """The message is one sentence that may be shown to whoever asked."""

    code = "error"
    status = 400

    def __init__(self, message: str, *, code: str = "", field: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.field = field
        if code:
            self.code = code


class BadInput(ProductError):
    code = "bad_input"


class NotAllowed(ProductError):
    code = "not_allowed"
    status = 403


class FeatureOff(NotAllowed):
    code = "feature_off"


class NotFound(ProductError):
    code = "not_found"
    status = 404


class Conflict(ProductError):
    code = "conflict"
    status = 409


class PreconditionFailed(ProductError):
    code = "precondition_failed"
    status = 412


class TooLarge(ProductError):
    code = "too_large"
    status = 413
