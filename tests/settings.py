"""The product's own settings, made fast and quiet for tests."""

import tempfile
from pathlib import Path

from research.settings import *  # noqa: F403
from research.settings import STORAGES

_FILES = Path(tempfile.mkdtemp(prefix="weighhouse-tests-"))
DATA_DIR = _FILES
SNAPSHOT_DIR = _FILES / "snapshots"
STORAGES = {
    **STORAGES,
    "snapshots": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": SNAPSHOT_DIR, "base_url": None},
    },
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = False
LOGGING = {"version": 1, "disable_existing_loggers": False}
