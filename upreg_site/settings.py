"""Settings of UPReg: one file, everything from the environment through env.py (see docs/operations.md)."""

import os
import sys
import tomllib
from datetime import timedelta
from pathlib import Path

import dj_database_url
import drf_spectacular_sidecar
import plotly
from csp.constants import NONE, SELF

from reports.accounts.provider import Oidc, group_roles
from reports.web.logs import FORMATS, logging_config
from upreg_site import env
from upreg_site.secret import local_secret_key
from upreg_site.storages import ADDRESSING, DELIVERIES, Bucket

BASE_DIR = Path(__file__).resolve().parent.parent
VERSION = tomllib.loads((BASE_DIR / "pyproject.toml").read_text())["project"]["version"]
VAR_DIR = env.path("VAR_DIR", BASE_DIR / "var")  # database, screencasts, login: all that changes
VAR_DIR.mkdir(parents=True, exist_ok=True)

DEBUG = env.flag("DEBUG", False)
SECRET_KEY = env.text("SECRET_KEY") or local_secret_key(VAR_DIR / "secret_key")
HOST = env.text("HOST", "127.0.0.1")  # where `manage.py start` listens
PORT = env.integer("PORT", 8000, least=1)
# Processes and the threads of each make pages; slow clients hold none of them. Two: the workers need cores as well.
WEB_PROCESSES = env.integer("WEB_PROCESSES", min(2, os.cpu_count() or 1), least=1)
THREADS = env.integer("THREADS", 8, least=1)
CONNECTIONS = env.integer("CONNECTIONS", 1000, least=10)
CONNECTIONS_PER_ADDRESS = env.integer("CONNECTIONS_PER_ADDRESS", 400, least=6)
REQUEST_MB = env.integer("REQUEST_MB", 16, least=1)
UPLOAD_MB = env.integer("UPLOAD_MB", 4096, least=1)  # the longest file, whatever number of requests it comes in
UPLOAD_HOURS = env.integer("UPLOAD_HOURS", 24, least=1)
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_500_000  # of a form; reports/web/bounds.py tells the bounds in words
DATA_UPLOAD_MAX_NUMBER_FILES = 1_000  # sent at once by the page Import; a zip holds more
IMPORT_MB = env.integer("IMPORT_MB", 4096, least=1)  # sent for one import by the page, unpacked
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000  # a tick for each interaction of a long list is a field
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS", [])

INSTALLED_APPS = [
    "upreg_site.apps.OperatorsAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "rest_framework",
    "drf_spectacular",
    "django_q",
    "csp",
    "axes",
    "reports",
]

MIDDLEWARE = [
    "reports.web.proxies.TrustedProxyMiddleware",
    "reports.monitoring.requests.RequestMiddleware",
    "reports.web.hardening.HardeningMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "reports.monitoring.requests.ProbeMiddleware",  # behind these three: they put headers on every answer
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "reports.web.shown.HarmlessMiddleware",  # what names may do to a page
    "reports.web.bounds.BoundsMiddleware",  # before anything reads cookies, queries and forms
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "reports.accounts.sessions.LoginSessionMiddleware",
    "reports.audit.origin.OriginMiddleware",  # behind the one that knows the user
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "reports.access.guard.AccessMiddleware",  # what each role may do: docs/access.md
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "reports.media.delivery.StorageAwayMiddleware",
    "axes.middleware.AxesMiddleware",  # answers in the place of the log-in page whoever must wait
]

ROOT_URLCONF = "upreg_site.urls"
WSGI_APPLICATION = "upreg_site.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            # Any word on any page may need its note, any button its role.
            "builtins": ["reports.templatetags.terms", "reports.templatetags.access"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "reports.access.pages.rights",
            ],
        },
    }
]

