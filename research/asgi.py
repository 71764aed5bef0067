"""What the web server serves: `gunicorn -k asgi research.asgi:application`."""

import os

from django.core.asgi import get_asgi_application

from research.body_limit import limit_body

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "research.settings")
application = limit_body(get_asgi_application())
