#!/usr/bin/env python3
"""Runs Weighhouse's commands: `python manage.py help` lists them."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line


def main() -> None:
    """Unsafe or unknown settings end in their one sentence, not in a traceback."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "research.settings")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"weighhouse: {error}")


if __name__ == "__main__":
    main()