# SQLite: WAL lets pages read while the worker writes; IMMEDIATE takes the write lock at BEGIN, so that two
# writers queue for it (up to the timeout) in place of failing with "database is locked" halfway.
DATABASES = {"default": dj_database_url.parse(env.text("DATABASE_URL", f"sqlite:///{VAR_DIR / 'upreg.sqlite3'}"))}
# A thread keeps its connection for a while: opening one took a fifth of a small page's time. It is looked at before
# it is used again: it may have been cut.
DATABASES["default"] |= {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 30,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
    # Browser tests read from several threads: a file in WAL mode, as in production, not one shared memory.
    DATABASES["default"]["TEST"] = {"NAME": VAR_DIR / "test.sqlite3"}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "reports.accounts.passwords.WornPasswordValidator"},
]
# The first refuses whoever must wait after failures (reports/accounts/throttle.py); it lets nobody in.
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "reports.access.guard.RoleBackend"]
AXES_HANDLER = "reports.accounts.throttle.BackoffHandler"
AXES_LOCKOUT_CALLABLE = "reports.accounts.throttle.locked_out"
AXES_CLIENT_IP_CALLABLE = "reports.accounts.throttle.counted_address"
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]  # what a log-in that succeeds forgets
AXES_FAILURE_LIMIT = 1  # the handler answers 0 or 1
AXES_COOLOFF_TIME = timedelta(hours=24)  # failures are forgotten
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_RESET_ON_SUCCESS = True
AXES_DISABLE_ACCESS_LOG = True  # the audit log is ours
AXES_ENABLE_ADMIN = AXES_VERBOSE = False
LOCAL_LOGIN = env.flag("LOCAL_LOGIN", True)
OIDC = env.text("OIDC_ISSUER") and Oidc(
    issuer=env.text("OIDC_ISSUER"),
    client_id=env.text("OIDC_CLIENT_ID"),
    client_secret=env.text("OIDC_CLIENT_SECRET"),
    name=env.text("OIDC_NAME", "single sign-on"),
    scopes=env.text("OIDC_SCOPES", "openid profile email"),
    groups_claim=env.text("OIDC_GROUPS_CLAIM", "groups"),
    roles=group_roles(env.words("OIDC_ROLES", [])),
)
if OIDC:
    SIGN_ON = "reports.accounts.signon.SignOnBackend"  # takes no password
    AUTHENTICATION_BACKENDS = [AUTHENTICATION_BACKENDS[0], *AUTHENTICATION_BACKENDS[1:] * LOCAL_LOGIN, SIGN_ON]
# Links for a new password and notices are sent where a mail server and a sender are named.
EMAIL_HOST = env.text("EMAIL_HOST")
EMAIL_PORT = env.integer("EMAIL_PORT", 587, least=1)
EMAIL_HOST_USER = env.text("EMAIL_USER")
EMAIL_HOST_PASSWORD = env.text("EMAIL_PASSWORD")
EMAIL_TLS = env.choice("EMAIL_TLS", ("starttls", "tls", "none"))
EMAIL_USE_TLS, EMAIL_USE_SSL = EMAIL_TLS == "starttls", EMAIL_TLS == "tls"
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = env.text("EMAIL_FROM")
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "login"

LANGUAGE_CODE = "en-gb"
TIME_ZONE = env.text("TIME_ZONE", "UTC")
USE_TZ = True

