"""One way to write a value down, so that equal values have equal hashes."""

import hashlib
import json
from typing import Any


def canonical_json(value: Any) -> str:
    """ASCII, keys sorted, no blanks; TypeError or ValueError for what is no JSON."""
    return json.dumps(
        value, sort_keys=True, ensure_ascii=True, separators=(",", ":"), allow_nan=False
    )


def sha256_hex(data: bytes | str) -> str:
    """Lower-case hex of SHA-256; text is hashed as its UTF-8 bytes."""
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    return hashlib.sha256(raw).hexdigest()
