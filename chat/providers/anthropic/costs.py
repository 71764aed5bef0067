"""What a request may cost at most, and what a usage has cost."""

from collections.abc import Callable
from decimal import Decimal
from typing import TypeAlias

from chat.engine import ModelRequest, Usage
from chat.engine.context.tokens import message_tokens, text_tokens, tool_tokens
from chat.providers.anthropic.request import Manner, max_tokens
from chat.providers.anthropic.tools import attached_search
from chat.providers.server_search import MAX_USES, ServerSearch

Prices: TypeAlias = Callable[[str, Usage], Decimal | None]

# Of the estimate; tokenizers differ, and some write half as much again.
MARGIN = 2
# What the API adds of its own where there are tools.
TOOLS_PROMPT = 700
# What one search puts into the prompt at most, so far.
SEARCH_TOKENS = 20_000


def bound(request: ModelRequest, manner: Manner, search: ServerSearch | None) -> Usage:
    """Return the usage that the request stays under, all of its prompt newly cached."""
    attached = attached_search(request, search)
    searches = 0 if attached is None else attached.max_uses or MAX_USES
    tools = request.declared or request.tools
    prompt = text_tokens(request.system) + TOOLS_PROMPT
    prompt += sum(map(message_tokens, request.messages)) + sum(map(tool_tokens, tools))
    prompt = prompt * MARGIN + searches * SEARCH_TOKENS
    return Usage(
        input_tokens=0 if manner.cache else prompt,
        output_tokens=max_tokens(request, manner),
        cache_write_tokens=prompt if manner.cache else 0,
        cache_write_1h_tokens=prompt if manner.cache == "1h" else 0,
        searches=searches,
    )


def listed_price(model: str, usage: Usage) -> Decimal | None:
    """Return the price by the product's own list, None where it has none."""
    # Imported when it is asked for: whoever has prices of their own needs no list.
    from chat.providers.prices import cost

    return cost(model, usage)
