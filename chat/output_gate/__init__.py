"""The one way from what a model wrote to a page, an API field or an export.

    gate(Answer.of(result), documents) -> GatedAnswer

No Django and no I/O. Whatever the text, this takes time in proportion to its length.
"""

from chat.output_gate.citations import GatedCitation
from chat.output_gate.gate import NOTE, GatedAnswer, gate, harmless
from chat.output_gate.values import Answer

__all__ = ["NOTE", "Answer", "GatedAnswer", "GatedCitation", "gate", "harmless"]
