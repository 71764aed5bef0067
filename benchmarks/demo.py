"""Wall time of what `make demo` runs, on a warm installation: the ceiling is 20 s."""

import os
import subprocess
import sys
import tempfile
import time

PACKAGES = ("bleach", "sqlparse", "django", "httpx")


def main() -> None:
    folder = tempfile.mkdtemp(prefix="weighhouse-bench-")
    env = {**os.environ, "WEIGHHOUSE_DATA_DIR": folder}
    base = _timed([sys.executable, "manage.py", "check"], env)
    demo = _timed(
        [sys.executable, "manage.py", "quickstart", "--packages", *PACKAGES], env
    )
    again = _timed(
        [sys.executable, "manage.py", "quickstart", "--packages", *PACKAGES], env
    )
    print(
        f"demo: {demo:.1f} s on a new database, {again:.1f} s again;"
        f" {demo / base:.1f} times `manage.py check` ({base:.1f} s)"
    )


def _timed(command: list[str], env: dict[str, str]) -> float:
    begin = time.perf_counter()
    subprocess.run(command, env=env, check=True, capture_output=True)
    return time.perf_counter() - begin


if __name__ == "__main__":
    main()
