"""What is known of each model: sizes, and what it refuses."""

from dataclasses import dataclass, replace

K = 1000
M = 1_000_000


@dataclass(frozen=True, slots=True)
class Traits:
    """Limits in tokens; every flag says what the model accepts.

    bound: its thinking blocks hold only in the conversation they were written in.
    cache_minimum: prompts below it are not cached.
    """

    window: int = M
    max_output: int = 128 * K
    prefill: bool = False
    sampling: bool = False
    budget: bool = False
    thinking_off: bool = True
    forced_choice: bool = True
    programmatic: bool = True
    bound: bool = False
    cache_minimum: int = 1024


NEW = Traits()
NEWEST = Traits(bound=True)
OLD = Traits(200 * K, 64 * K, prefill=True, sampling=True, budget=True)

MODELS = {
    "claude-fable-5-2": NEWEST,
    "claude-mythos-5-2": NEWEST,
    "claude-fable-5-1": NEWEST,
    "claude-mythos-5-1": NEWEST,
    "claude-fable-5": replace(NEW, cache_minimum=512),
    "claude-mythos-5": NEW,
    "claude-mythos-preview": NEW,
    "claude-opus-5-5": replace(NEWEST, thinking_off=False, forced_choice=False),
    "claude-sonnet-5-5": replace(NEWEST, thinking_off=False),
    "claude-haiku-5-5": NEWEST,
    "claude-opus-5": replace(NEW, cache_minimum=512),
    "claude-sonnet-5": NEW,
    "claude-opus-4-8": NEW,
    "claude-opus-4-7": replace(NEW, cache_minimum=2048),
    "claude-opus-4-6": replace(NEW, sampling=True, budget=True, cache_minimum=4096),
    "claude-sonnet-4-6": replace(NEW, sampling=True, budget=True),
    "claude-opus-4-5": replace(OLD, cache_minimum=4096),
    "claude-opus-4-5-20251101": replace(OLD, cache_minimum=4096),
    "claude-sonnet-4-5": OLD,
    "claude-sonnet-4-5-20250929": OLD,
    "claude-haiku-4-5": replace(OLD, programmatic=False, cache_minimum=4096),
    "claude-haiku-4-5-20251001": replace(OLD, programmatic=False, cache_minimum=4096),
}
