"""What the web server serves: `gunicorn -k asgi research.asgi:application`."""

import os
import sys

from django.core.asgi import get_asgi_application
from django.core.exceptions import ImproperlyConfigured

from research.body_limit import limit_body

# On this exit code gunicorn stops instead of starting the worker again.
GIVE_UP = 3

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "research.settings")
try:
    application = limit_body(get_asgi_application())
except ImproperlyConfigured as error:
    # Unsafe or unknown settings end in their one sentence, not in a traceback.
    sys.stderr.write(f"weighhouse: {error}\n")
    sys.exit(GIVE_UP)
