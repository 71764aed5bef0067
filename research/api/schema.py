"""What the API's document says about refusals, once for all views."""

from typing import Any

from research.api.problems import MEDIA_TYPE
from research.api.serializers.problems import ProblemOut

ALWAYS = (401, 403, 406, 429)


def problems(*statuses: int) -> dict[tuple[int, str], Any]:
    """Responses of these statuses, and of those that any call may meet."""
    return {(status, MEDIA_TYPE): ProblemOut for status in (*ALWAYS, *statuses)}
