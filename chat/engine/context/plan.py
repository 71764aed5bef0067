"""What a compaction does, as a value that can be journaled and done again."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Compaction:
    """First results are masked, then groups are folded.

    tier: the highest that was needed: 1 masked, 2 folded, 3 an emergency. masked: ids
    of calls whose results become receipts. preview_chars: characters shown of each of
    them that the model has not read. folded: how many of the oldest groups become lines
    of the catalog. unseen: results that the model will not have seen anything of.
    catalog_tokens: what the lines of the catalog may take, None leaves it as it is.
    """

    tier: int
    masked: tuple[str, ...] = ()
    preview_chars: int = 0
    folded: int = 0
    unseen: int = 0
    catalog_tokens: int | None = None
