"""What the model is told in its last turn, in which no tool can be called."""

from chat.engine.budget import Role
from chat.engine.messages import Message
from chat.engine.running import Running

CLOSING = (
    "This is the last turn, because of the limit '{stop}'. No tool can be called any "
    "more. Answer now from what you have, and say what is missing."
)


def last_words(run: Running) -> Message | None:
    """Return the message that ends the last request, None before the last turn.

    Where the answer must fit a schema the prose of a closing turn would be no use: then
    it asks for that answer alone, with the validator's errors where there was one.
    """
    ending = run.state.ending
    if not ending.closing:
        return None
    if run.contract is None:
        return Message.user(CLOSING.format(stop=ending.stop))
    last = ending.best
    return Message.user(
        run.contract.instruction(
            (last.errors or ()) if last else (),
            schema_chars=run.budget.chars(Role.SCHEMA),
            error_chars=run.budget.chars(Role.ERRORS),
        )
    )
