"""Counts the tokens of a request, roughly; texts may stand for more than they hold."""

import json
import re

from tests.fakes.model_server.values import Json

PAD = re.compile(r"<<PAD (\d+) tokens>>")
PROMPT = ("system", "tools", "messages")


def count_tokens(body: Json) -> int:
    """The prompt's tokens: what its <<PAD n tokens>> claim, or its bytes by four."""
    text = json.dumps({key: body.get(key) for key in PROMPT}, ensure_ascii=False)
    claimed = [int(number) for number in PAD.findall(text)]
    return sum(claimed) or -(-len(text.encode()) // 4)
