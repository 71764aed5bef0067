"""Text of others made safe to look at; the table is the output gate's own."""

from chat.visible import code_point, one_line, steering_shown, visible

__all__ = ["code_point", "one_line", "steering_shown", "visible"]