# Its files alone: as an app it would bring a second viewer along.
SWAGGER_UI = Path(drf_spectacular_sidecar.__file__).parent / "static/drf_spectacular_sidecar/swagger-ui-dist"
STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [
    BASE_DIR / "static",
    ("plotly", Path(plotly.__file__).parent / "package_data"),  # plotly.min.js from the pip package, no CDN
    ("swagger", SWAGGER_UI),  # the page of the API, likewise
]
MEDIA_ROOT = env.path("MEDIA_ROOT", VAR_DIR / "media")
MEDIA_CACHE = env.path("MEDIA_CACHE", VAR_DIR / "media-cache")  # copies of what a remote storage keeps
MEDIA_CACHE_MB = env.integer("MEDIA_CACHE_MB", 4096, least=64)
MEDIA_DELIVERY = env.choice("MEDIA_DELIVERY", DELIVERIES)  # who sends the bytes: reports/media/delivery.py
S3 = env.text("S3_BUCKET") and Bucket(
    name=env.text("S3_BUCKET"),
    endpoint=env.text("S3_ENDPOINT"),
    region=env.text("S3_REGION"),
    access_key=env.text("S3_ACCESS_KEY"),
    secret_key=env.text("S3_SECRET_KEY"),
    prefix=env.text("S3_PREFIX"),
    addressing=env.choice("S3_ADDRESSING", ADDRESSING),
)
STORAGES = {
    "default": S3.storage() if S3 else {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "upreg_site.staticfiles.HashedStaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_ALLOW_ALL_ORIGINS = False
WHITENOISE_MIMETYPES = {".svg": "image/svg+xml; charset=utf-8"}

# The page may load only what this server sends, and recordings from the object store that it redirects to. Plotly
# positions its drawing by style attributes.
MEDIA_ORIGINS = S3.origins() if S3 and MEDIA_DELIVERY == "redirect" else []
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:", "blob:"],
        "media-src": [SELF, "blob:", *MEDIA_ORIGINS],
        "connect-src": [SELF, *MEDIA_ORIGINS],
        "style-src": [SELF],
        "style-src-attr": ["'unsafe-inline'"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "reports.web.problems.csrf_failure"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True  # scripts take the token from the form
SESSION_COOKIE_AGE = env.integer("SESSION_HOURS", 168, least=1) * 3600  # since the log-in, however much it is used
SESSION_IDLE_S = env.integer("SESSION_IDLE_HOURS", 24, least=1) * 3600
PASSWORD_RESET_TIMEOUT = 24 * 3600  # of a link that is handed over or sent
HTTPS = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = env.flag("HTTPS", False)
# Whose X-Forwarded-* are believed (reports/web/proxies.py); everybody else's are taken away.
TRUSTED_PROXIES = env.networks("TRUSTED_PROXIES", ["127.0.0.0/8", "::1"] if HTTPS else [])
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]  # a load balancer speaks plain HTTP
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    # Bound to this very host and to HTTPS: no other name of the domain can plant one.
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "__Host-session", "__Host-csrf"
    SECURE_HSTS_SECONDS = env.integer("HSTS_SECONDS", 365 * 86_400)
    SECURE_HSTS_INCLUDE_SUBDOMAINS = env.flag("HSTS_SUBDOMAINS", True)
    SECURE_SSL_REDIRECT = True
    SILENCED_SYSTEM_CHECKS = ["security.W021"]  # whether browsers list the domain is not ours to say

# Where people reach this installation: links in mails, which no request asks for, begin with it.
_HOST = next((host for host in ALLOWED_HOSTS if host[0] not in "*."), "localhost")
SITE_URL = env.address("SITE_URL", f"https://{_HOST}" if HTTPS else f"http://{_HOST}:{PORT}")
WEBHOOK_LOCAL = env.networks("WEBHOOK_LOCAL", [])  # of the local network, what webhooks may reach all the same

# A task must never run twice at once: its time limit ends before the broker hands it out again, a task that
# failed is acknowledged, and a worker takes one task at a time. A run is besides claimed by a conditional UPDATE.
TASK_TIMEOUT_S = env.integer("TASK_TIMEOUT_S", 600, least=10)
# What one recording may cost the process that decodes it; it ends before the task does, so that it can be told.
DECODER_TIMEOUT_S = env.integer("DECODER_TIMEOUT_S", TASK_TIMEOUT_S * 9 // 10, least=5)
DECODER_MEMORY_MB = env.integer("DECODER_MEMORY_MB", 2048, least=256)
RETENTION_DAYS = env.integer("RETENTION_DAYS", 0)  # 0: nothing is dropped by itself
RETENTION_FINDING_DAYS = env.integer("RETENTION_FINDING_DAYS", 365, least=1)
VERIFY_MB_S = env.integer("VERIFY_MB_S", 20)
WORKERS = env.integer("WORKERS", os.cpu_count() or 1, least=1)
QUEUE_ANSWER_KEPT_S = 1.0  # reports/queue/views.py
Q_CLUSTER = {
    "name": "upreg",
    "label": "Queue",
    "orm": "default",
    "broker_class": "reports.queue.broker.OrderedBroker",
    "workers": WORKERS,
    "timeout": TASK_TIMEOUT_S,
    "retry": TASK_TIMEOUT_S + 120,
    "max_attempts": 3,
    "ack_failures": True,
    "queue_limit": WORKERS * 2,
    "bulk": 1,
    "poll": 0.5,
    "save_limit": 1000,
    "catch_up": False,
    "recycle": 500,
    "max_rss": 1_000_000 * (1024 if sys.platform == "darwin" else 1),  # 1 GB: macOS counts bytes, Linux KiB
}

API_PER_MINUTE = env.integer("API_PER_MINUTE", 600, least=10)
UPLOADS_PER_MINUTE = env.integer("UPLOADS_PER_MINUTE", 6000, least=10)  # a farm's: counted apart, in the same way
REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "reports.tokens.authentication.TokenAuthentication",  # first: it tells who is nobody how to log in
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["reports.access.guard.RolePermission"],
    "DEFAULT_PAGINATION_CLASS": "reports.api.paging.Pages",
    "DEFAULT_FILTER_BACKENDS": ["reports.api.filters.PageFilterBackend"],
    "DEFAULT_SCHEMA_CLASS": "reports.api.schema.ApiSchema",
    "EXCEPTION_HANDLER": "reports.api.problems.problem_answer",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "UPReg",
    "VERSION": VERSION,
    "DESCRIPTION": "Whether people will feel an OS update: recordings in, comparisons and the gate out.",
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "PREPROCESSING_HOOKS": ["reports.api.schema.only_api"],
    "ENUM_NAME_OVERRIDES": {
        "BatchStateEnum": ["open", "complete"],
        "DecisionEnum": "reports.api.comparisons.DECISIONS",
        "InteractionTypeEnum": "reports.models.InteractionType",
        "IssueStateEnum": "reports.models.IssueState",
        "IssueStatusEnum": "reports.models.IssueStatus",
        "StatusEnum": "reports.models.ComparisonStatus",
        "TriageStateEnum": "reports.models.TriageState",
        "WaiverStateEnum": "reports.api.waivers.STATES",
    },
    "COMPONENT_SPLIT_REQUEST": True,  # what is sent and what is answered differ
}

METRICS_TOKEN = env.text("METRICS_TOKEN")
LOGGING = logging_config(style=env.choice("LOG_FORMAT", FORMATS), level=env.text("LOG_LEVEL", "INFO").upper())
