"""Counts tokens, roughly; a text may stand for more than it holds."""

import json
import re

from tests.fakes.model_server.values import Json

PAD = re.compile(r"<<PAD (\d+) tokens>>")
PROMPT = ("system", "tools", "messages")


def count_tokens(body: Json) -> int:
    """The tokens of a request's prompt."""
    prompt = {key: body[key] for key in PROMPT if key in body}
    return count_text(json.dumps(prompt, ensure_ascii=False))


def count_text(text: str) -> int:
    """What its <<PAD n tokens>> claim, or a fourth of its bytes."""
    claimed = [int(number) for number in PAD.findall(text)]
    return sum(claimed) or -(-len(text.encode()) // 4)
