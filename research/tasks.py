"""What the queue's workers call, by dotted name."""

from research.services import execute_run as execution
from research.services.claim_run import make_owner
from research.services.ring import forget_ring
from research.services.stop_flag import stopping


def execute_run(public_id: str) -> None:
    if stopping():
        forget_ring(public_id)
        return
    execution.execute_run(public_id, owner=make_owner(), stopping=stopping)
