"""A throw-away installation in a temporary folder, for the figures to be taken in."""

import os
import resource
import tempfile


def install() -> None:
    """Sets Django up on a new SQLite database; call before any model is imported."""
    os.environ["WEIGHHOUSE_DATA_DIR"] = tempfile.mkdtemp(prefix="weighhouse-bench-")
    os.environ["WEIGHHOUSE_LOG_LEVEL"] = "ERROR"
    os.environ["DJANGO_SETTINGS_MODULE"] = "research.settings"
    for name in ("DATABASE_URL", "REDIS_URL"):
        os.environ.pop(name, None)
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def peak_mib() -> float:
    """The largest resident size of this process so far, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
