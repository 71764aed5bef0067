"""What the queue's workers call, by dotted name."""

from research.services import execute_run as execution
from research.services.claim_run import make_owner
from research.services.stop_flag import stopping


def execute_run(public_id: str) -> None:
    execution.execute_run(public_id, owner=make_owner(), stopping=stopping)
