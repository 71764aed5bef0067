"""What the processes of a test run under: the product's settings, made impatient."""

import os
from typing import Any

from research.settings import *  # noqa: F403
from research.settings import Q_CLUSTER as PRODUCT_CLUSTER
from research.settings import SNAPSHOT_DIR
from research.settings import STORAGES as PRODUCT_STORAGES

RUN_LEASE_S = 5
DISPATCH_EVERY_S = 0.5
RING_AGAIN_S = 2
WATCHDOG_AFTER_S = 3
Q_CLUSTER: dict[str, Any] = {
    **PRODUCT_CLUSTER,
    # On a shared Redis each test has its queue.
    "cluster_name": os.environ.get("TEST_QUEUE", PRODUCT_CLUSTER["name"]),
}
STORAGES = {
    **PRODUCT_STORAGES,
    "snapshots": {
        "BACKEND": "tests.fakes.gated_storage.GatedStorage",
        "OPTIONS": {"location": SNAPSHOT_DIR, "base_url": None},
    },
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
