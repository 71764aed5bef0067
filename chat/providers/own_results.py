"""Results of the product's own search in a form that a provider can cite.

A tool's result is one text to the engine. Where trusted code can tell its parts apart,
a provider that cites passages is given them one by one.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class OwnResult:
    """One passage. source: its address, as it is to be cited. text: not empty."""

    source: str
    title: str
    text: str


# By the name of a tool: what its result's text holds, nothing where that is not plain.
Readers: TypeAlias = Mapping[str, Callable[[str], Sequence[OwnResult]]]
