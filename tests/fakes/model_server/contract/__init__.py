"""What the Messages API refuses, as a table of small functions.

Each takes an `Asked` and says why it refuses, or None. The order is the API's own: form
before meaning before size. "Row" numbers are those of the table of invariants that the
project keeps of the API; texts that nobody has seen in public are marked in the
function that has them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from tests.fakes.model_server.contract import (
    of_blocks,
    of_issued,
    of_request,
    of_sizes,
    of_tools,
    of_turns,
)
from tests.fakes.model_server.contract.asked import Asked
from tests.fakes.model_server.contract.shapes import TOOLS
from tests.fakes.model_server.ledger import Ledger
from tests.fakes.model_server.values import Refusal, Request

Rule = Callable[[Asked], str | Refusal | None]

RULES: tuple[Rule, ...] = (
    of_sizes.request_is_not_too_large,
    # form
    of_request.is_an_object,
    of_request.has_what_it_needs,
    of_request.no_sampling,
    of_request.no_unknown_parameter,
    of_blocks.messages_are_well_formed,
    of_blocks.blocks_are_well_formed,
    of_tools.types_are_known,
    of_tools.keys_are_known,
    of_tools.names_are_well_formed,
    of_tools.domains_are_clear,
    of_tools.place_is_given,
    of_blocks.no_citations_from_the_user,
    of_request.model_exists,
    # meaning
    of_request.max_tokens_fit,
    of_request.thinking_fits,
    of_request.nothing_hinders_warming,
    of_request.at_most_four_breakpoints,
    of_request.longer_breakpoints_first,
    of_request.schemas_are_closed,
    of_request.no_citations_with_a_format,
    of_tools.names_are_unique,
    of_tools.names_keep_their_meaning,
    of_tools.choice_is_possible,
    of_tools.programs_are_not_hindered,
    of_blocks.content_is_not_empty,
    of_blocks.texts_are_not_empty,
    of_blocks.blocks_suit_the_role,
    of_blocks.search_results_are_of_one_kind,
    of_turns.roles_alternate,
    of_turns.ids_are_unique,
    of_turns.calls_are_answered,
    of_turns.server_calls_are_paired,
    of_turns.ending_is_allowed,
    of_turns.pending_programs_are_served,
    of_turns.thinking_leads_in_enabled_mode,
    of_issued.thinking_is_genuine,
    of_issued.thinking_is_whole,
    of_issued.thinking_is_in_its_place,
    of_issued.sources_are_genuine,
    of_issued.container_is_alive,
    # size
    of_sizes.messages_are_not_too_many,
    of_sizes.prompt_fits_the_window,
)


@dataclass(frozen=True, slots=True)
class Contract:
    """The rules, with what differs from one gateway to the next.

    known_tools: the tool types of this end; leave one out to play an older gateway.
    strict_roles: refuse two messages of one role in a row, as some gateways do.
    """

    known_tools: tuple[str, ...] = tuple(TOOLS)
    strict_roles: bool = False

    def refusal(
        self, request: Request, ledger: Ledger, now: datetime
    ) -> Refusal | None:
        """Why this request is refused; None where it is accepted."""
        counting = request.path.endswith("/count_tokens")
        asked = Asked(
            request, ledger, now, self.known_tools, self.strict_roles, counting
        )
        for rule in RULES:
            fault = rule(asked)
            if fault:
                return fault if isinstance(fault, Refusal) else Refusal(fault)
        return None
