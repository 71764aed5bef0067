"""Runs every benchmark, or the one named, each in a process of its own.

python -m benchmarks [NAME [ARGUMENT ...]]
"""

import subprocess
import sys

NAMES = (
    "demo",
    "run_memory",
    "case_page",
    "engine",
    "wire",
    "guard",
    "hostile_pages",
    "reading",
)


def main(arguments: list[str]) -> int:
    if arguments and arguments[0] not in NAMES:
        print(f"Benchmarks are {', '.join(NAMES)}.", file=sys.stderr)
        return 2
    chosen = [arguments] if arguments else [[name] for name in NAMES]
    codes = [
        subprocess.run([sys.executable, "-m", f"benchmarks.{name}", *rest], check=False)
        for name, *rest in chosen
    ]
    return max(done.returncode for done in codes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
