"""Django's settings for Weighhouse, from the environment read once.

The composition root: nothing imports it. Names and defaults of the variables are
in research/environment.py.
"""

import os
from pathlib import Path
from typing import Any

import dj_database_url
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from research.document_limits import MAX_FILES
from research.environment import LOOPBACK, read_environment

BASE_DIR = Path(__file__).resolve().parent.parent
ENV = read_environment(os.environ, BASE_DIR)

DEBUG = False
SECRET_KEY = ENV.secret_key
DATA_DIR = ENV.data_dir
ANTHROPIC_API_KEY = ENV.anthropic_api_key
OPENROUTER_API_KEY = ENV.openrouter_api_key

# --- where browsers reach us: one variable decides all of it -----------------------
PUBLIC_URL = ENV.public_url
ALLOWED_HOSTS = [ENV.public_host]
if ENV.public_host in LOOPBACK:
    ALLOWED_HOSTS = sorted(LOOPBACK)
CSRF_TRUSTED_ORIGINS = [ENV.public_url]
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = ENV.https
SESSION_COOKIE_NAME = "__Host-weighhouse" if ENV.https else "weighhouse"
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_NAME = "__Host-weighhouse-csrf" if ENV.https else "weighhouse-csrf"
CSRF_COOKIE_HTTPONLY = True
SECURE_HSTS_SECONDS = 31_536_000 if ENV.https else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if ENV.https else None
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

# --- the application ---------------------------------------------------------------
INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "csp",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_q",
    "accounts",
    "chat",
    "research",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "research.static_files.StaticFilesMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "research.urls"
ASGI_APPLICATION = "research.asgi.application"
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]
AUTH_USER_MODEL = "accounts.User"
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "login"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = False

# --- state -------------------------------------------------------------------------
SQLITE_URL = f"sqlite:///{DATA_DIR / 'weighhouse.sqlite3'}"
try:
    _database: dict[str, Any] = dict(
        dj_database_url.parse(ENV.database_url or SQLITE_URL, conn_max_age=0)
    )
except (ValueError, dj_database_url.ParseError) as error:
    _message = f"DATABASE_URL cannot be read: {type(error).__name__}."
    raise ImproperlyConfigured(_message) from None
if _database["ENGINE"] == "django.db.backends.sqlite3":
    # Writers queue up instead of failing: IMMEDIATE takes the lock at BEGIN.
    _database["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
            "PRAGMA foreign_keys=ON; PRAGMA cache_size=-16000;"
        ),
    }
DATABASES: dict[str, dict[str, Any]] = {"default": _database}
SNAPSHOT_DIR = DATA_DIR / "snapshots"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "snapshots": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": SNAPSHOT_DIR, "base_url": None},
    },
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if ENV.production
        else "django.contrib.staticfiles.storage.StaticFilesStorage",
    },
}
STATIC_URL = "static/"
STATIC_ROOT = BASE_DIR / "static-collected"
WHITENOISE_ALLOW_ALL_ORIGINS = False
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = not ENV.production
DATA_UPLOAD_MAX_NUMBER_FILES = MAX_FILES
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024

# --- the queue: a doorbell; the Run row is the truth --------------------------------
RUN_DEADLINE_S = ENV.run_deadline_s
# How long a silent worker keeps a run; every journal line and tick prolongs it.
RUN_LEASE_S = 60
# How often a worker's parent looks for runs that nobody was told of, or lost.
DISPATCH_EVERY_S = 5
# The queue's doorbell may be lost; this long after the last ring it rings again.
RING_AGAIN_S = 60
# A task that waits this long while a worker is idle: the cluster is frozen.
WATCHDOG_AFTER_S = 60
_task_timeout = RUN_DEADLINE_S + 60
Q_CLUSTER: dict[str, Any] = {
    "name": "weighhouse",
    "workers": ENV.workers,
    # Prefetched tasks age while they wait; one at a time keeps redelivery honest.
    "queue_limit": 1,
    "bulk": 1,
    "ack_failures": True,
    "max_attempts": 1,
    "catch_up": False,
    "timeout": _task_timeout,
    "retry": 2 * _task_timeout + 60,
    "recycle": 50,
    "save_limit": 250,
    "label": "Queue",
}
if ENV.redis_url:
    Q_CLUSTER["redis"] = ENV.redis_url
else:
    Q_CLUSTER["orm"] = "default"
    Q_CLUSTER["poll"] = 0.5

# --- what a page may load: ourselves, and nothing inline -----------------------------
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}

# --- REST --------------------------------------------------------------------------
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["accounts.authentication.TokenAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "URL_FORMAT_OVERRIDE": None,
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "research.api.problems.problem_response",
    "DEFAULT_THROTTLE_RATES": {"token": "600/min"},
    "NUM_PROXIES": 1 if ENV.https else 0,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Weighhouse",
    "VERSION": "1",
    "DESCRIPTION": "Start research runs, follow them, fetch dossiers and decide.",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "ENUM_NAME_OVERRIDES": {
        "RunStatus": "research.states.RunStatus",
        "CaseStatus": "research.states.CaseStatus",
        "ClaimTier": "research.models.ClaimTier",
        "FactTier": "research.models.FactTier",
    },
}

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"},
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": ENV.log_level},
}
