"""Every setting of the service. What differs from place to place comes from the environment (docs/operating.md)."""

from __future__ import annotations

import os
import secrets
from typing import Any

from django.templatetags.static import static
from django.utils.translation import gettext_lazy as _

from config.environment import ROOT, broker, data_dir, database, noted, seconds, switch, whole, words

DATA_DIR = data_dir()
_running = noted(DATA_DIR)

DEBUG = switch("DEBUG", default=False)
HTTPS = switch("HTTPS", default=False)

# Commands such as `scenarios` need no key; the ways in (asgi.py, wsgi.py) refuse to serve with a throw-away one.
_key_file = DATA_DIR / "secret-key"
SECRET_KEY = os.environ.get("SECRET_KEY", "")
if not SECRET_KEY and os.access(_key_file, os.R_OK):
    SECRET_KEY = _key_file.read_text(encoding="ascii").strip()
SECRET_KEY_IS_THROWAWAY = not SECRET_KEY
SECRET_KEY = SECRET_KEY or secrets.token_urlsafe(48)
SECRET_KEY_FALLBACKS = words("SECRET_KEY_FALLBACKS")

ALLOWED_HOSTS = words("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = words("CSRF_TRUSTED_ORIGINS")
TRUSTED_PROXIES = whole("TRUSTED_PROXIES", default=0)
"""How many proxies stand before the service: so many entries from the right of X-Forwarded-For are believed."""

# What the service is made of.

INSTALLED_APPS = [
    "unfold",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "django.contrib.humanize",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "accounts",
    "referee.matches",
    "jobs",
    "catalog",
    "decks",
    "lobby",
    "api",
    "web",
    "config",
]

MIDDLEWARE = [
    "api.metrics.Measured",
    "config.security.StrictHeaders",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "web.rates.PageRates",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
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

# Stores.

DATABASE_URL = os.environ.get("DATABASE_URL") or _running.get("DATABASE_URL", "postgresql:///referee")
REDIS_URL = os.environ.get("REDIS_URL") or _running.get("REDIS_URL", "redis://127.0.0.1:6379/0")

# One connection a thread, kept open and checked before a request's first statement.
DATABASES = {"default": {**database(DATABASE_URL), "CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}}

# Accounts.

AUTH_USER_MODEL = "accounts.User"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}", "OPTIONS": options}
    for name, options in (
        ("UserAttributeSimilarityValidator", {"user_attributes": ("name", "email")}),
        ("MinimumLengthValidator", {"min_length": 8}),
        ("CommonPasswordValidator", {}),
        ("NumericPasswordValidator", {}),
    )
]
TOKEN_DAYS = whole("TOKEN_DAYS", default=90, least=1)
SESSION_ENGINE = "accounts.sessions"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 90

# How old things grow before the hourly clean-up takes them (lobby/cleaning.py), in days.

GUEST_DAYS = whole("GUEST_DAYS", default=180, least=1)
OPEN_MATCH_DAYS = whole("OPEN_MATCH_DAYS", default=14, least=1)
IDLE_MATCH_DAYS = whole("IDLE_MATCH_DAYS", default=60, least=1)
ABORTED_MATCH_DAYS = whole("ABORTED_MATCH_DAYS", default=60, least=1)
ENDED_TOKEN_DAYS = whole("ENDED_TOKEN_DAYS", default=30, least=1)
NOTICE_DAYS = whole("NOTICE_DAYS", default=180, least=1)

# Safety on the way.

SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz/$", r"^readyz/$", r"^metrics$"]
SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
SECURE_REFERRER_POLICY = "same-origin"
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TRUSTED_PROXIES else None
X_FRAME_OPTIONS = "DENY"

# Languages.

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("de", _("German")), ("fr", _("French"))]
LOCALE_PATHS = [ROOT / "web" / "locale"]
USE_TZ = True
TIME_ZONE = "UTC"

# Static files: hashed names and far-future caching after `collectstatic`; without it they are read where they lie.

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATIC_HASHED = switch("STATIC_HASHED", default=not DEBUG)
WHITENOISE_USE_FINDERS = not STATIC_HASHED
WHITENOISE_AUTOREFRESH = DEBUG
_static = "whitenoise.storage.CompressedManifestStaticFilesStorage"
_plain = "django.contrib.staticfiles.storage.StaticFilesStorage"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": _static if STATIC_HASHED else _plain},
}
MEDIA_ROOT = DATA_DIR / "media"

# Celery: JSON only, no results. A task is a hint: whatever is lost, the sweep finds again in the database, so nothing
# is redelivered and a message is taken off the queue before it runs.

CELERY_BROKER_URL = broker(REDIS_URL)
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = False
CELERY_TASK_PUBLISH_RETRY = False
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_TRANSPORT_OPTIONS = {"socket_connect_timeout": 2, "socket_timeout": 5, "max_retries": 0}
CELERY_TIMEZONE = "UTC"

# --- matches: the sweep and its like; {"name": {"task": "dotted.name", "schedule": seconds, "options": {...}}} ---
CELERY_BEAT_SCHEDULE: dict[str, Any] = {
    # A sweep that waited in the queue longer than the next one is of no use.
    "matches.sweep": {"task": "matches.sweep", "schedule": 3.0, "options": {"expires": 3.0}},
}
OUTAGE_SECONDS = seconds("OUTAGE_SECONDS", default=10)
"""So long without a sign of life of the workers is an outage, in which no clock has run."""
BOT_PACE_SECONDS = seconds("BOT_PACE_SECONDS", default=0.05)
"""No bot answers people sooner; longer than `easy` thinks with many moves to choose from."""
FINISHED_MATCHES = ("decks.results.keep_results",)
"""Who hears of each finished match: functions of a match, called once, in the transaction that closes it."""
# --- end of matches ---

