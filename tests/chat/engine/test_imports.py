"""The engine stands alone: the standard library and itself."""

import subprocess
import sys

PROBE = """
import sys
before = set(sys.modules)
import chat.engine
new = {name.partition(".")[0] for name in set(sys.modules) - before}
outside = new - set(sys.stdlib_module_names) - {"chat"}
mine = {name for name in sys.modules if name.startswith("chat")}
outside |= {name for name in mine if not name.startswith("chat.engine")} - {"chat"}
print(",".join(sorted(outside)))
print(",".join(sorted({"asyncio", "ssl", "http", "urllib"} & new)))
"""


def test_importing_the_engine_brings_in_nothing_but_the_standard_library() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROBE], capture_output=True, text=True, check=True
    )
    outside, slow = done.stdout.splitlines()

    assert outside == ""
    assert slow == ""


def test_the_export_list_is_complete() -> None:
    import chat.engine

    public = {
        name
        for name, value in vars(chat.engine).items()
        if not name.startswith("_") and getattr(value, "__module__", None)
    }
    assert public <= set(chat.engine.__all__)
    assert all(hasattr(chat.engine, name) for name in chat.engine.__all__)
