"""One turn of the model, over as many replies as the provider makes of it."""

from dataclasses import replace

from chat.engine.model import Citation, ModelReply

EMPTY_REPLIES = 2
EMPTY_NUDGE = "Your last reply was empty. Answer the task, or call a tool."
FULL_NUDGE = (
    "Your last reply was cut because the window was full. Older parts are put aside "
    "now. Write the whole answer again, from its beginning."
)


class Turn:
    """What was said so far.

    pauses: how often the provider wanted it continued. messages: how many at the end of
    the transcript are of this turn. cut: the window was full.
    """

    def __init__(self) -> None:
        self.text = ""
        self.citations: tuple[Citation, ...] = ()
        self.pauses = self.messages = 0
        self.cut = False

    def add(self, reply: ModelReply) -> None:
        """Append a reply; its citations keep their places in the whole text."""
        so_far = len(self.text)
        self.citations += tuple(
            replace(each, start=each.start + so_far, end=each.end + so_far)
            for each in reply.citations
        )
        self.text += reply.text
