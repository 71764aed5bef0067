"""Runs every benchmark, each in a process of its own, and prints its figures."""

import subprocess
import sys

NAMES = ("demo", "run_memory", "case_page")


def main() -> int:
    codes = [
        subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], check=False)
        for name in NAMES
    ]
    return max(done.returncode for done in codes)


if __name__ == "__main__":
    sys.exit(main())
