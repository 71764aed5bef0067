"""What Django's error reports may show of the settings."""

import re

from django.views.debug import SafeExceptionReporterFilter


class SafeSettings(SafeExceptionReporterFilter):
    """Hides the queue's address too, which may hold a password."""

    hidden_settings = re.compile(
        f"{SafeExceptionReporterFilter.hidden_settings.pattern}|REDIS", re.IGNORECASE
    )
