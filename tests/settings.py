"""The product's own settings, made fast and quiet for tests."""

import os
import tempfile
from pathlib import Path

# Before the product reads its environment: no test touches a developer's data.
_FILES = Path(tempfile.mkdtemp(prefix="weighhouse-tests-"))
os.environ["WEIGHHOUSE_DATA_DIR"] = str(_FILES)

from research.settings import *  # noqa: E402, F403
from research.settings import (  # noqa: E402
    DATABASES,
    PROVIDER_KEYS,
    SEARCH_KEYS,
    STORAGES,
)

# Nor spends a developer's money: a test that needs a key sets one of its own.
PROVIDER_KEYS = dict.fromkeys(PROVIDER_KEYS, "")
SEARCH_KEYS = {name: dict.fromkeys(keys, "") for name, keys in SEARCH_KEYS.items()}

if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # A file, not memory: threads of a live server share it as in production.
    DATABASES["default"]["TEST"] = {"NAME": _FILES / "test.sqlite3"}
STORAGES = {
    **STORAGES,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
LOGGING = {"version": 1, "disable_existing_loggers": False}
