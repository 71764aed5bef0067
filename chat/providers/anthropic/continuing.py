"""Server tools that are still at work when a reply ends.

A reply may stop while a search of the provider's has no result yet. The next reply then
begins with that result, if nothing but the answers to client tools comes between. So
what the loop says in between is held back until the result has come; where the turn
does not go on, the call without result is taken out, as the API would refuse it.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from chat.engine import Role
from chat.providers.anthropic.blocks import (
    Block,
    is_server_call,
    is_server_result,
    open_server_calls,
    results_in,
)


@dataclass(slots=True)
class Turn:
    """One message of the engine as blocks.

    asked: it is what the run is about. written: the blocks of a reply as they came.
    prompt: a digest of what that reply was written to, None where it is not known.
    rewritten: messages before it, or it, were put aside.
    """

    role: Role
    content: list[Block]
    asked: bool = False
    written: list[Block] = field(default_factory=list)
    prompt: str | None = None
    rewritten: bool = False


@dataclass(frozen=True, slots=True)
class Still:
    """What may go on after the last reply. tools: the server's are there. programs: so
    are the tool that runs code, and the container it is run in."""

    tools: bool
    programs: bool


@dataclass(slots=True)
class _Step:
    """What the model wrote, if anything, and what was said before it wrote again."""

    reply: Turn = field(default_factory=lambda: Turn(Role.ASSISTANT, []))
    said: list[Turn] = field(default_factory=list)


def settle(turns: Sequence[Turn], still: Still) -> list[Turn]:
    """Return the turns; each server call has its result, may have it, or is out."""
    steps = _steps(turns)
    seen: set[str] = set()
    held: list[Block] = []
    settled: list[Turn] = []
    for place, step in enumerate(steps):
        following = steps[place + 1] if place + 1 < len(steps) else None
        waiting = _goes_on(step, following, still)
        content = list(_paired(step.reply.content, waiting, seen))
        settled.append(replace(step.reply, content=content))
        if waiting:
            held += [block for turn in _words(step) for block in turn.content]
            settled += [turn for turn in step.said if turn.role is Role.TOOL]
        elif step.said:
            settled += _with_held(step.said, held)
            held = []
    return [turn for turn in settled if turn.content]


def _steps(turns: Sequence[Turn]) -> list[_Step]:
    steps = [_Step()]
    for turn in turns:
        if turn.role is Role.ASSISTANT:
            steps.append(_Step(turn))
        else:
            steps[-1].said.append(turn)
    return steps


def _goes_on(step: _Step, following: _Step | None, still: Still) -> set[str]:
    """Return the open server calls whose results came next, or may still come."""
    waiting = open_server_calls(step.reply.content)
    if following is not None:
        return waiting & results_in(following.reply.content)
    answered = not step.said or step.said[0].role is Role.TOOL
    told = any(turn.asked for turn in step.said)
    lost = _runs_code(step.reply.content, waiting) and not still.programs
    goes_on = still.tools and answered and not told and not lost
    return waiting if goes_on else set()


def _runs_code(content: Sequence[Block], waiting: Collection[str]) -> bool:
    return any(
        str(each.get("id")) in waiting and "code_execution" in str(each.get("name"))
        for each in content
    )


def _paired(
    content: Sequence[Block], waiting: Collection[str], seen: set[str]
) -> Iterator[Block]:
    """Yield the blocks without server calls and results that lack the other half."""
    answered = {*results_in(content), *waiting}
    for block in content:
        if is_server_call(block):
            if str(block.get("id")) not in answered:
                continue
            seen.add(str(block.get("id")))
        elif is_server_result(block) and str(block.get("tool_use_id")) not in seen:
            continue
        yield _called_by(block, seen)


def _called_by(block: Block, seen: Collection[str]) -> Block:
    """Return the block without a caller that is not there any more."""
    caller = block.get("caller")
    if not isinstance(caller, dict) or caller.get("tool_id", None) in {None, *seen}:
        return block
    return {name: value for name, value in block.items() if name != "caller"}


def _words(step: _Step) -> list[Turn]:
    return [turn for turn in step.said if turn.role is Role.USER]


def _with_held(said: Sequence[Turn], held: list[Block]) -> list[Turn]:
    """Put what was held back behind the results, which must come first."""
    results = [turn for turn in said if turn.role is Role.TOOL]
    words = [turn for turn in said if turn.role is not Role.TOOL]
    return [*results, Turn(Role.USER, held), *words]
