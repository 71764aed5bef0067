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
# In lower case it is no setting: nothing that lists settings shows the secrets in it.
_env = read_environment(os.environ, BASE_DIR)

DEBUG = False
SECRET_KEY = _env.secret_key
DATA_DIR = _env.data_dir
DEFAULT_EXCEPTION_REPORTER_FILTER = "research.error_reports.SafeSettings"

# --- where browsers reach us: one variable decides all of it -----------------------
PUBLIC_URL = _env.public_url
ALLOWED_HOSTS = [_env.public_host]
if _env.public_host in LOOPBACK:
    ALLOWED_HOSTS = sorted(LOOPBACK)
CSRF_TRUSTED_ORIGINS = [_env.public_url]
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _env.https
SESSION_COOKIE_NAME = "__Host-weighhouse" if _env.https else "weighhouse"
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_NAME = "__Host-weighhouse-csrf" if _env.https else "weighhouse-csrf"
CSRF_COOKIE_HTTPONLY = True
SECURE_HSTS_SECONDS = 31_536_000 if _env.https else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if _env.https else None
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
        dj_database_url.parse(_env.database_url or SQLITE_URL, conn_max_age=0)
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
            # Without it INSERT OR REPLACE removes rows past the append-only triggers.
            "PRAGMA recursive_triggers=ON;"
        ),
    }
DATABASES: dict[str, dict[str, Any]] = {"default": _database}
SNAPSHOT_DIR = DATA_DIR / "snapshots"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "snapshots": {
        "BACKEND": "research.snapshot_files.SnapshotFiles",
        "OPTIONS": {"location": SNAPSHOT_DIR, "base_url": None},
    },
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if _env.production
        else "django.contrib.staticfiles.storage.StaticFilesStorage",
    },
}
STATIC_URL = "static/"
STATIC_ROOT = BASE_DIR / "static-collected"
WHITENOISE_ALLOW_ALL_ORIGINS = False
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = not _env.production
# Counts of failures and of calls; kept by each process. The default of 300 entries
# would let a spray of made-up addresses push the counts of real ones out.
CACHES: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "OPTIONS": {"MAX_ENTRIES": 50_000},
    }
}
DATA_UPLOAD_MAX_NUMBER_FILES = MAX_FILES
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024

# --- the queue: a doorbell; the Run row is the truth --------------------------------
RUN_DEADLINE_S = _env.run_deadline_s
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
    "workers": _env.workers,
    # Prefetched tasks age while they wait; one at a time keeps redelivery honest.
    "queue_limit": 1,
    "bulk": 1,
    "ack_failures": True,
    "max_attempts": 1,
    # Nothing of ours is scheduled, and a schedule may name any function to call.
    "scheduler": False,
    "timeout": _task_timeout,
    "retry": 2 * _task_timeout + 60,
    "recycle": 50,
    "save_limit": 250,
}
if _env.redis_url:
    Q_CLUSTER["redis"] = _env.redis_url
else:
    Q_CLUSTER["orm"] = "default"
    Q_CLUSTER["poll"] = 0.5

# --- models: the platform's keys, by whom they let in --------------------------------
# Django's error reports hide it whole: it is called KEY.
PROVIDER_KEYS = {
    "anthropic": _env.anthropic_api_key,
    "openrouter": _env.openrouter_api_key,
    "endpoint": _env.endpoint_key,
}

# --- search: what each backend is made with, as chat.web.search.backend() has it -----
SEARCH_KEYS: dict[str, dict[str, str]] = {
    "anthropic": {"api_key": _env.anthropic_api_key},
    "brave": {"api_key": _env.search["BRAVE_API_KEY"]},
    "google": {
        "api_key": _env.search["GOOGLE_API_KEY"],
        "engine_id": _env.search["GOOGLE_SEARCH_ENGINE_ID"],
    },
    "openrouter": {"api_key": _env.openrouter_api_key},
    "searxng": {"url": _env.search["SEARXNG_URL"]},
    "serper": {"api_key": _env.search["SERPER_API_KEY"]},
    "tavily": {"api_key": _env.search["TAVILY_API_KEY"]},
}

# --- the web: private networks that are read from, and who the sites are told we are --
FETCH_ALLOW_NETWORKS = _env.fetch_allow_networks
# Whom the owner of a site can write to; part of the User-Agent.
FETCH_CONTACT = _env.contact

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
    "NUM_PROXIES": 1 if _env.https else 0,
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
    "root": {"handlers": ["stderr"], "level": _env.log_level},
}