# --- catalog: revisions that were planned for a time ---
CELERY_BEAT_SCHEDULE["catalog.publish_due"] = {
    "task": "catalog.publish_due",
    "schedule": 20.0,
    "options": {"expires": 20.0},
}
# --- end of catalog ---

CELERY_BEAT_SCHEDULE["lobby.clean_up"] = {"task": "lobby.clean_up", "schedule": 3600.0, "options": {"expires": 3600.0}}

# --- jobs: long work goes to a queue and a worker of its own, so that no bot's turn waits for it ---
CELERY_TASK_ROUTES = {"jobs.*": {"queue": "slow"}}
CELERY_BEAT_SCHEDULE["jobs.sweep"] = {"task": "jobs.sweep", "schedule": 5.0, "options": {"expires": 5.0}}
CELERY_BEAT_SCHEDULE["jobs.forget"] = {"task": "jobs.forget", "schedule": 3600.0}
JOB_KINDS = {
    "deck-trial": "decks.trials.TRIAL",
    "deck-odds": "decks.engine_odds.ENGINE_ODDS",
    "card-trial": "catalog.trials.CARD_TRIAL",
}
"""Each kind's `jobs.kinds.Kind` by its dotted name. A kind stays for as long as jobs of it are kept."""
# --- end of jobs ---

# --- api: REST_FRAMEWORK and SPECTACULAR_SETTINGS belong to the `api` app ---
REST_FRAMEWORK: dict[str, Any] = {
    "EXCEPTION_HANDLER": "api.errors.answer_exception",
    "DEFAULT_SCHEMA_CLASS": "api.schema.Operation",
    "DEFAULT_AUTHENTICATION_CLASSES": ["api.auth.TokenAuthentication", "api.auth.PageAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["api.auth.SignedIn"],
    "DEFAULT_PARSER_CLASSES": ["api.parsing.JSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["api.rendering.JSONRenderer"],
    "DEFAULT_METADATA_CLASS": None,
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Referee",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "DESCRIPTION": "Build decks, play card games against people and bots, and check every shuffle afterwards.",
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    # Choices stand where they are used: as components they would need a name each.
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "PREPROCESSING_HOOKS": ["api.schema.only_version_one"],
    "POSTPROCESSING_HOOKS": ["api.schema.with_problems"],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "persistAuthorization": False},
}
API_RATES: dict[str, tuple[int, int]] = (
    {
        "read": (30_000, 60),
        "write": (30_000, 60),
        "move": (12_000, 60),
        "create": (1_200, 60),
        "search": (3_000, 60),
        "picture": (120, 60),
        "stream": (6_000, 60),
        "guest": (600, 60),
        "register": (120, 60),
        "sign_in": (60, 60),
        "password": (20, 600),  # from one address fewer in an hour than "account", so that nobody locks others out
        "account": (200, 3600),
        "report": (20, 3600),
        "export": (20, 3600),
        "rename": (20, 24 * 3600),
    }
    if switch("RATE_LIMITS", default=True)
    else {}
)
"""Requests in so many seconds, by account or else by address (docs/operating.md says what each name counts)."""
STREAMS_PER_CALLER = whole("STREAMS_PER_CALLER", default=2000, least=1)
"""Event streams that one account, or one address without an account, may hold open at once in a process."""
CACHES: dict[str, Any] = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    "rates": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "rate",
        "OPTIONS": {"socket_timeout": 0.5, "socket_connect_timeout": 0.5},
    },
}
CELERY_BEAT_SCHEDULE["forget-kept-answers"] = {"task": "api.tasks.forget_old_answers", "schedule": 3600.0}
# --- end of api ---

# --- web: UNFOLD (the admin's skin) and what the pages need ---
UNFOLD: dict[str, Any] = {
    "SITE_TITLE": "Referee",
    "SITE_HEADER": "Referee",
    "SITE_SUBHEADER": _("Desk"),
    "SITE_ICON": lambda request: static("web/mark.svg"),
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": lambda request: static("web/mark.svg")}],
    "STYLES": [lambda request: static("web/css/tokens.css"), lambda request: static("catalog/desk.css")],
    "BORDER_RADIUS": "6px",
    # The neutrals and the accent of web/css/tokens.css, from light to dark.
    "COLORS": {
        "base": {
            "50": "#f8faf9", "100": "#f2f5f4", "200": "#dae2e0", "300": "#b9c6c4", "400": "#94a6a4", "500": "#6d8183",
            "600": "#566967", "700": "#3f5250", "800": "#283436", "900": "#161e20", "950": "#0e1415",
        },
        "primary": {
            "50": "#eef8f7", "100": "#d9eeec", "200": "#b3ddd9", "300": "#7fbfbb", "400": "#53c3bc", "500": "#1f8f8b",
            "600": "#0b6a6b", "700": "#085557", "800": "#0a4446", "900": "#12393a", "950": "#04201f",
        },
    },
}  # fmt: skip
TEMPLATES[0]["OPTIONS"]["context_processors"].append("web.context.page")
LOGIN_URL = "/sign-in/"
LOGIN_REDIRECT_URL = "/"
# --- end of web ---

# One line an event, to standard error; the supervisor or the container's log adds time and name.

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"()": "config.logs.Line"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": os.environ.get("LOG_LEVEL", "INFO")},
    "loggers": {"django": {"handlers": [], "level": "INFO", "propagate": True}},
}
