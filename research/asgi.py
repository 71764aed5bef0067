"""What the web server serves: `gunicorn -k asgi research.asgi:application`."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "research.settings")
application = get_asgi_application()
